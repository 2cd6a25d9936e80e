/// The instruction set that operations expand to, and what each instruction does to a ring. Pure.
@NullMarked
package io.github.etcdgitops.step;

import org.jspecify.annotations.NullMarked;
