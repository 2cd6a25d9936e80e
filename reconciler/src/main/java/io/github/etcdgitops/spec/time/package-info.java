/// Times: crontabs, timetables, windows, and validity periods.
@NullMarked
package io.github.etcdgitops.spec.time;

import org.jspecify.annotations.NullMarked;
