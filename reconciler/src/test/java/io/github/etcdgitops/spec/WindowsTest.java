package io.github.etcdgitops.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.spec.time.Window;
import io.github.etcdgitops.spec.time.Windows;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowsTest {
    private static final ZoneId VIENNA = ZoneId.of("Europe/Vienna");

    private static Window window(String crontab, String duration) {
        return new Window(Crontab.parse(crontab), Duration.parse("PT" + duration), VIENNA);
    }

    private static Windows allow(Window... windows) {
        return new Windows(List.of(windows), List.of());
    }

    private static Instant at(String time) {
        return Instant.parse(time);
    }

    /// Vienna leaps from 02:00 to 03:00 on 2027-03-28, and goes back from 03:00 to 02:00 on 2026-10-25.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 2 * * * | 1H | 2027-03-27T00:59:59Z | shut",
                "0 2 * * * | 1H | 2027-03-27T01:00:00Z | 2027-03-27T02:00:00Z",
                "0 2 * * * | 1H | 2027-03-27T02:00:00Z | shut",
                // Two o'clock does not come: it opens when the clock has leapt, and for the whole hour.
                "0 2 * * * | 1H | 2027-03-28T00:59:59Z | shut",
                "0 2 * * * | 1H | 2027-03-28T01:00:00Z | 2027-03-28T02:00:00Z",
                // Two o'clock comes twice: it opens the first time, and for one hour of real time.
                "0 2 * * * | 1H | 2026-10-25T00:00:00Z | 2026-10-25T01:00:00Z",
                "0 2 * * * | 1H | 2026-10-25T01:00:00Z | shut",
                // Across the change four hours are four hours.
                "0 1 * * * | 4H | 2026-10-25T02:59:59Z | 2026-10-25T03:00:00Z",
                "0 1 * * * | 4H | 2026-10-25T03:00:00Z | shut",
                "0 1 * * * | 4H | 2027-03-28T03:59:59Z | 2027-03-28T04:00:00Z",
            })
    void followsTheClockOnTheWall(String crontab, String duration, Instant now, String until) {
        var open = allow(window(crontab, duration)).openUntil(now);

        assertThat(open.map(Instant::toString).orElse("shut")).isEqualTo(until);
    }

    @Test
    void withoutAnyWindowItIsOpen() {
        assertThat(Windows.ALWAYS.fits(at("2026-11-25T00:00:00Z"), Duration.ofDays(10)))
                .isTrue();
    }

    @Test
    void windowsThatFollowUponOneAnotherAreOne() {
        var windows = allow(window("0 2 * * *", "2H"), window("0 4 * * *", "1H"));

        assertThat(windows.openUntil(at("2026-11-25T01:30:00Z"))).contains(at("2026-11-25T04:00:00Z"));
    }

    @Test
    void deniedWindowShortensAllowedWindow() {
        var windows = new Windows(List.of(window("0 2 * * *", "4H")), List.of(window("0 3 * * *", "1H")));

        assertThat(windows.openUntil(at("2026-11-25T01:00:00Z"))).contains(at("2026-11-25T02:00:00Z"));
        assertThat(windows.openUntil(at("2026-11-25T02:30:00Z"))).isEmpty();
        assertThat(windows.openUntil(at("2026-11-25T03:00:00Z"))).contains(at("2026-11-25T05:00:00Z"));
    }

    @Test
    void tellsTheNextTimeThatIsLongEnough() {
        var windows = new Windows(
                List.of(window("0 2 * * *", "30M"), window("0 2 * * 6", "4H")), List.of(window("30 2 * * 6", "30M")));
        var wednesday = at("2026-11-25T12:00:00Z");

        assertThat(windows.next(wednesday, Duration.ofMinutes(30))).contains(at("2026-11-26T01:00:00Z"));
        assertThat(windows.next(wednesday, Duration.ofMinutes(31))).contains(at("2026-11-28T02:00:00Z"));
        assertThat(windows.next(wednesday, Duration.ofHours(5))).isEmpty();
    }

    @Test
    void deniedOperationNeverStarts() {
        var windows = new Windows(List.of(), List.of(window("0 * * * *", "1H")));

        assertThat(windows.next(at("2026-11-25T12:00:00Z"), Duration.ofMinutes(1)))
                .isEmpty();
    }

    /// Whenever it is said to begin, it fits then, and at no time before.
    @Test
    void findsEarliestTimeThatFits() {
        var random = new Random(8);
        for (int i = 0; i < 200; i++) {
            var windows = new Windows(
                    List.of(some(random), some(random)), random.nextBoolean() ? List.of() : List.of(some(random)));
            var now = at("2026-10-20T00:00:00Z").plusSeconds(random.nextInt(10 * 24 * 3600));
            var needed = Duration.ofMinutes(1 + random.nextInt(120));
            var next = windows.next(now, needed);
            if (next.isPresent()) {
                assertThat(windows.fits(next.get(), needed))
                        .as("%s at %s", windows, next)
                        .isTrue();
                for (var time = now;
                        time.isBefore(next.get()) && time.isBefore(now.plus(Duration.ofDays(2)));
                        time = time.plusSeconds(300)) {
                    assertThat(windows.fits(time, needed))
                            .as("%s at %s", windows, time)
                            .isFalse();
                }
            }
        }
    }

    /// A longer window is open whenever the shorter one is.
    @Test
    void longerWindowIsOpenWheneverShorterIs() {
        var random = new Random(9);
        for (int i = 0; i < 500; i++) {
            var window = some(random);
            var longer = new Window(window.schedule(), window.duration().plusMinutes(random.nextInt(300)), VIENNA);
            var now = at("2027-03-20T00:00:00Z").plusSeconds(random.nextInt(10 * 24 * 3600));
            if (allow(window).openUntil(now).isPresent()) {
                assertThat(allow(longer).openUntil(now))
                        .as("%s at %s", longer, now)
                        .isPresent();
            }
        }
    }

    private static Window some(Random random) {
        return window(
                random.nextInt(60) + " " + random.nextInt(24) + " * * "
                        + (random.nextBoolean() ? "*" : random.nextInt(7)),
                (10 + random.nextInt(300)) + "M");
    }
}
