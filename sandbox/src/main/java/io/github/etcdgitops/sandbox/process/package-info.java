/// Processes of containers: where they run, and what is recorded of them for the next start.
@NullMarked
package io.github.etcdgitops.sandbox.process;

import org.jspecify.annotations.NullMarked;
