package io.github.etcdgitops.execute.lease;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/// The clocks of a process: the wall clock, which can be set, and the elapsed time, which cannot.
public interface Timepiece extends InstantSource {
    /// Nanoseconds since an arbitrary moment. Only differences mean something. It continues while the
    /// process is stopped, and may stop while the machine sleeps.
    long nanos();

    static Timepiece of(InstantSource wall, LongSupplier nanos) {
        return new Timepiece() {
            @Override
            public Instant instant() {
                return wall.instant();
            }

            @Override
            public long nanos() {
                return nanos.getAsLong();
            }
        };
    }
}
