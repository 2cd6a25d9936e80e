/// What a ring, its Jobs and its objects look like as manifests.
@NullMarked
package io.github.etcdgitops.gateway.kube.manifest;

import org.jspecify.annotations.NullMarked;
