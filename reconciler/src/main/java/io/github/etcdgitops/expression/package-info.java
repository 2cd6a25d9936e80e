/// User-defined rules in CEL: declared types, with limits on size, steps and memory.
@NullMarked
package io.github.etcdgitops.expression;

import org.jspecify.annotations.NullMarked;
