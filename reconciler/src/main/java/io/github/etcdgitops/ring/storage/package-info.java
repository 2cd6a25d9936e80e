/// Larger volumes, and what a namespace has room for. Pure.
@NullMarked
package io.github.etcdgitops.ring.storage;

import org.jspecify.annotations.NullMarked;
