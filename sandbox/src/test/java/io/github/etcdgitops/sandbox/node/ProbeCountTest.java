package io.github.etcdgitops.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProbeCountTest {
    private static final Duration PERIOD = Duration.ofSeconds(5);
    private static final Probe PROBE = new Probe(new Probe.Tcp(1), Duration.ZERO, PERIOD, Duration.ofSeconds(1), 2, 3);

    @Test
    void countsBadAnswersOnceInAPeriodHoweverOftenItIsAsked() {
        ProbeCount count = ProbeCount.NONE;
        for (int second = 0; second < 10; second++) {
            count = count.after(false, PERIOD, seconds(second));
        }

        assertThat(count.failures()).isEqualTo(2);
        assertThat(count.failed(PROBE)).isFalse();
        assertThat(count.after(false, PERIOD, seconds(10)).failed(PROBE)).isTrue();
    }

    @Test
    void oneGoodAnswerForgetsTheBadOnes() {
        ProbeCount count = ProbeCount.NONE
                .after(false, PERIOD, seconds(0))
                .after(false, PERIOD, seconds(5))
                .after(true, PERIOD, seconds(6))
                .after(false, PERIOD, seconds(7));

        assertThat(count.failures()).isEqualTo(1);
    }

    @Test
    void passesAfterAsManyGoodAnswersInARowAsTheProbeAsksFor() {
        ProbeCount one = ProbeCount.NONE.after(true, PERIOD, 0);

        assertThat(one.passed(PROBE)).isFalse();
        assertThat(one.after(true, PERIOD, 0).passed(PROBE)).isTrue();
        assertThat(one.after(false, PERIOD, 0).after(true, PERIOD, 0).passed(PROBE))
                .isFalse();
    }

    private static long seconds(int seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
