/// Reads a ring, its volumes, its nodes and the objects beside it.
@NullMarked
package io.github.etcdgitops.gateway.kube.read;

import org.jspecify.annotations.NullMarked;
