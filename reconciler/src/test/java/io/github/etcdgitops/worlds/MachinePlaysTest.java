package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.journal.RestartAttempts;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rings whose members' machines are gone, with the volumes that they alone had.
class MachinePlaysTest {
    private static final int HOUR = 3600;

    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 0", "3.5.16, 5, 4", "3.3.25, 3, 1"})
    void replacesMemberWhoseNodeIsGoneForAnHour(String version, int size, int ordinal) {
        var play = gone(version, size, Mode.AUTOMATIC, ordinal);
        var former = play.ring.memberId(ordinal);
        assertThat(kinds(play.plan())).containsExactly("NoteMachine");
        done(play);

        play.world.tick(HOUR - 60);
        assertThat(kinds(play.plan())).isEmpty();
        assertThat(play.once(FaultHook.NONE).outcome()).isNotEqualTo(Outcome.FAILED);
        assertThat(play.ring.memberId(ordinal)).isEqualTo(former);

        play.world.tick(60);
        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        assertThat(codes(play.plan())).contains("machine-gone", "volume-lost");
        done(play);

        assertThat(play.ring.memberId(ordinal)).isNotEqualTo(former);
        assertThat(tries(play).missed()).isEmpty();
        rests(play);
    }

    @Test
    void manualWaitsForApprovalAfterThatTime() {
        var play = overdue("3.5.16", 3, Mode.MANUAL, 1);

        var plan = play.plan();

        assertThat(kinds(plan)).containsExactly("ResetVolume");
        assertThat(plan.operations().getFirst().verdict()).isInstanceOf(Verdict.Hold.class);
    }

    @Test
    void offReportsWithoutCounting() {
        var play = gone("3.5.16", 3, Mode.OFF, 1);
        play.once(FaultHook.NONE);
        play.world.tick(2 * HOUR);

        assertThat(play.plan().operations()).isEmpty();
        assertThat(codes(play.plan())).contains("machine-gone").doesNotContain("volume-lost");
        assertThat(tries(play).missed()).isEmpty();
    }

    /// It was rebooted, or somebody has made its Node anew: the time begins again with the next loss.
    @Test
    void forgetsNodeThatIsBackInTime() {
        var play = gone("3.5.16", 3, Mode.AUTOMATIC, 1);
        var former = play.ring.memberId(1);
        done(play);
        play.world.tick(HOUR - 120);
        play.world.faults(Play.REF).machineBack(1);
        play.world.tick(30);

        assertThat(kinds(play.plan())).containsExactly("NoteMachine");
        done(play);

        assertThat(tries(play).missed()).isEmpty();
        rests(play);
        play.world.faults(Play.REF).loseMachine(1);
        play.world.tick(300);
        done(play);
        play.world.tick(60);
        assertThat(kinds(play.plan())).isEmpty();
        assertThat(play.ring.memberId(1)).isEqualTo(former);
    }

    @Test
    void keepsMemberIfNodeReturnsBeforeRemoval() {
        var play = overdue("3.5.16", 3, Mode.AUTOMATIC, 1);
        var former = play.ring.memberId(1);

        var result = play.once(boundary -> {
            if (boundary.equals("ResetVolume/RemoveFormer/before")) {
                play.world.faults(Play.REF).machineBack(1);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).containsAnyOf("exists, or is not known to be gone", "orders-1 answers");
        assertThat(play.ring.memberId(1)).isEqualTo(former);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void continuesStartedReplacementAfterNodeReturnsIfRequested() {
        var play = overdue("3.5.16", 3, Mode.AUTOMATIC, 1);
        var former = play.ring.memberId(1);
        back(play, "ResetVolume/RemoveFormer/before", true);
        play.world.tick(60);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.memberId(1)).isEqualTo(former);

        var spec = Specs.resetting(Given.spec(Play.REF, 3, "3.5.16"), 1, play.ring.claimUid(1));
        var asked = new Play(play.world, spec);
        rests(asked);

        assertThat(asked.ring.memberId(1)).isNotEqualTo(former);
    }

    @Test
    void givesUpNoVolumeWithoutRightToReadNodes() {
        var play = overdue("3.5.16", 3, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).hideMachines(true);
        play.world.tick(20);

        assertThat(kinds(play.plan())).isEmpty();
        assertThat(codes(play.plan())).contains("machine-unknown");
        assertThat(tries(play).missed()).hasSize(1);
    }

    /// What could be read for the plan cannot be read any more when it is carried out.
    @Test
    void holdsIfNodeIsUnreadableBeforeRemoval() {
        var play = overdue("3.5.16", 3, Mode.AUTOMATIC, 1);

        var result = play.once(boundary -> {
            if (boundary.equals("ResetVolume/RemoveFormer/before")) {
                play.world.faults(Play.REF).hideMachines(true);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.voters()).containsExactly(0, 1, 2);
    }

    @Test
    void recordsNodeOnceAfterKillAtAnyPoint() {
        var boundaries = new LinkedHashSet<String>();
        gone("3.5.16", 3, Mode.AUTOMATIC, 1).once(boundaries::add);
        for (String boundary : boundaries) {
            var play = gone("3.5.16", 3, Mode.AUTOMATIC, 1);
            play.killAt(boundary);
            var first = tries(play).missed();
            play.world.tick(300);

            play.once(FaultHook.NONE);

            assertThat(tries(play).missed()).as(boundary).hasSize(1);
            if (!first.isEmpty()) {
                assertThat(tries(play).missed()).as(boundary).isEqualTo(first);
            }
        }
        assertThat(boundaries).hasSize(2);
    }

    @Test
    void continuesReplacementAfterKillAtAnyPoint() {
        for (String version : List.of("3.3.25", "3.5.16")) {
            var boundaries = new LinkedHashSet<String>();
            overdue(version, 3, Mode.AUTOMATIC, 1).once(boundaries::add);
            for (String boundary : boundaries) {
                var play = overdue(version, 3, Mode.AUTOMATIC, 1);
                play.killAt(boundary);
                play.world.tick(30);

                rests(play);
            }
            assertThat(boundaries).hasSizeGreaterThan(20);
        }
    }

    /// The member on it was replaced, or is about to be: its old data never joins again.
    @Test
    void nodeThatReturnsAfterRemovalBringsNoMemberBack() {
        var boundaries = new LinkedHashSet<String>();
        overdue("3.5.16", 3, Mode.AUTOMATIC, 1).once(boundaries::add);
        var after = List.copyOf(boundaries);
        after = after.subList(after.indexOf("ResetVolume/RemoveFormer/after"), after.size());
        for (boolean killed : List.of(true, false)) {
            for (String boundary : after) {
                var play = overdue("3.5.16", 3, Mode.AUTOMATIC, 1);
                var former = play.ring.memberId(1);
                back(play, boundary, killed);
                play.world.tick(60);

                rests(play);

                assertThat(play.ring.memberId(1)).as(boundary).isNotEqualTo(former);
                assertThat(play.ring.voters()).as(boundary).containsExactly(0, 1, 2);
            }
        }
        assertThat(after).hasSizeGreaterThan(15);
    }

    @Test
    void replacesTwoOfFiveInOneOperation() {
        var play = gone("3.5.16", 5, Mode.AUTOMATIC, 1, 3);
        done(play);
        play.world.tick(HOUR);

        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        done(play);

        rests(play);
    }

    @Test
    void touchesNothingWithoutQuorum() {
        var play = overdue("3.5.16", 3, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).stop(2);
        play.world.tick(20);
        int before = play.world.acts().size();

        play.once(FaultHook.NONE);

        assertThat(play.world.acts().subList(before, play.world.acts().size()))
                .noneMatch(act -> act.contains("remove") || act.contains("delete"));
    }

    /// A machine that is only silent may run its process for as long as it likes.
    @Test
    void neverCountsUnresponsiveNode() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).silence(1);
        world.tick(20);
        var play = new Play(world, Specs.repairing(Given.spec(Play.REF, 3, "3.5.16"), Mode.AUTOMATIC));

        play.once(FaultHook.NONE);
        play.world.tick(24 * HOUR);

        assertThat(kinds(play.plan())).isEmpty();
        assertThat(codes(play.plan())).contains("machine-silent");
        assertThat(tries(play).missed()).isEmpty();
    }

    private static void back(Play play, String at, boolean killed) {
        try {
            play.once(boundary -> {
                if (boundary.equals(at)) {
                    play.world.faults(Play.REF).machineBack(1);
                    if (killed) {
                        throw new Crash(boundary);
                    }
                }
            });
        } catch (Crash _) {
            // Killed.
        }
    }

    private static void done(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.breaches()).isEmpty();
    }

    private static void rests(Play play) {
        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).as(play.toString()).isEmpty();
    }

    private static RestartAttempts tries(Play play) {
        return play.ring.journal().orElseThrow().past().tries();
    }

    private static Play overdue(String version, int size, Mode mode, int ordinal) {
        var play = gone(version, size, mode, ordinal);
        play.world.faults(Play.REF).missedFor(ordinal, Duration.ofHours(1));
        return play;
    }

    private static Play gone(String version, int size, Mode mode, int... ordinals) {
        var world = ring(version, size);
        for (int ordinal : ordinals) {
            world.faults(Play.REF).loseMachine(ordinal);
        }
        world.tick(20);
        return new Play(world, Specs.repairing(Given.spec(Play.REF, size, version), mode));
    }

    private static FakeWorld ring(String version, int size) {
        return Worlds.ring().version(version).members(size).leader(size - 1).build();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
