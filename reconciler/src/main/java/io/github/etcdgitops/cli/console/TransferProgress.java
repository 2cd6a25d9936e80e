package io.github.etcdgitops.cli.console;

import io.github.etcdgitops.inert.Inert;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.TreeMap;

/// Reports the progress of a long transfer: bytes, rate and the remaining time. A terminal gets one
/// changing line, anything else an occasional JSON line. May be called for every piece.
public final class TransferProgress {
    private static final Duration ON_TERMINAL = Duration.ofMillis(500);
    private static final Duration ELSEWHERE = Duration.ofSeconds(10);
    private static final double MIB = 1 << 20;

    private final InertStream err;
    private final boolean json;
    private final boolean quiet;
    private final InstantSource clock;
    private final String what;
    private Instant began;
    private Instant next;
    private long last;
    private boolean shown;

    /// `what` names the transfer: `demo/orders`.
    public TransferProgress(InertStream err, ProgressForm manner, InstantSource clock, String what) {
        this.err = err;
        this.json = manner.json();
        this.quiet = manner.quiet();
        this.clock = clock;
        this.what = what;
        this.began = clock.instant();
        this.next = began.plus(interval());
    }

    private Duration interval() {
        return json ? ELSEWHERE : ON_TERMINAL;
    }

    /// `total` is the expected number of bytes; 0 when unknown. Fewer bytes than before mean another
    /// transfer.
    public void moved(long bytes, long total) {
        var now = clock.instant();
        if (bytes < last) {
            began = now;
        }
        last = bytes;
        if (quiet || now.isBefore(next)) {
            return;
        }
        next = now.plus(interval());
        double seconds = Math.max(0.001, Duration.between(began, now).toMillis() / 1000.0);
        if (json) {
            err.println(jsonLine(bytes, total, bytes / seconds));
        } else {
            err.clearLine();
            err.print(Inert.line(line(bytes, total, bytes / seconds)));
            err.flush();
        }
        shown = !json;
    }

    private String line(long bytes, long total, double rate) {
        String of = total > bytes ? String.format(Locale.ROOT, " of about %.0f MiB", total / MIB) : "";
        String left = total > bytes ? ", " + left((long) ((total - bytes) / Math.max(rate, 1))) + " left" : "";
        return String.format(Locale.ROOT, "%s  %.0f MiB%s, %.0f MiB/s%s", what, bytes / MIB, of, rate / MIB, left);
    }

    private static String left(long seconds) {
        return seconds < 120 ? seconds + " s" : seconds / 60 + " min";
    }

    private String jsonLine(long bytes, long total, double rate) {
        var fields = new TreeMap<String, Object>();
        fields.put("ring", what);
        fields.put("message", "transfer");
        fields.put("bytes", bytes);
        fields.put("bytesPerSecond", (long) rate);
        if (total > 0) {
            fields.put("totalBytes", total);
            fields.put("secondsLeft", (long) (Math.max(0, total - bytes) / Math.max(rate, 1)));
        }
        return JsonLine.of(fields);
    }

    /// Clears the progress line.
    public void ended() {
        if (shown) {
            err.clearLine();
        }
    }
}
