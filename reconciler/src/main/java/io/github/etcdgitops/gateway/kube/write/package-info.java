/// Writes objects of a ring, Leases, Events and marks on members; and finds the drift of objects.
@NullMarked
package io.github.etcdgitops.gateway.kube.write;

import org.jspecify.annotations.NullMarked;
