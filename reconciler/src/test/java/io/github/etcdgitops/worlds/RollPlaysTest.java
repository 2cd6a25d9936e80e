package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.roll.RollMembers;
import io.github.etcdgitops.ring.roll.UpgradeVersion;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.RingState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Rings whose members are restarted, played from the plan to the end.
class RollPlaysTest {
    @Test
    void upgradesThroughEveryVersionInOneRun() {
        for (int size : List.of(1, 3, 5)) {
            var play =
                    new Play(ring("3.3.25", size), Specs.via(Given.spec(Play.REF, size, "3.5.30"), "3.4.23", "3.5.16"));
            assertThat(kinds(play.plan()))
                    .containsExactly("UpgradeVersion 3.4.23", "UpgradeVersion 3.5.16", "UpgradeVersion 3.5.30");

            var result = play.once(FaultHook.NONE);

            assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
            assertThat(play.notAtRest(play.plan())).isEmpty();
            assertThat(play.ring.versions()).hasSize(size).allMatch("3.5.30"::equals);
            assertThat(play.breaches()).isEmpty();
        }
    }

    @Test
    void rollsTemplateAndOptionsTogether() {
        var spec = Specs.withResources(Specs.withOption(Given.spec(Play.REF, 3, "3.5.16"), "snapshotCount", 5000L));
        var play = new Play(ring("3.5.16", 3), spec);
        assertThat(kinds(play.plan())).containsExactly("RollMembers 3.5.16");

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.notAtRest(play.plan())).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void plansEverythingInOneChain() {
        var spec = Specs.withResources(Given.spec(Play.REF, 5, "3.5.30"));
        var play = new Play(ring("3.5.16", 3), spec);
        assertThat(kinds(play.plan()))
                .containsExactly("RollMembers 3.5.16", "ScaleOut", "ScaleOut", "UpgradeVersion 3.5.30");

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.notAtRest(play.plan())).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void upgradesRingWithoutLearnersBeforeItGrows() {
        var play = new Play(ring("3.3.25", 1), Given.spec(Play.REF, 3, "3.4.23"));
        assertThat(kinds(play.plan())).containsExactly("UpgradeVersion 3.4.23", "ScaleOut", "ScaleOut");

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.notAtRest(play.plan())).isEmpty();
    }

    @Test
    void unpullableImageStopsAfterOneMemberAndIsTakenBack() {
        for (int size : List.of(1, 2, 3, 5)) {
            var play = new Play(ring("3.5.16", size), Given.spec(Play.REF, size, "3.5.30"));
            play.world.faults(Play.REF).unpullable("3.5.30", true);

            var first = play.once(FaultHook.NONE);
            assertThat(first.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(first.detail()).contains("ImagePullBackOff");
            assertThat(play.ring.versions()).hasSize(size - 1).allMatch("3.5.16"::equals);

            assertThat(kinds(play.plan())).containsExactly("BackOutRoll");
            var second = play.once(FaultHook.NONE);
            assertThat(second.outcome()).as(second.detail()).isEqualTo(Outcome.DONE);

            var held = play.plan();
            assertThat(held.situation()).isEqualTo(Situation.HELD);
            assertThat(held.findings()).extracting(Finding::code).containsExactly("taken-back");
            assertThat(play.ring.versions()).hasSize(size).allMatch("3.5.16"::equals);
            assertThat(play.breaches()).isEmpty();
        }
    }

    /// Nothing else depends on the cluster version, and patch releases do not change it.
    @Test
    void readsClusterVersionOnlyDuringMinorUpgrade() {
        var upgrade = new Play(halfRolled("3.4.23", "3.5.16", 3, 2), Given.spec(Play.REF, 3, "3.5.16"));
        assertThat(clusterVersion(upgrade))
                .hasValueSatisfying(v -> assertThat(v).hasToString("3.4.0"));

        upgrade.once(FaultHook.NONE);
        assertThat(upgrade.ring.versions()).allMatch("3.5.16"::equals);
        assertThat(clusterVersion(upgrade)).isEmpty();

        assertThat(clusterVersion(new Play(halfRolled(3, 2), Given.spec(Play.REF, 3, "3.5.30"))))
                .isEmpty();
    }

    private static Optional<EtcdVersion> clusterVersion(Play play) {
        return play.run().fresh().ring().optional().flatMap(RingState::version);
    }

    /// The ring may be of the new version already: the last member comes up with it, or waits for
    /// somebody to mend it.
    @Test
    void neverGoesBackOnceLastMemberRestarts() {
        var world = halfRolled("3.4.23", "3.5.16", 3, 3);
        world.faults(Play.REF).unpullable("3.5.16", true);
        world.faults(Play.REF).deletePod(0);
        world.tick(30);
        var play = new Play(world, Given.spec(Play.REF, 3, "3.4.23"));

        assertThat(kinds(play.plan())).containsExactly("UpgradeVersion 3.5.16");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.FAILED);

        world.faults(Play.REF).unpullable("3.5.16", false);
        world.tick(30);
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        assertThat(play.ring.versions()).hasSize(3).allMatch("3.5.16"::equals);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void retriesWhenSpecSaysSo() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).unpullable("3.5.30", true);
        var spec = Given.spec(Play.REF, 3, "3.5.30");
        var play = new Play(world, spec);
        play.once(FaultHook.NONE);
        play.once(FaultHook.NONE);
        world.faults(Play.REF).unpullable("3.5.30", false);

        var again = new Play(
                world, Specs.rollout(spec, new EtcdClusterSpec.Rollout(List.of(), Duration.ZERO, 1, Releases.KNOWN)));
        var result = again.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(again.notAtRest(again.plan())).isEmpty();
    }

    /// Whoever was killed while taking it back: it is still known why, and not begun again.
    @Test
    void keepsReasonOfRollbackAcrossRuns() {
        for (int cut = 1; cut < 30; cut++) {
            var world = ring("3.5.16", 3);
            world.faults(Play.REF).unpullable("3.5.30", true);
            var play = new Play(world, Given.spec(Play.REF, 3, "3.5.30"));
            play.once(FaultHook.NONE);
            var reached = new int[1];
            int last = cut;
            try {
                play.once(boundary -> {
                    if (++reached[0] == last) {
                        throw new Crash(boundary);
                    }
                });
            } catch (Crash _) {
                // Killed.
            }
            world.tick(30);

            var held = play.untilQuiet(3);

            assertThat(held.findings())
                    .as("cut at " + cut)
                    .extracting(Finding::code)
                    .contains("taken-back");
            assertThat(play.ring.versions()).hasSize(3).allMatch("3.5.16"::equals);
            assertThat(play.breaches()).isEmpty();
        }
    }

    /// The image appears while it is taken back: then every member has the new template, and there is
    /// no way back.
    @Test
    void soleMemberThatStartsDuringRollbackStays() {
        var world = ring("3.5.16", 1);
        world.faults(Play.REF).unpullable("3.5.30", true);
        var play = new Play(world, Given.spec(Play.REF, 1, "3.5.30"));
        play.once(FaultHook.NONE);
        try {
            play.once(boundary -> {
                if (boundary.equals("BackOutRoll/BeginUnroll/after")) {
                    throw new Crash(boundary);
                }
            });
        } catch (Crash _) {
            // Killed.
        }
        world.faults(Play.REF).unpullable("3.5.30", false);
        world.tick(30);

        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
        assertThat(play.ring.versions()).containsExactly("3.5.30");
    }

    @Test
    void continuesIfMemberStartsAfterAll() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).unpullable("3.5.30", true);
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.30"));
        play.once(FaultHook.NONE);
        world.faults(Play.REF).unpullable("3.5.30", false);
        world.tick(30);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.notAtRest(play.plan())).isEmpty();
    }

    /// Whoever merges something else in the midst of it gets the members back that were restarted.
    @Test
    void revertsUnwantedRolloutMemberByMember() {
        for (int stopped = 1; stopped <= 4; stopped++) {
            var world = halfRolled(5, stopped);
            var play = new Play(world, Given.spec(Play.REF, 5, "3.5.16"));
            assertThat(kinds(play.plan())).containsExactly("BackOutRoll");
            var rest = play.untilQuiet(3);

            assertThat(play.notAtRest(rest)).as(stopped + " " + play).isEmpty();
            assertThat(play.ring.versions()).hasSize(5).allMatch("3.5.16"::equals);
            assertThat(play.breaches()).isEmpty();
        }
    }

    @Test
    void revertsUnwantedImage() {
        var world = ring("3.5.16", 5);
        crashAfterRestarts(new Play(world, Specs.withImage(Given.spec(Play.REF, 5, "3.5.16"))), "RollMembers", 2);
        world.tick(60);
        var play = new Play(world, Given.spec(Play.REF, 5, "3.5.16"));

        assertThat(kinds(play.plan())).containsExactly("BackOutRoll");
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
    }

    @Test
    void retriesRollbackWithAnotherTemplate() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).unpullable("3.5.30", true);
        var first = new Play(world, Given.spec(Play.REF, 3, "3.5.30"));
        first.once(FaultHook.NONE);
        first.once(FaultHook.NONE);

        var play = new Play(world, Specs.withResources(Given.spec(Play.REF, 3, "3.5.30")));
        assertThat(kinds(play.plan())).containsExactly("RollMembers 3.5.16", "UpgradeVersion 3.5.30");
        play.once(FaultHook.NONE);
        play.once(FaultHook.NONE);

        assertThat(play.plan().operations()).isEmpty();
        assertThat(play.plan().findings()).extracting(Finding::code).containsExactly("taken-back");
    }

    @Test
    void refusesQuotaBelowDataSize() {
        var plan = new Play(
                        ring("3.5.16", 3),
                        Specs.withOption(Given.spec(Play.REF, 3, "3.5.30"), "quotaBackendBytes", 1000L))
                .plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.findings()).extracting(Finding::code).containsExactly("quota-below-data");
    }

    @Test
    void neverDowngradesMinorVersion() {
        var play = new Play(ring("3.5.16", 3), Given.spec(Play.REF, 3, "3.4.23"));

        var plan = play.plan();

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.findings()).extracting(Finding::code).containsExactly("no-way-to-version");
    }

    @Test
    void unhealthyRingWaits() {
        var world = Given.ring(Play.REF.namespace(), Play.REF.name())
                .version("3.5.16")
                .down(1)
                .build();
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.30"));

        var plan = play.plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.waiting()).hasSize(1);
    }

    /// So many members run 3.5.30 already, the others 3.5.16, and whoever did that was killed.
    static FakeWorld halfRolled(int size, int restarts) {
        return halfRolled("3.5.16", "3.5.30", size, restarts);
    }

    static FakeWorld halfRolled(String from, String to, int size, int restarts) {
        var world = ring(from, size);
        boolean down = EtcdVersion.parse(to)
                .orElseThrow()
                .isOlderMinorThan(EtcdVersion.parse(from).orElseThrow());
        crashAfterRestarts(
                new Play(world, Given.spec(Play.REF, size, to)),
                down ? "DowngradeVersion" : "UpgradeVersion",
                restarts);
        world.tick(60);
        return world;
    }

    private static void crashAfterRestarts(Play play, String operation, int restarts) {
        var seen = new int[1];
        try {
            play.once(boundary -> {
                if (boundary.equals(operation + "/RestartMember/after") && ++seen[0] == restarts) {
                    throw new Crash(boundary);
                }
            });
        } catch (Crash _) {
            // Killed.
        }
    }

    private static FakeWorld ring(String version, int size) {
        return Worlds.ring().version(version).members(size).leader(size - 1).build();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream()
                .map(o -> switch (o.operation()) {
                    case UpgradeVersion u -> u.kind() + " " + u.roll().target().version();
                    case RollMembers r -> r.kind() + " " + r.roll().target().version();
                    default -> o.operation().kind();
                })
                .toList();
    }
}
