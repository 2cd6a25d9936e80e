/// A larger and a smaller ring. Pure.
@NullMarked
package io.github.etcdgitops.ring.scale;

import org.jspecify.annotations.NullMarked;
