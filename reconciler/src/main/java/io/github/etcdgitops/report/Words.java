package io.github.etcdgitops.report;

import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.state.Quorum;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Numbers, times and verdicts as every form of the report shows them; `–` stands for what a ring without
/// voters has not.
public final class Words {
    private static final String NONE = "–";
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Words() {}

    /// Those that answer, of how many.
    public static String voters(Quorum quorum) {
        return quorum.voters() == 0 ? NONE : quorum.healthy() + "/" + quorum.voters();
    }

    public static String needed(Quorum quorum) {
        return quorum.voters() == 0 ? NONE : String.valueOf(quorum.needed());
    }

    public static String tolerance(Quorum quorum) {
        return quorum.voters() == 0 ? NONE : String.valueOf(quorum.tolerance());
    }

    /// One more failure, and writes stop; or they have stopped.
    public static boolean bare(Quorum quorum) {
        return quorum.voters() > 0 && quorum.tolerance() <= 0;
    }

    public static String verdict(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow _ -> "allowed";
            case Verdict.Warn(String rule, String reason) -> "warning (" + rule + "): " + reason;
            case Verdict.Hold(String rule, String reason) -> "held (" + rule + "): " + reason;
            case Verdict.Deny(String rule, String reason) -> "denied (" + rule + "): " + reason;
        };
    }

    public static String minute(Instant time) {
        return MINUTE.format(time);
    }

    /// Of so many bytes.
    public static String size(long bytes) {
        return bytes < 1024 * 1024 ? bytes / 1024 + " KiB" : bytes / (1024 * 1024) + " MiB";
    }

    /// Enough of a digest to know it again.
    public static String digest(String digest) {
        String hex = digest.substring(digest.indexOf(':') + 1);
        return hex.substring(0, Math.min(12, hex.length()));
    }
}
