package io.github.etcdgitops.report;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.state.health.Quorum;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Numbers, times and verdicts as all forms of the report show them; `–` where a ring without voters has no
/// value.
public final class Words {
    private static final String NONE = "–";
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Words() {}

    /// How many answer, of how many.
    public static String voters(Quorum quorum) {
        return quorum.voters() == 0 ? NONE : quorum.healthy() + "/" + quorum.voters();
    }

    public static String needed(Quorum quorum) {
        return quorum.voters() == 0 ? NONE : String.valueOf(quorum.needed());
    }

    public static String tolerance(Quorum quorum) {
        return quorum.voters() == 0 ? NONE : String.valueOf(quorum.tolerance());
    }

    /// One more failure stops writes; or they have stopped.
    public static boolean bare(Quorum quorum) {
        return quorum.voters() > 0 && quorum.tolerance() <= 0;
    }

    public static String verdict(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Allow _ -> "allowed";
            case Verdict.Warn(String rule, String reason) -> "warning (" + rule + "): " + reason;
            case Verdict.Hold(String rule, String reason, var _) -> "held (" + rule + "): " + reason;
            case Verdict.Deny(String rule, String reason) -> "denied (" + rule + "): " + reason;
        };
    }

    /// The estimated range of a duration, and how much of it is known.
    public static String range(Tempo.Range range) {
        String least = duration(range.least());
        String most = duration(range.most());
        return (least.equals(most) ? least : least + " to " + most)
                + (range.recorded() == 0
                        ? " (guessed)"
                        : range.recorded() < range.all()
                                ? " (" + range.recorded() + " of " + range.all() + " steps as recorded)"
                                : " (as recorded)");
    }

    /// `45 s`, `12 min`, `3 h 05 min`.
    static String duration(Duration time) {
        if (time.compareTo(Duration.ofMinutes(1)) < 0) {
            return Math.max(1, time.toSeconds()) + " s";
        }
        return time.toHours() == 0
                ? time.toMinutes() + " min"
                : time.toHours() + " h" + String.format(Locale.ROOT, " %02d min", time.toMinutesPart());
    }

    /// Tolerance over all operations of a ring: before the first, at the worst moment, after the last.
    static String tolerances(ClusterPlan plan) {
        return plan.operations().isEmpty()
                ? tolerance(plan.quorum())
                : tolerance(plan.operations().getFirst().before()) + " → " + tolerance(plan.worst()) + " → "
                        + tolerance(plan.operations().getLast().after());
    }

    /// The total of all operations of a ring, in one line.
    public static String inAll(ClusterPlan plan, Tempo tempo) {
        return Count.of(plan.operations().size(), "operation") + ", highest risk "
                + plan.highestRisk().map(Object::toString).orElse(NONE) + ", tolerance " + tolerances(plan) + ", takes "
                + range(tempo.of(plan.operations()));
    }

    public static String minute(Instant time) {
        return MINUTE.format(time);
    }

    public static String size(long bytes) {
        return bytes < 1024 * 1024 ? bytes / 1024 + " KiB" : bytes / (1024 * 1024) + " MiB";
    }

    /// Enough of a digest to recognize it.
    public static String digest(String digest) {
        String hex = digest.substring(digest.indexOf(':') + 1);
        return hex.substring(0, Math.min(12, hex.length()));
    }
}
