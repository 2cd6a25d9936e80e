/// The observed state of a ring. Pure. Unknown is a value of its own and never means absent.
@NullMarked
package io.github.etcdgitops.state;

import org.jspecify.annotations.NullMarked;
