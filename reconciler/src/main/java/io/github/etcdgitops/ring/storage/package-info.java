/// Larger volumes, and the room in a namespace. Pure.
@NullMarked
package io.github.etcdgitops.ring.storage;

import org.jspecify.annotations.NullMarked;
