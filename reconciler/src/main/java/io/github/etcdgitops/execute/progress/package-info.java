/// Reports the progress of a run: each step, and the result of each ring.
@NullMarked
package io.github.etcdgitops.execute.progress;

import org.jspecify.annotations.NullMarked;
