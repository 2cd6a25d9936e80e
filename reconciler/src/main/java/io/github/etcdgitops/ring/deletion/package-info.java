/// Deletion of rings, and their return. Pure.
@NullMarked
package io.github.etcdgitops.ring.deletion;

import org.jspecify.annotations.NullMarked;
