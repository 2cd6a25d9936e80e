/// The manifests of a ring, its Jobs and its objects.
@NullMarked
package io.github.etcdgitops.gateway.kube.manifest;

import org.jspecify.annotations.NullMarked;
