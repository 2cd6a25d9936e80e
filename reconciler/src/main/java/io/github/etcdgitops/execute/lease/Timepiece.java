package io.github.etcdgitops.execute.lease;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/// What a process knows of time: what the clock on its wall says, which somebody may set, and how much of it has
/// gone by, which nobody can.
public interface Timepiece extends InstantSource {
    /// Nanoseconds since some moment. Only differences mean something. Goes on while the process is stopped; may
    /// stand still while the machine sleeps.
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
