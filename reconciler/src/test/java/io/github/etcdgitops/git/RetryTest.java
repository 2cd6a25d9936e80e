package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.remote.Retry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetryTest {
    private final AtomicLong now = new AtomicLong();
    private final List<Duration> pauses = new ArrayList<>();
    private final Random random = new Random(7);

    private Retry retry(int tries, Duration limit) {
        return new Retry(tries, limit, Duration.ofMillis(50), Duration.ofSeconds(2), random, now::get, pause -> {
            pauses.add(pause);
            now.addAndGet(pause.toNanos());
        });
    }

    @Test
    void stopsAfterTheMostTries() throws InterruptedException {
        Retry.Tries tries = retry(8, Duration.ofHours(1)).begin();

        while (tries.again()) {
            assertThat(tries.done()).isLessThanOrEqualTo(8);
        }

        assertThat(tries.done()).isEqualTo(8);
        assertThat(pauses).hasSize(7);
    }

    @Test
    void stopsRatherThanWaitPastTheLimit() throws InterruptedException {
        Retry.Tries tries = retry(1000, Duration.ofSeconds(30)).begin();

        while (tries.again()) {
            assertThat(now.get()).isLessThanOrEqualTo(Duration.ofSeconds(30).toNanos());
        }

        assertThat(pauses).hasSizeGreaterThan(15);
    }

    @Test
    void drawsPausesFromAGrowingSpan() throws InterruptedException {
        for (int round = 0; round < 100; round++) {
            Retry.Tries tries = retry(8, Duration.ofHours(1)).begin();
            while (tries.again()) {
                Duration bound = Duration.ofMillis(Math.min(2000, 50L << (tries.done() - 1)));
                assertThat(pauses.getLast()).isBetween(Duration.ofMillis(50), bound);
            }
        }

        assertThat(pauses).anyMatch(p -> p.toMillis() > 1500).anyMatch(p -> p.toMillis() < 80);
    }
}
