package io.github.etcdgitops.ring.backup;

import java.time.Duration;

/// A duration as documents write it.
public final class Period {
    private static final long HOUR = 60;
    private static final long DAY = 24 * HOUR;

    private Period() {}

    /// `26h`, `7d`, `90m`: the largest unit that fits.
    public static String title(Duration duration) {
        long minutes = duration.toMinutes();
        if (minutes % DAY == 0) {
            return minutes / DAY + "d";
        }
        return minutes % HOUR == 0 ? minutes / HOUR + "h" : minutes + "m";
    }
}
