/// What is read of a ring, its volumes, its nodes and of objects beside it.
@NullMarked
package io.github.etcdgitops.gateway.kube.read;

import org.jspecify.annotations.NullMarked;
