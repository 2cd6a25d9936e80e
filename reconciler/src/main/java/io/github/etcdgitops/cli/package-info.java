/// Commands, options, exit codes and the wiring of a run.
@NullMarked
package io.github.etcdgitops.cli;

import org.jspecify.annotations.NullMarked;
