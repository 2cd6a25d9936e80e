/// What is written: objects of a ring, Leases, Events, marks on members; and how far objects have drifted.
@NullMarked
package io.github.etcdgitops.gateway.kube.write;

import org.jspecify.annotations.NullMarked;
