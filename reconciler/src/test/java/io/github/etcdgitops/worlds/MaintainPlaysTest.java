package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Maintenance;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.spec.time.Crontab;
import io.github.etcdgitops.spec.time.Window;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings whose files have grown large, and rings that are out of space, played from the plan to the end.
class MaintainPlaysTest {
    private static final int MIB = SpaceWorlds.MIB;
    private static final int KEPT = SpaceWorlds.KEPT;

    // --- free space

    @ParameterizedTest
    @CsvSource({"3.4.23, 1", "3.5.16, 1", "3.5.16, 2", "3.5.16, 3", "3.5.16, 5"})
    void defragmentsMembersOneByOneLeaderLast(String version, int size) {
        var play = loose(version, size, 0);
        assertThat(kinds(play.plan())).hasSize(size).containsOnly("MaintainMember");

        done(play);

        var order = new ArrayList<Integer>();
        for (int ordinal = 1; ordinal < size; ordinal++) {
            order.add(ordinal);
        }
        order.add(0);
        assertThat(play.ring.rewritten()).isEqualTo(order);
    }

    @Test
    void defragmentsOnlyFilesWithMuchFreeSpace() {
        var world = ring("3.5.16", 3, 0);
        world.faults(Play.REF).fill(1, 40 * MIB, 0, 80 * MIB);
        world.faults(Play.REF).fill(2, 4 * MIB, 0, 40 * MIB);
        var play = new Play(world, Specs.defragmented(spec("3.5.16", 3)));

        done(play);

        assertThat(play.ring.rewritten()).containsExactly(1);
    }

    @Test
    void withoutAWishForItNothingIsDefragmented() {
        var world = ring("3.5.16", 3, 0);
        world.faults(Play.REF).fill(40 * MIB, 0, 400 * MIB);

        assertThat(new Play(world, spec("3.5.16", 3)).plan().situation()).isEqualTo(Situation.IN_SYNC);
    }

    @Test
    void leavesEtcdAloneThatDoesNotReportFreeSpace() {
        var plan = loose("3.3.25", 3, 0).plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).contains("free-space-unknown");
    }

    @Test
    void waitsUntilNothingElseIsPlanned() {
        var world = ring("3.5.16", 3, 0);
        world.faults(Play.REF).fill(40 * MIB, 0, 80 * MIB);
        var play = new Play(world, Specs.defragmented(spec("3.5.16", 4)));

        assertThat(kinds(play.plan())).containsExactly("ScaleOut");
        assertThat(codes(play.plan())).contains("defragment-waits");
        play.untilQuiet(3);
        assertThat(play.ring.rewritten()).containsExactly(1, 2, 0);
    }

    @Test
    void outsideOfTheWindowsItWaits() {
        assertThat(codes(windowed(Crontab.parse("0 0 29 2 *")).plan())).containsExactly("defragment-waits");
        assertThat(kinds(windowed(Crontab.parse("* * * * *")).plan())).hasSize(3);
    }

    private static Play windowed(Crontab schedule) {
        var wanted = new Maintenance(
                Optional.of(new Maintenance.Defragment(50, MIB)),
                List.of(new Window(schedule, Duration.ofMinutes(5), ZoneOffset.UTC)),
                Mode.MANUAL,
                KEPT);
        var world = ring("3.5.16", 3, 0);
        world.faults(Play.REF).fill(40 * MIB, 0, 80 * MIB);
        return new Play(world, Specs.maintained(spec("3.5.16", 3), wanted));
    }

    @Test
    void defragmentsNoMemberWhileAnotherIsAway() {
        var play = loose("3.5.16", 3, 0);
        var run = play.run();
        var plan = run.plan();

        var result = run.execute(
                plan,
                boundary -> {
                    if (boundary.equals("MaintainMember/Defragment/before")) {
                        play.world.faults(Play.REF).stop(2);
                    }
                },
                _ -> true);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.rewritten()).isEmpty();
        assertThat(play.breaches()).isEmpty();
        play.mend();
        assertThat(play.notAtRest(play.untilQuiet(3))).as(play.toString()).isEmpty();
    }

    /// The call ends long before, and the Lease is kept meanwhile.
    @Test
    void waitsLongerForLargeFile() {
        var play = loose("3.5.16", 3, 0);
        play.world.faults(Play.REF).defragmentsSlowly(100);

        done(play);

        assertThat(play.ring.rewritten()).containsExactly(1, 2, 0);
    }

    @Test
    void fileThatDoesNotShrinkEndsChain() {
        var play = loose("3.5.16", 3, 0);
        play.world.faults(Play.REF).cannotDefragment(1);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("the file of orders-1 is as large as before");
        assertThat(play.ring.rewritten()).containsExactly(1);
    }

    @Test
    void plansSameOperationAgainWhenSpaceIsFreeAgain() {
        var play = loose("3.5.16", 3, 0);
        var first = play.plan().operations().stream()
                .map(o -> o.operation().id())
                .sorted()
                .toList();
        done(play);

        play.world.faults(Play.REF).fill(40 * MIB, 0, 80 * MIB);

        assertThat(play.plan().operations().stream()
                        .map(o -> o.operation().id())
                        .sorted()
                        .toList())
                .isEqualTo(first);
        done(play);
    }

    @Test
    void continuesChainAfterKillAtAnyPoint() {
        killedAnywhere(() -> loose("3.5.16", 3, 2), 24);
    }

    // --- out of space

    @ParameterizedTest
    @CsvSource({"3.3.25, 3", "3.4.23, 3", "3.5.16, 1", "3.5.16, 2", "3.5.16, 3", "3.5.16, 5"})
    void makesFullRingWritableAgain(String version, int size) {
        var play = full(version, size, Mode.AUTOMATIC);
        approveAll(play, version);

        done(play);

        assertThat(play.ring.alarms()).isEmpty();
        assertThat(play.ring.rewritten()).hasSize(size).endsWith(size - 1);
        assertThat(play.ring.keys()).contains("a", "b", "c", "d", "e");
    }

    /// Only where it is not known what is in use, each try writes the files anew.
    private static void approveAll(Play play, String version) {
        boolean tells = !version.startsWith("3.3");
        assertThat(play.plan().operations().getFirst().verdict().lets()).isEqualTo(tells);
        if (!tells) {
            var id = play.plan().operations().getFirst().operation().id();
            var approval = new Approval(
                    "ok",
                    Play.REF,
                    Set.of(id),
                    "kim",
                    play.world.instant().plus(Duration.ofDays(1)),
                    Location.ofFile("approvals/ok.yaml"));
            play.policies = new PolicyEngine(Fleet.DEFAULT, List.of(approval));
        }
    }

    @Test
    void waitsForApprovalUnlessAutomatic() {
        var planned = full("3.5.16", 3, Mode.MANUAL).plan().operations().getFirst();

        assertThat(planned.operation().kind()).isEqualTo("FreeSpace");
        assertThat(planned.verdict()).isInstanceOf(Verdict.Hold.class);
    }

    @Test
    void offOnlyReports() {
        var plan = full("3.5.16", 3, Mode.OFF).plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(message(plan, "no-space")).contains("/spec/repair/space").contains("of a quota of 2048.0 MiB");
    }

    @Test
    void freesSpaceBeforeAllOtherChanges() {
        var world = fullWorld("3.5.16", 3);
        var play = new Play(world, Specs.freeing(spec("3.5.30", 5), Mode.AUTOMATIC, KEPT));

        assertThat(kinds(play.plan())).containsExactly("FreeSpace");
        assertThat(play.plan().waiting()).isNotEmpty();
        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
    }

    @Test
    void keepsDataOfUsersAndAlarm() {
        var world = ring("3.5.16", 3, 2);
        world.faults(Play.REF).fill(1900 * MIB, 0, 150 * MIB);
        world.faults(Play.REF).alarm(Alarm.Kind.NOSPACE, 1);
        var play = new Play(world, Specs.freeing(spec("3.5.16", 3), Mode.AUTOMATIC, KEPT));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("1900.0 MiB in use").contains("/spec/etcd/quotaBackendBytes");
        assertThat(play.ring.alarms()).hasSize(1);
        assertThat(message(play.plan(), "no-space")).contains("raise /spec/etcd/quotaBackendBytes");
        assertThat(play.ring.rewritten()).as("one shows it for all").containsExactly(0);
        assertThat(play.ring.minAvailable()).contains(2);
        assertThat(play.breaches()).isEmpty();
    }

    /// Seen on 3.4.23 and 3.5.30: a file that seems to be full of data is not.
    @Test
    void ignoresUsedSizeRightAfterCompaction() {
        var world = fullWorld("3.5.16", 3);
        world.faults(Play.REF).fill(200 * MIB, 1800 * MIB, 0);
        var play = new Play(world, Specs.freeing(spec("3.5.16", 3), Mode.AUTOMATIC, KEPT));

        done(play);

        assertThat(play.ring.rewritten()).containsExactly(0, 1, 2);
        assertThat(play.ring.alarms()).isEmpty();
    }

    /// What has been deleted since makes the room, and no member is restarted.
    @Test
    void clearsAlarmIfRoomWasMadeByHand() {
        var world = ring("3.5.16", 3, 2);
        world.faults(Play.REF).fill(MIB, 0, 0);
        world.faults(Play.REF).alarm(Alarm.Kind.NOSPACE, 1);
        var play = new Play(world, Specs.freeing(spec("3.5.16", 3), Mode.AUTOMATIC, KEPT));

        done(play);

        assertThat(play.ring.rewritten()).isEmpty();
        assertThat(play.ring.alarms()).isEmpty();
    }

    @Test
    void rollsLargerQuotaWhileOutOfSpace() {
        var world = ring("3.5.16", 3, 2);
        world.faults(Play.REF).fill(1900 * MIB, 0, 150 * MIB);
        world.faults(Play.REF).alarm(Alarm.Kind.NOSPACE, 1);
        var larger = Specs.withOption(spec("3.5.16", 3), Space.OPTION, 4L << 30);
        var play = new Play(world, Specs.freeing(larger, Mode.AUTOMATIC, KEPT));

        assertThat(kinds(play.plan())).containsExactly("RollMembers");
        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
        assertThat(play.ring.alarms()).isEmpty();
    }

    /// A larger quota may need larger volumes first; all of it in one commit and while nobody can write.
    @Test
    void growsVolumesThenQuotaOfFullRing() {
        var play = cramped(Specs.withOption(spec("3.5.16", 3), Space.OPTION, 4L << 30));

        assertThat(kinds(play.plan())).containsExactly("GrowStorage", "RollMembers");
        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
        assertThat(play.ring.alarms()).isEmpty();
        assertThat(play.ring.capacities()).hasSize(3).allMatch("8Gi"::equals);
    }

    @Test
    void takesBackupBeforeItWhileOutOfSpace() {
        var play = cramped(Specs.withOption(spec("3.5.16", 3), Space.OPTION, 4L << 30));
        play.vault.keep(Duration.ofDays(1), 3);

        assertThat(kinds(play.plan())).containsExactly("TakeBackup", "GrowStorage", "RollMembers");
        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
    }

    @Test
    void volumesDoNotGrowWhereSomethingElseIsWrongAsWell() {
        var play = cramped(Specs.withOption(spec("3.5.16", 3), Space.OPTION, 4L << 30));
        play.world.faults(Play.REF).stop(2);
        play.world.tick(20);

        assertThat(play.plan().operations()).isEmpty();
        assertThat(play.plan().waiting()).isNotEmpty();
    }

    @Test
    void volumesThatGrewAndASpaceThatRanOutMeanwhileEndTheSameWay() {
        killedAnywhere(() -> cramped(Specs.withOption(spec("3.5.16", 3), Space.OPTION, 4L << 30)), 30);
    }

    /// Full of what users have written, on volumes that are too small for a larger quota.
    private static Play cramped(EtcdClusterSpec spec) {
        var world = ring("3.5.16", 3, 2);
        world.faults(Play.REF).fill(1900 * MIB, 0, 150 * MIB);
        world.faults(Play.REF).alarm(Alarm.Kind.NOSPACE, 1);
        return new Play(world, Specs.freeing(Specs.withStorage(spec, "8Gi"), Mode.AUTOMATIC, KEPT));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void maintainsNothingWhileMemberIsAway(int away) {
        var world = fullWorld("3.5.16", 3);
        world.faults(Play.REF).stop(away);
        world.tick(20);
        var play = new Play(world, Specs.freeing(spec("3.5.16", 3), Mode.AUTOMATIC, KEPT));

        assertThat(play.plan().operations()).isEmpty();
        assertThat(message(play.plan(), "no-space")).contains("Space is freed after this");
        play.mend();
        assertThat(play.notAtRest(play.untilQuiet(2))).as(play.toString()).isEmpty();
    }

    /// Five bear one member that is away, and one that writes its file anew.
    @ParameterizedTest
    @CsvSource({"3.4.23, 0", "3.5.16, 0", "3.5.16, 3", "3.5.16, 4"})
    void ofFiveOneMayBeAwayMeanwhile(String version, int away) {
        var play = fullOfFive(version, away);
        var alive = play.ring.podUids();

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.ring.alarms()).isEmpty();
        assertThat(play.ring.rewritten()).hasSize(4).doesNotContain(away);
        assertThat(play.ring.podUids()).isEqualTo(alive);
        assertThat(play.breaches()).isEmpty();
        play.mend();
        assertThat(play.notAtRest(play.untilQuiet(2))).as(play.toString()).isEmpty();
    }

    @Test
    void ofFiveTwoMayNot() {
        var play = fullOfFive("3.5.16", 1);
        play.world.faults(Play.REF).stop(2);
        play.world.tick(20);

        assertThat(play.plan().operations()).isEmpty();
        assertThat(message(play.plan(), "no-space")).contains("Space is freed after this");
    }

    /// Nobody writes its file anew once a second one is away.
    @Test
    void memberThatFailsMeanwhileHoldsIt() {
        var play = fullOfFive("3.5.16", 1);

        var result = play.once(reached -> {
            if (reached.equals("FreeSpace/CompactHistory/after")) {
                play.world.faults(Play.REF).stop(2);
                play.world.tick(20);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.rewritten()).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    private static Play fullOfFive(String version, int away) {
        var world = fullWorld(version, 5);
        world.faults(Play.REF).stop(away);
        world.tick(20);
        return new Play(world, Specs.freeing(spec(version, 5), Mode.AUTOMATIC, KEPT));
    }

    @Test
    void onlyReportsCorruptData() {
        var world = fullWorld("3.5.16", 3);
        world.faults(Play.REF).alarm(Alarm.Kind.CORRUPT, 2);
        var play = new Play(world, Specs.freeing(spec("3.5.16", 3), Mode.AUTOMATIC, KEPT));

        assertThat(play.plan().operations()).isEmpty();
        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        assertThat(codes(play.plan())).contains("corrupt");
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        killedAnywhere(() -> full("3.5.16", 3, Mode.AUTOMATIC), 22);
        killedAnywhere(() -> full("3.4.23", 1, Mode.AUTOMATIC), 12);
    }

    // --- what they have in common

    private interface Beginning {
        Play play();
    }

    private static void killedAnywhere(Beginning beginning, int atLeast) {
        var boundaries = new ArrayList<String>();
        beginning.play().once(boundaries::add);
        for (int at = 0; at < boundaries.size(); at++) {
            var play = beginning.play();
            killAt(play, at);
            play.world.tick(30);

            String where = boundaries.get(at);
            assertThat(play.notAtRest(play.untilQuiet(4)))
                    .as("%s %s", where, play)
                    .isEmpty();
            assertThat(play.breaches()).as("%s %s", where, play).isEmpty();
            assertThat(play.ring.alarms()).as(where).isEmpty();
        }
        assertThat(boundaries).hasSizeGreaterThanOrEqualTo(atLeast);
    }

    private static void killAt(Play play, int boundary) {
        var left = new AtomicInteger(boundary);
        try {
            play.once(reached -> {
                if (left.getAndDecrement() == 0) {
                    throw new Crash(reached);
                }
            });
        } catch (Crash _) {
            // Killed.
        }
    }

    private static void done(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.notAtRest(play.plan())).as(play.toString()).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    private static Play loose(String version, int size, int leader) {
        var world = ring(version, size, leader);
        world.faults(Play.REF).fill(40 * MIB, 0, 80 * MIB);
        return new Play(world, Specs.defragmented(spec(version, size)));
    }

    private static Play full(String version, int size, Mode mode) {
        return new Play(fullWorld(version, size), Specs.freeing(spec(version, size), mode, KEPT));
    }

    private static FakeWorld fullWorld(String version, int size) {
        var world = ring(version, size, size - 1);
        List.of("a", "b", "c", "d", "e").forEach(key -> world.faults(Play.REF).put(key));
        world.faults(Play.REF).fill(200 * MIB, 1500 * MIB, 348 * MIB);
        world.faults(Play.REF).alarm(Alarm.Kind.NOSPACE, 0);
        return world;
    }

    private static FakeWorld ring(String version, int size, int leader) {
        return SpaceWorlds.ring(version, size, leader);
    }

    private static EtcdClusterSpec spec(String version, int size) {
        return Given.spec(Play.REF, size, version);
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }

    private static String message(ClusterPlan plan, String code) {
        return plan.findings().stream()
                .filter(f -> f.code().equals(code))
                .map(Finding::message)
                .findFirst()
                .orElseThrow();
    }
}
