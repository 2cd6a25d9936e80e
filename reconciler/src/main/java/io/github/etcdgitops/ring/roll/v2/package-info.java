/// What etcd's v2 API leaves in a ring, and what an upgrade to 3.6 does about it.
@NullMarked
package io.github.etcdgitops.ring.roll.v2;

import org.jspecify.annotations.NullMarked;
