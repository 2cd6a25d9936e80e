/// Creation of a ring, until clients are admitted. Pure.
@NullMarked
package io.github.etcdgitops.ring.founding;

import org.jspecify.annotations.NullMarked;
