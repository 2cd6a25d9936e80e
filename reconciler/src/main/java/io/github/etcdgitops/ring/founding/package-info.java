/// A new ring, from nothing to clients that may come. Pure.
@NullMarked
package io.github.etcdgitops.ring.founding;

import org.jspecify.annotations.NullMarked;
