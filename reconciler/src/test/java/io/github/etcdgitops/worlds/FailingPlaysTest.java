package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.member.Alarm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Members whose containers end again and again, played over hours.
class FailingPlaysTest {
    private static final int MINUTE = 60;

    private record Done(long at, String kind) {}

    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 1", "3.5.16, 5, 4", "3.3.25, 3, 2"})
    void getsThreePodsWithMoreAndMoreTimeInBetweenAndIsReplacedThen(String version, int size, int ordinal) {
        var play = failing(version, size, Mode.AUTOMATIC, ordinal);
        var former = play.ring.memberId(ordinal);

        var done = over(play, Duration.ofMinutes(80));

        assertThat(done.stream().map(Done::kind))
                .containsExactly("RestartMember", "RestartMember", "RestartMember", "ReplaceMember");
        assertThat(done.get(1).at - done.get(0).at).isBetween(5L * MINUTE, 7L * MINUTE);
        assertThat(done.get(2).at - done.get(1).at).isBetween(15L * MINUTE, 17L * MINUTE);
        assertThat(done.get(3).at - done.get(2).at).isBetween(45L * MINUTE, 47L * MINUTE);
        assertThat(play.ring.memberId(ordinal)).isNotEqualTo(former);
        rests(play);
        assertThat(tries(play).members()).isEmpty();
        assertThat(tries(play).replaced()).isPresent();
    }

    /// Its data was well, and it was the machine.
    @Test
    void leavesStartedMemberAlone() {
        var play = failing("3.5.16", 3, Mode.AUTOMATIC, 1);
        var former = play.ring.memberId(1);
        play.once(FaultHook.NONE);
        play.world.faults(Play.REF).unspoil(1);

        assertThat(over(play, Duration.ofMinutes(80))).isEmpty();

        assertThat(play.ring.memberId(1)).isEqualTo(former);
        rests(play);
    }

    /// Between the plan and its first step.
    @Test
    void keepsMemberThatStartsAtTheLastMoment() {
        for (var play : List.of(failing("3.5.16", 3, Mode.AUTOMATIC, 1), spent("3.5.16"))) {
            var former = play.ring.memberId(1);
            long deleted = acts(play, act -> act.equals("delete pod 1"));
            var first = new AtomicBoolean(true);

            play.once(_ -> {
                if (first.getAndSet(false)) {
                    play.world.faults(Play.REF).unspoil(1);
                    play.world.tick(20);
                }
            });

            assertThat(play.ring.memberId(1)).isEqualTo(former);
            assertThat(acts(play, act -> act.equals("delete pod 1"))).isEqualTo(deleted);
            rests(play);
        }
    }

    @Test
    void plansAreNotCountedAsAttempts() {
        var play = failing("3.5.16", 3, Mode.AUTOMATIC, 1);
        play.once(FaultHook.NONE);
        play.world.tick(MINUTE);
        var before = tries(play);

        for (int look = 0; look < 5; look++) {
            assertThat(play.plan().operations()).isEmpty();
            play.once(FaultHook.NONE);
        }

        assertThat(tries(play)).isEqualTo(before);
        assertThat(before.members().get(1).count()).isEqualTo(1);
    }

    @Test
    void killedRunCountsOnceAndDeletesOnePod() {
        var boundaries = new LinkedHashSet<String>();
        failing("3.5.16", 3, Mode.AUTOMATIC, 1).once(boundaries::add);
        for (String boundary : boundaries) {
            var play = failing("3.5.16", 3, Mode.AUTOMATIC, 1);
            play.killAt(boundary);
            play.world.tick(5);

            play.once(FaultHook.NONE);
            play.world.tick(MINUTE);
            play.once(FaultHook.NONE);

            assertThat(tries(play).members().get(1).count()).as(boundary).isEqualTo(1);
            assertThat(acts(play, act -> act.equals("delete pod 1")))
                    .as(boundary)
                    .isEqualTo(1);
            assertThat(play.breaches()).as(boundary).isEmpty();
        }
        assertThat(boundaries).hasSize(4);
    }

    /// Of the replacement that comes after three pods.
    @Test
    void continuesReplacementAfterKillAtAnyPoint() {
        var boundaries = new LinkedHashSet<String>();
        spent("3.5.16").once(boundaries::add);
        for (String boundary : boundaries) {
            var play = spent("3.5.16");
            play.killAt(boundary);
            play.world.tick(30);

            rests(play);
        }
        assertThat(boundaries).hasSizeGreaterThan(24);
    }

    @Test
    void manualReplacesAfterApproval() {
        var play = failing("3.5.16", 3, Mode.MANUAL, 1);

        assertThat(over(play, Duration.ofMinutes(80))).isEmpty();

        var plan = play.plan();
        assertThat(kinds(plan)).containsExactly("ReplaceMember");
        assertThat(codes(plan)).contains("member-failing");
        assertThat(acts(play, act -> act.contains("delete") || act.contains("remove")))
                .isZero();
    }

    @Test
    void offOnlyReports() {
        var play = failing("3.5.16", 3, Mode.OFF, 1);

        assertThat(over(play, Duration.ofMinutes(80))).isEmpty();

        assertThat(play.plan().operations()).isEmpty();
        assertThat(play.plan().situation()).isEqualTo(ClusterPlan.Situation.HELD);
        assertThat(play.plan().findings())
                .anyMatch(f -> f.code().equals("member-failing") && f.level() == Finding.Level.ERROR);
    }

    /// With two of three away there is nobody who could agree to anything.
    @Test
    void ofThreeNothingIsDoneWhileAnotherIsAway() {
        var play = failing("3.5.16", 3, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).stop(2);
        play.world.tick(20);

        assertThat(over(play, Duration.ofMinutes(80))).isEmpty();

        assertThat(acts(play, act -> act.contains("delete") || act.contains("remove")))
                .isZero();
        assertThat(codes(play.plan())).contains("quorum-lost");
    }

    @Test
    void ofFiveItGoesOnWhereQuorumHolds() {
        var play = failing("3.5.16", 5, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).stop(3);
        play.world.tick(20);

        over(play, Duration.ofMinutes(80));

        assertThat(play.ring.voters()).containsExactly(0, 2, 3, 4);
        assertThat(play.once(FaultHook.NONE).detail()).contains("etcd adds no member while orders-3 does not answer");
        play.mend();
        rests(play);
    }

    /// It is we who do not reach it, or its machine that is gone: its container has not ended.
    @Test
    void doesNotCountUnreachableMemberAsFailing() {
        for (boolean ours : List.of(true, false)) {
            var world = Worlds.ring().version("3.5.16").members(3).leader(2).build();
            if (ours) {
                world.faults(Play.REF).hideFromUs(1);
            } else {
                world.faults(Play.REF).stop(1);
            }
            world.tick(20);
            var play = new Play(world, Specs.mendingMembers(Given.spec(Play.REF, 3, "3.5.16"), Mode.AUTOMATIC));

            assertThat(over(play, Duration.ofMinutes(80))).isEmpty();
            assertThat(codes(play.plan())).doesNotContain("member-failing");
            assertThat(play.ring.voters()).hasSize(3);
        }
    }

    /// Whoever has got another member lately waits for somebody who looks, or for a day.
    @Test
    void replacesOneMemberADayWithoutApproval() {
        var play = spent("3.5.16");
        over(play, Duration.ofMinutes(1));
        rests(play);
        var third = play.ring.memberId(2);
        play.world.faults(Play.REF).spoil(2);
        play.world.tick(20);

        var done = over(play, Duration.ofMinutes(90));

        assertThat(done.stream().map(Done::kind)).containsOnly("RestartMember").hasSize(3);
        assertThat(kinds(play.plan())).containsExactly("ReplaceMember");
        assertThat(codes(play.plan())).contains("replaced-lately");
        assertThat(play.ring.memberId(2)).isEqualTo(third);
        play.world.tick(24 * 60 * MINUTE);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(play.ring.memberId(2)).isNotEqualTo(third);
        rests(play);
    }

    /// The limit is one for whatever is replaced unasked.
    @Test
    void lostVolumeCountsForTheDailyLimit() {
        var world = Worlds.ring().version("3.5.16").members(3).leader(2).build();
        var play = new Play(world, Specs.repairing(Given.spec(Play.REF, 3, "3.5.16"), Mode.AUTOMATIC));
        play.world.faults(Play.REF).loseVolume(0);
        play.world.tick(20);
        rests(play);
        play.world.faults(Play.REF).loseVolume(1);
        play.world.tick(20);

        assertThat(over(play, Duration.ofMinutes(10))).isEmpty();
        assertThat(codes(play.plan())).contains("replaced-lately");
        play.world.tick(24 * 60 * MINUTE);
        rests(play);
    }

    /// Room is made first, which may be all that the member lacks, where the ring bears that without it.
    @Test
    void freesSpaceBeforeReplacement() {
        var play = failing("3.5.16", 5, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).alarm(Alarm.Kind.NOSPACE, 0);

        assertThat(kinds(play.plan())).containsExactly("FreeSpace");
    }

    /// Of three none of the two that are left may be away for that.
    @Test
    void replacesMemberFirstIfRingToleratesNoFailure() {
        var play = failing("3.5.16", 3, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).alarm(Alarm.Kind.NOSPACE, 0);

        assertThat(kinds(play.plan())).containsExactly("RestartMember");
    }

    /// etcd raises the alarm when the replacement has begun, and before the member is removed.
    @Test
    void replacesFailingMemberThatTurnsOutToHaveWrongData() {
        var play = spent("3.5.16");

        var result = play.once(boundary -> {
            if (boundary.equals("ReplaceMember/RemoveFormer/before")) {
                play.world.faults(Play.REF).diverge(1);
            }
        });

        assertThat(result.outcome()).isNotEqualTo(Outcome.DONE);
        rests(play);
    }

    // --- what they have in common

    /// What was carried out in so much time, with a run a minute.
    private static List<Done> over(Play play, Duration time) {
        var done = new ArrayList<Done>();
        long end = play.world.ticks() + time.toSeconds();
        while (play.world.ticks() < end) {
            var planned = kinds(play.plan());
            long at = play.world.ticks();
            if (play.once(FaultHook.NONE).outcome() == Outcome.DONE) {
                planned.forEach(kind -> done.add(new Done(at, kind)));
            }
            play.world.tick(MINUTE);
        }
        return done;
    }

    private static void rests(Play play) {
        play.world.tick(30);
        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).as(play.toString()).isEmpty();
    }

    /// Three pods were of no help, and the time after the last one is over.
    private static Play spent(String version) {
        var play = failing(version, 3, Mode.AUTOMATIC, 1);
        over(play, Duration.ofMinutes(25));
        play.world.tick(45 * MINUTE);
        assertThat(kinds(play.plan())).containsExactly("ReplaceMember");
        return play;
    }

    private static RestartAttempts tries(Play play) {
        return play.ring.journal().orElseThrow().past().tries();
    }

    private static long acts(Play play, Predicate<String> which) {
        return play.world.acts().stream().filter(which).count();
    }

    private static Play failing(String version, int size, Mode mode, int ordinal) {
        var world = world(version, size);
        world.faults(Play.REF).spoil(ordinal);
        world.tick(20);
        return new Play(world, Specs.mendingMembers(Given.spec(Play.REF, size, version), mode));
    }

    private static FakeWorld world(String version, int size) {
        return Worlds.ring().version(version).members(size).leader(size - 1).build();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
