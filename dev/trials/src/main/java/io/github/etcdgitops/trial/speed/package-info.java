/// Benchmarks: what a command costs, beside another command on the same machine.
@NullMarked
package io.github.etcdgitops.trial.speed;

import org.jspecify.annotations.NullMarked;
