/// When: cron expressions, time tables, windows, and how long something is valid.
@NullMarked
package io.github.etcdgitops.spec.time;

import org.jspecify.annotations.NullMarked;
