package io.github.etcdgitops.ring.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.backup.Kept.Candidate;
import io.github.etcdgitops.spec.BackupPolicy.Retention;
import io.github.etcdgitops.state.backup.StoredBackup.Purpose;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KeptTest {
    private static final ZoneId VIENNA = ZoneId.of("Europe/Vienna");
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final int SEEDS = 300;

    private static Candidate backup(String time) {
        return new Candidate(time, Optional.of(Instant.parse(time)), true);
    }

    private static Candidate unverified(String time) {
        return new Candidate(time, Optional.of(Instant.parse(time)), false);
    }

    private static Candidate beforeChange(String time) {
        return new Candidate(time + "-change", Optional.of(Instant.parse(time)), true, Purpose.CHANGE);
    }

    private static List<Candidate> backups(String... times) {
        return List.of(times).stream().map(KeptTest::backup).toList();
    }

    private static OptionalInt number(int n) {
        return n == 0 ? OptionalInt.empty() : OptionalInt.of(n);
    }

    private static Retention rules(int last, int daily, int weekly, int monthly) {
        return new Retention(number(last), Optional.empty(), number(daily), number(weekly), number(monthly), VIENNA);
    }

    private static Retention within(Duration age) {
        return new Retention(number(0), Optional.of(age), number(0), number(0), number(0), VIENNA);
    }

    @Test
    void withoutARuleAllAreKept() {
        var kept = Kept.of(backups("2020-01-01T00:00:00Z", "2026-11-22T00:00:00Z"), rules(0, 0, 0, 0), NOW);

        assertThat(kept.goes()).isEmpty();
        assertThat(kept.reasons()).hasSize(2);
    }

    @Test
    void keepsTheLastByTimeNotByName() {
        var nine = new Candidate("9", Optional.of(Instant.parse("2026-11-20T00:00:00Z")), true);
        var ten = new Candidate("10", Optional.of(Instant.parse("2026-11-21T00:00:00Z")), true);

        var kept = Kept.of(List.of(nine, ten), rules(1, 0, 0, 0), NOW);

        assertThat(kept.goes()).containsExactly("9");
        assertThat(kept.reasons().get("10")).containsExactly("last 1", "the newest verified backup");
    }

    @Test
    void keepsBackupOfAnyRuleWithEveryReason() {
        var kept = Kept.of(
                backups(
                        "2026-11-22T02:00:00Z",
                        "2026-11-21T14:00:00Z",
                        "2026-11-21T02:00:00Z",
                        "2026-11-20T02:00:00Z",
                        "2026-10-31T02:00:00Z",
                        "2026-10-30T02:00:00Z"),
                rules(2, 2, 0, 2),
                NOW);

        assertThat(kept.goes()).containsExactly("2026-10-30T02:00:00Z", "2026-11-20T02:00:00Z", "2026-11-21T02:00:00Z");
        assertThat(kept.reasons().get("2026-11-22T02:00:00Z"))
                .containsExactly("last 2", "daily 2", "monthly 2", "the newest verified backup");
        assertThat(kept.reasons().get("2026-10-31T02:00:00Z")).containsExactly("monthly 2");
    }

    @Test
    void withinKeepsWhatIsYoungerAndExactlyAsOld() {
        var kept = Kept.of(
                backups("2026-11-22T11:00:00Z", "2026-11-20T12:00:00Z", "2026-11-20T11:59:59Z"),
                within(Duration.ofDays(2)),
                NOW);

        assertThat(kept.goes()).containsExactly("2026-11-20T11:59:59Z");
        assertThat(kept.reasons().get("2026-11-20T12:00:00Z")).containsExactly("within 2d");
    }

    @Test
    void daysAreThoseOfTheZone() {
        // 23:30 and 00:30 in Vienna, on one day in UTC.
        var kept = Kept.of(backups("2026-07-01T21:30:00Z", "2026-07-01T22:30:00Z"), rules(0, 5, 0, 0), NOW);
        // On the day that has 25 hours, 00:10 summer time and 23:50 winter time are one day.
        var longDay = Kept.of(backups("2026-10-24T22:10:00Z", "2026-10-25T22:50:00Z"), rules(0, 5, 0, 0), NOW);

        assertThat(kept.goes()).isEmpty();
        assertThat(longDay.goes()).containsExactly("2026-10-24T22:10:00Z");
    }

    @Test
    void treatsWeekAcrossTwoYearsAsOneWeek() {
        // Monday 2024-12-30 to Sunday 2025-01-05; Sunday 2024-12-29 is the week before.
        var kept = Kept.of(
                backups(
                        "2024-12-29T12:00:00Z",
                        "2024-12-30T12:00:00Z",
                        "2024-12-31T12:00:00Z",
                        "2025-01-01T12:00:00Z",
                        "2025-01-05T12:00:00Z",
                        "2025-12-30T12:00:00Z"),
                rules(0, 0, 9, 0),
                NOW);

        assertThat(kept.goes()).containsExactly("2024-12-30T12:00:00Z", "2024-12-31T12:00:00Z", "2025-01-01T12:00:00Z");
    }

    @Test
    void periodWithoutBackupUsesNoRetentionSlot() {
        var kept = Kept.of(
                backups("2026-11-22T02:00:00Z", "2026-03-02T02:00:00Z", "2025-01-01T02:00:00Z"),
                rules(0, 2, 0, 0),
                NOW);

        assertThat(kept.goes()).containsExactly("2025-01-01T02:00:00Z");
    }

    @Test
    void neverDeletesNewestVerifiedBackup() {
        var kept = Kept.of(
                List.of(backup("2026-01-01T00:00:00Z"), unverified("2026-11-21T00:00:00Z")),
                within(Duration.ofDays(1)),
                NOW);

        assertThat(kept.reasons()).containsOnlyKeys("2026-01-01T00:00:00Z");
        assertThat(kept.goes()).containsExactly("2026-11-21T00:00:00Z");
    }

    @Test
    void givesUnverifiedBackupNoRetentionSlot() {
        var kept = Kept.of(
                List.of(
                        unverified("2026-11-22T03:00:00Z"),
                        unverified("2026-11-22T02:00:00Z"),
                        backup("2026-11-21T02:00:00Z"),
                        backup("2026-11-20T02:00:00Z"),
                        backup("2026-11-19T02:00:00Z")),
                rules(2, 0, 0, 0),
                NOW);

        assertThat(kept.goes()).containsExactly("2026-11-19T02:00:00Z");
    }

    @Test
    void keepsBackupsOfUnknownAgeOutsideRetention() {
        var noAge = new Candidate("b", Optional.empty(), true);
        var future = backup("2099-01-01T00:00:00Z");
        var kept = Kept.of(
                List.of(noAge, future, backup("2026-11-22T02:00:00Z"), backup("2026-11-21T02:00:00Z")),
                rules(1, 0, 0, 0),
                NOW);

        assertThat(kept.goes()).containsExactly("2026-11-21T02:00:00Z");
        assertThat(kept.reasons().get("b")).containsExactly("its age is unknown");
        assertThat(kept.reasons().get("2099-01-01T00:00:00Z"))
                .singleElement()
                .asString()
                .contains("in the future");
        assertThat(kept.reasons().get("2026-11-22T02:00:00Z")).contains("the newest verified backup");
    }

    @Test
    void keepsRequestedBackupWithoutCountingIt() {
        var asked = new Candidate("20261122T120000Z-once-before-the-move", Optional.of(NOW), true, Purpose.REQUEST);
        var kept = Kept.of(
                List.of(asked, backup("2026-11-22T02:00:00Z"), backup("2026-11-21T02:00:00Z")), rules(1, 0, 0, 0), NOW);

        assertThat(kept.goes()).containsExactly("2026-11-21T02:00:00Z");
        assertThat(kept.reasons().get(asked.id())).containsExactly("taken on request");
        assertThat(kept.reasons().get("2026-11-22T02:00:00Z")).contains("the newest verified backup");
    }

    @Test
    void thoseBeforeChangesPushNoneOfTheScheduleOutNorTheOtherWayRound() {
        var scheduled = backups("2026-11-20T02:00:00Z", "2026-11-19T02:00:00Z", "2026-11-18T02:00:00Z");
        var before = List.of(
                beforeChange("2026-11-22T03:00:00Z"),
                beforeChange("2026-11-22T02:00:00Z"),
                beforeChange("2026-11-17T01:00:00Z"));
        var both = new ArrayList<>(scheduled);
        both.addAll(before);

        var last = Kept.of(both, rules(2, 0, 0, 0), NOW);
        var daily = Kept.of(both, rules(0, 2, 0, 0), NOW);

        assertThat(last.goes()).containsExactly("2026-11-17T01:00:00Z-change", "2026-11-18T02:00:00Z");
        assertThat(daily.goes()).containsExactly("2026-11-18T02:00:00Z", "2026-11-22T02:00:00Z-change");
    }

    @Test
    void keepsNewestVerifiedBackupEvenIfTakenForChange() {
        var kept = Kept.of(
                List.of(
                        beforeChange("2026-11-20T02:00:00Z"),
                        beforeChange("2026-11-19T02:00:00Z"),
                        backup("2026-11-18T02:00:00Z")),
                within(Duration.ofHours(1)),
                NOW);

        assertThat(kept.reasons()).containsOnlyKeys("2026-11-20T02:00:00Z-change");
        assertThat(kept.goes()).containsExactly("2026-11-18T02:00:00Z", "2026-11-19T02:00:00Z-change");
    }

    @Test
    void emptyStoreIsNoProblem() {
        assertThat(Kept.of(List.of(), rules(1, 1, 1, 1), NOW))
                .isEqualTo(new Kept(new java.util.TreeMap<>(), List.of()));
    }

    /// What must hold for whatever there is.
    @Test
    void holdsForAnyBackupsAndRules() {
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed);
            var backups = random(random);
            var retention = new Retention(
                    number(random.nextInt(4)),
                    random.nextInt(3) == 0 ? Optional.of(Duration.ofHours(random.nextInt(1000))) : Optional.empty(),
                    number(random.nextInt(5)),
                    number(random.nextInt(5)),
                    number(random.nextInt(5)),
                    random.nextBoolean() ? VIENNA : ZoneId.of("Pacific/Kiritimati"));

            var kept = Kept.of(backups, retention, NOW);

            check(seed, backups, retention, kept);
            var shuffled = new ArrayList<>(backups);
            Collections.shuffle(shuffled, random);
            assertThat(Kept.of(shuffled, retention, NOW)).as("seed %d", seed).isEqualTo(kept);
            // What is left stays as it is: deleting is done once.
            var left =
                    backups.stream().filter(b -> !kept.goes().contains(b.id())).toList();
            assertThat(Kept.of(left, retention, NOW).goes()).as("seed %d", seed).isEmpty();
        }
    }

    private static List<Candidate> random(Random random) {
        var backups = new ArrayList<Candidate>();
        int count = random.nextInt(40);
        for (int i = 0; i < count; i++) {
            var taken = NOW.minus(Duration.ofMinutes((long) (Math.pow(random.nextDouble(), 3) * 800_000) - 2_000));
            var age = random.nextInt(12) == 0 ? Optional.<Instant>empty() : Optional.of(taken);
            var purpose = Purpose.values()[random.nextInt(Purpose.values().length)];
            backups.add(new Candidate(random.nextInt(10_000) + "-" + i, age, random.nextInt(3) > 0, purpose));
        }
        return backups;
    }

    private static void check(int seed, List<Candidate> backups, Retention retention, Kept kept) {
        var ids = backups.stream().map(Candidate::id).collect(Collectors.toSet());
        var both = new HashSet<>(kept.goes());
        both.addAll(kept.reasons().keySet());
        assertThat(both).as("seed %d: all are spoken of", seed).isEqualTo(ids);
        assertThat(kept.goes())
                .as("seed %d: none both ways, none twice", seed)
                .noneMatch(kept.reasons()::containsKey)
                .doesNotHaveDuplicates();
        assertThat(kept.reasons().values()).allMatch(why -> !why.isEmpty());
        if (retention.keepsAll()) {
            assertThat(kept.goes()).as("seed %d", seed).isEmpty();
        }
        var real = backups.stream()
                .filter(b -> b.purpose() != Purpose.REQUEST)
                .filter(b -> b.taken().filter(t -> !t.isAfter(NOW)).isPresent())
                .toList();
        backups.stream()
                .filter(b -> b.taken().isEmpty())
                .forEach(b -> assertThat(kept.goes()).as("seed %d", seed).doesNotContain(b.id()));
        for (var goes : kept.goes()) {
            var gone = backups.stream()
                    .filter(b -> b.id().equals(goes))
                    .findFirst()
                    .orElseThrow();
            var newer = real.stream()
                    .filter(b -> b.taken().orElseThrow().isAfter(gone.taken().orElseThrow()))
                    .filter(b -> !gone.verified() || b.verified())
                    .toList();
            assertThat(gone.purpose()).as("seed %d", seed).isNotEqualTo(Purpose.REQUEST);
            assertThat(!gone.verified() || !newer.isEmpty())
                    .as("seed %d: %s is the newest verified one and goes", seed, goes)
                    .isTrue();
            assertThat(newer.stream().filter(b -> b.purpose() == gone.purpose()).count())
                    .as("seed %d: %s goes although there are not enough newer ones", seed, goes)
                    .isGreaterThanOrEqualTo(retention.last().orElse(0));
        }
    }
}
