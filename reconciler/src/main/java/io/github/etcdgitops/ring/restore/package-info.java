/// Rings that start from a backup or from what is left of them. Pure.
@NullMarked
package io.github.etcdgitops.ring.restore;

import org.jspecify.annotations.NullMarked;
