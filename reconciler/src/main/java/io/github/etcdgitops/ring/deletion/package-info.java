/// Rings that are deleted, and come back. Pure.
@NullMarked
package io.github.etcdgitops.ring.deletion;

import org.jspecify.annotations.NullMarked;
