package io.github.etcdgitops.sandbox.node;

import java.time.Duration;

/// How long to wait before the next attempt. A value: each attempt gives the next one.
record BackOff(MachineSettings.BackOffs settings, int attempts) {
    static BackOff of(MachineSettings.BackOffs settings) {
        return new BackOff(settings, 0);
    }

    /// After an attempt that lasted so long.
    BackOff after(Duration lasted) {
        return new BackOff(settings, lasted.compareTo(settings.quiet()) >= 0 ? 1 : Math.min(attempts + 1, 30));
    }

    Duration pause() {
        if (attempts == 0) {
            return Duration.ZERO;
        }
        Duration doubled = settings.first().multipliedBy(1L << (attempts - 1));
        return doubled.compareTo(settings.longest()) > 0 ? settings.longest() : doubled;
    }
}
