/// Rules that people write themselves, in CEL: declared types, bounded in size, steps and memory.
@NullMarked
package io.github.etcdgitops.expression;

import org.jspecify.annotations.NullMarked;
