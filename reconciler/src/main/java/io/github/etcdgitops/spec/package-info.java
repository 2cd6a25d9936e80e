/// The wanted state of a ring, as typed and checked values. Pure: no I/O, no clock, no library types.
@NullMarked
package io.github.etcdgitops.spec;

import org.jspecify.annotations.NullMarked;
