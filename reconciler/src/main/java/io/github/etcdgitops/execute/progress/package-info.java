/// What is told of a run: each step, and what became of each ring.
@NullMarked
package io.github.etcdgitops.execute.progress;

import org.jspecify.annotations.NullMarked;
