package io.github.etcdgitops.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.doctor.fact.ClusterFacts.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClockSkewTest {
    private static final Instant SENT = Instant.parse("2026-01-02T03:04:05.900Z");
    private static final Instant RECEIVED = SENT.plusMillis(200);

    @ParameterizedTest
    @CsvSource({
        "2026-01-02T03:04:05Z, 0",
        "2026-01-02T03:04:06Z, 0",
        // Written at 04.999 at the latest, while ours said 05.900 at the earliest.
        "2026-01-02T03:04:04Z, -900",
        "2026-01-02T03:04:07Z, 900",
        "2026-01-02T03:03:05Z, -59900",
    })
    void countsOnlySkewBeyondMeasurementError(Instant server, long millis) {
        assertThat(ClockSkew.atLeast(SENT, server, RECEIVED)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @CsvSource({"2, Ok", "-2, Ok", "5, Warning", "-5, Warning", "29, Warning", "40, Failed", "-40, Failed"})
    void warnsFromTwoSecondsAndFailsFromThirty(long seconds, String verdict) {
        var check = ClockSkew.check(new Clock(SENT, Optional.of(RECEIVED.plusSeconds(seconds)), RECEIVED));

        assertThat(check.getClass().getSimpleName()).isEqualTo(verdict);
    }

    @Test
    void namesClockThatIsAhead() {
        assertThat(ClockSkew.check(new Clock(SENT, Optional.of(SENT.plusSeconds(60)), RECEIVED))
                        .toString())
                .contains("at least 59 s ahead of ours");
    }

    @Test
    void withoutADateNothingIsSaid() {
        assertThat(ClockSkew.check(new Clock(SENT, Optional.empty(), RECEIVED))).isInstanceOf(Check.Skipped.class);
    }
}
