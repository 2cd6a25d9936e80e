package io.github.etcdgitops.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.spec.time.Crontab;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final Crontab NEW_YEAR = Crontab.parse("@yearly");
    private static final ZoneId UTC = ZoneId.of("Etc/UTC");

    @Test
    void runsOneAfterTheOther() throws InterruptedException {
        var under = new AtomicInteger();
        var most = new AtomicInteger();
        var begun = new Semaphore(0);
        var release = new Semaphore(0);
        try (var schedule = Schedule.start(NEW_YEAR, UTC, () -> {
            most.accumulateAndGet(under.incrementAndGet(), Math::max);
            begun.release();
            release.acquireUninterruptibly();
            under.decrementAndGet();
            return Optional.empty();
        })) {
            schedule.now();
            begun.acquire();
            schedule.now();
            assertThat(begun.tryAcquire(200, TimeUnit.MILLISECONDS))
                    .as("a second one at once")
                    .isFalse();
            release.release(2);
            assertThat(begun.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void refusesCrontabThatNeverMatches() {
        assertThatThrownBy(() -> Schedule.start(Crontab.parse("0 0 31 2 *"), UTC, Optional::empty))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the crontab '0 0 31 2 *' matches no future time");
        try (var schedule = Schedule.start(Crontab.parse("0 0 31 2 1"), UTC, Optional::empty)) {
            assertThat(schedule.next().orElseThrow().atZone(UTC).getDayOfWeek()).isEqualTo(DayOfWeek.MONDAY);
        }
    }

    @Test
    void runsAtTheTimeBesidesThatARunAsksForAndAtTheLatestOneOnly() throws InterruptedException {
        var runs = new Semaphore(0);
        var asked = new ArrayDeque<>(List.of(
                Optional.of(Instant.now().plus(Duration.ofDays(1))),
                Optional.of(Instant.now().minusSeconds(1)),
                Optional.<Instant>empty()));
        try (var schedule = Schedule.start(NEW_YEAR, UTC, () -> {
            var next = asked.remove();
            runs.release();
            return next;
        })) {
            schedule.now();
            assertThat(runs.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
            schedule.now();
            assertThat(runs.tryAcquire(2, 30, TimeUnit.SECONDS))
                    .as("that by hand, and that which it asked for")
                    .isTrue();
            assertThat(asked).isEmpty();
            assertThat(schedule.next().orElseThrow().toString()).endsWith("-01-01T00:00:00Z");
        }
    }

    @Test
    void closingWaitsForTheRunUnderWay() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var ended = new AtomicInteger();
        var schedule = Schedule.start(NEW_YEAR, UTC, () -> {
            begun.countDown();
            try {
                release.await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
            ended.incrementAndGet();
            return Optional.empty();
        });
        schedule.now();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        var closing = Thread.ofVirtual().start(schedule::close);

        release.countDown();
        closing.join();

        assertThat(ended).hasValue(1);
    }

    @Test
    void saysWhenTheNextRunBegins() {
        try (var schedule = Schedule.start(NEW_YEAR, UTC, Optional::empty)) {
            assertThat(schedule.next().orElseThrow().toString()).endsWith("-01-01T00:00:00Z");
        }
    }
}
