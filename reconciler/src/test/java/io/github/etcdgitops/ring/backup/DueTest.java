package io.github.etcdgitops.ring.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.BackupPolicy.Timing;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DueTest {
    private static final Timing NIGHTLY = new Timing.Cron("0 3 * * *", ZoneId.of("Europe/Vienna"));
    private static final Timing SIX_HOURLY = new Timing.Every(Duration.ofHours(6));

    private static Instant at(String time) {
        return Instant.parse(time);
    }

    private static Due due(Timing timing, String last, String now) {
        return Due.of(timing, Optional.of(at(last)), at(now));
    }

    @Test
    void withoutAnyBackupOneIsDueAtOnce() {
        assertThat(Due.of(NIGHTLY, Optional.empty(), at("2026-11-22T12:00:00Z")))
                .isEqualTo(new Due.First());
        assertThat(Due.of(SIX_HOURLY, Optional.empty(), at("2026-11-22T12:00:00Z")))
                .isEqualTo(new Due.First());
    }

    @Test
    void isDueSinceTheScheduledTime() {
        assertThat(due(NIGHTLY, "2026-11-21T02:00:05Z", "2026-11-22T01:59:59Z"))
                .isEqualTo(new Due.Later(Optional.of(at("2026-11-22T02:00:00Z"))));
        assertThat(due(NIGHTLY, "2026-11-21T02:00:05Z", "2026-11-22T02:00:00Z"))
                .isEqualTo(new Due.Since(at("2026-11-22T02:00:00Z")));
        assertThat(due(NIGHTLY, "2026-11-22T02:00:00Z", "2026-11-22T02:00:00Z"))
                .isEqualTo(new Due.Later(Optional.of(at("2026-11-23T02:00:00Z"))));
    }

    @Test
    void missedTimesAreMadeUpOnce() {
        var missed = due(NIGHTLY, "2026-11-15T02:00:05Z", "2026-11-22T10:00:00Z");
        var afterwards = due(NIGHTLY, "2026-11-22T10:00:01Z", "2026-11-22T10:05:00Z");

        assertThat(missed).isEqualTo(new Due.Since(at("2026-11-22T02:00:00Z")));
        assertThat(afterwards).isEqualTo(new Due.Later(Optional.of(at("2026-11-23T02:00:00Z"))));
    }

    @Test
    void countsIntervalFromStartOfLastBackup() {
        assertThat(due(SIX_HOURLY, "2026-11-22T02:10:00Z", "2026-11-22T08:09:59Z"))
                .isEqualTo(new Due.Later(Optional.of(at("2026-11-22T08:10:00Z"))));
        assertThat(due(SIX_HOURLY, "2026-11-22T02:10:00Z", "2026-11-22T08:10:00Z"))
                .isEqualTo(new Due.Since(at("2026-11-22T08:10:00Z")));
        assertThat(due(SIX_HOURLY, "2026-11-20T02:10:00Z", "2026-11-22T08:10:00Z")
                        .now())
                .isTrue();
    }

    @Test
    void reportsClockBehindWhenLastBackupIsInFuture() {
        var back = due(NIGHTLY, "2026-11-22T02:00:05Z", "2026-11-21T12:00:00Z");

        assertThat(back)
                .isEqualTo(new Due.ClockBehind(at("2026-11-22T02:00:05Z"), Optional.of(at("2026-11-23T02:00:00Z"))));
        assertThat(back.now()).isFalse();
        assertThat(due(SIX_HOURLY, "2026-11-22T02:00:00Z", "2026-11-21T12:00:00Z"))
                .isEqualTo(new Due.ClockBehind(at("2026-11-22T02:00:00Z"), Optional.of(at("2026-11-22T08:00:00Z"))));
        assertThat(Due.of(NIGHTLY, Optional.of(Instant.MAX), at("2026-11-21T12:00:00Z")))
                .isEqualTo(new Due.ClockBehind(Instant.MAX, Optional.empty()));
        assertThat(Due.of(SIX_HOURLY, Optional.of(Instant.MAX), at("2026-11-21T12:00:00Z")))
                .isEqualTo(new Due.ClockBehind(Instant.MAX, Optional.empty()));
    }

    @Test
    void impossibleDateIsNeverDue() {
        var never = new Timing.Cron("0 0 31 2 *", ZoneId.of("UTC"));

        assertThat(due(never, "2026-11-21T12:00:00Z", "2026-11-22T12:00:00Z"))
                .isEqualTo(new Due.Later(Optional.empty()));
    }

    @Test
    void takesOneBackupPerDayAcrossClockChanges() {
        var inTheGap = new Timing.Cron("30 2 * * *", ZoneId.of("Europe/Vienna"));

        assertThat(due(inTheGap, "2027-03-27T01:30:00Z", "2027-03-28T00:59:59Z").now())
                .isFalse();
        assertThat(due(inTheGap, "2027-03-27T01:30:00Z", "2027-03-28T01:00:00Z"))
                .isEqualTo(new Due.Since(at("2027-03-28T01:00:00Z")));
        assertThat(due(inTheGap, "2026-10-25T00:30:10Z", "2026-10-25T01:30:10Z").now())
                .as("the second 02:30")
                .isFalse();
    }

    /// Runs at odd times over three years: so many backups as scheduled times, and never two for one.
    @Test
    void runsOfAnyRhythmTakeOneBackupAScheduledTime() {
        var now = at("2026-01-01T00:00:00Z");
        var last = now;
        int taken = 0;
        for (int run = 0; now.isBefore(at("2029-01-01T00:00:00Z")); run++) {
            var due = Due.of(NIGHTLY, Optional.of(last), now);
            if (due.now()) {
                taken++;
                last = now;
                assertThat(Due.of(NIGHTLY, Optional.of(last), now).now()).isFalse();
            }
            now = now.plus(Duration.ofMinutes(7 + run * 13L % 50));
        }

        assertThat(taken).isEqualTo(3 * 365 + 1);
    }

    @Test
    void knowsTheTimeAfterTheOneThatIsDue() {
        var now = at("2026-11-22T12:00:00Z");

        assertThat(Due.of(NIGHTLY, Optional.empty(), now).next(NIGHTLY, now)).contains(at("2026-11-23T02:00:00Z"));
        assertThat(due(NIGHTLY, "2026-11-20T02:00:05Z", "2026-11-22T12:00:00Z").next(NIGHTLY, now))
                .contains(at("2026-11-23T02:00:00Z"));
        assertThat(due(SIX_HOURLY, "2026-11-22T11:00:00Z", "2026-11-22T12:00:00Z")
                        .next(SIX_HOURLY, now))
                .contains(at("2026-11-22T17:00:00Z"));
        assertThat(due(SIX_HOURLY, "2026-11-22T13:00:00Z", "2026-11-22T12:00:00Z")
                        .next(SIX_HOURLY, now))
                .contains(at("2026-11-22T19:00:00Z"));
    }
}
