/// Names of log keys and progress events.
@NullMarked
package io.github.etcdgitops.telemetry;

import org.jspecify.annotations.NullMarked;
