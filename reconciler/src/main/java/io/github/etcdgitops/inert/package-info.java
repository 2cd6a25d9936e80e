/// Text that a person or a terminal reads, made so that it does nothing but be read.
@NullMarked
package io.github.etcdgitops.inert;

import org.jspecify.annotations.NullMarked;
