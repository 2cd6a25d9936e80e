package io.github.etcdgitops.worlds;

import static io.github.etcdgitops.spec.value.FeatureGate.COMPACT_HASH_CHECK;
import static io.github.etcdgitops.spec.value.FeatureGate.PEER_TLS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.FeatureRollout;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.value.FeatureGate;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A gate that one line of the Fleet switches on for all rings reaches a few at a time, and no more where
/// it harms them.
class FeatureFleetTest {
    private static final int RINGS = 10;
    private static final int MOST = 2;

    private final FeatureFleet fleet = new FeatureFleet(RINGS, 3, MOST);

    @ParameterizedTest
    @EnumSource(FeatureGate.class)
    void enablesGateInOrderOfNames(FeatureGate gate) {
        fleet.on(gate);
        for (int done = 0; done < RINGS; done += MOST) {
            var results = FeatureFleet.outcomes(fleet.run());

            int from = done;
            assertThat(results.entrySet().stream()
                            .filter(r -> r.getValue() == Outcome.DONE)
                            .map(r -> r.getKey()))
                    .containsExactlyElementsOf(IntStream.range(from, from + MOST)
                            .mapToObj(i -> "r" + i)
                            .toList());
        }

        assertThat(fleet.plan().changes()).isFalse();
        assertThat(fleet.mostSeen()).isBetween(1, MOST);
        assertThat(fleet.breaches()).isEmpty();
    }

    @Test
    void planNamesWaitingRingsAndReasons() {
        fleet.on(COMPACT_HASH_CHECK);

        var plan = fleet.plan();

        assertThat(verdicts(plan.clusters()).subList(0, MOST)).allMatch(Verdict::lets);
        assertThat(verdicts(plan.clusters()).subList(MOST, RINGS))
                .allMatch(new Verdict.Hold(
                        FeatureRollout.RULE,
                        "one of 8 rings that wait their turn: feature gates change in 2 rings at a time"
                                + " (spec.limits.maxParallelFeatures of the Fleet), now in demo/r0 (it is its"
                                + " turn), demo/r1 (it is its turn)")::equals);
        assertThat(PlanJson.hash(plan)).isEqualTo(PlanJson.hash(fleet.plan()));
    }

    @Test
    void unhealthyRingNeverStartsAndTakesNoSlot() {
        fleet.world.faults(fleet.ring(0)).stop(2);
        fleet.world.tick(20);
        var pods = fleet.look(0).podUids();
        fleet.on(COMPACT_HASH_CHECK);

        runs(RINGS);

        assertThat(fleet.having(COMPACT_HASH_CHECK)).hasSize(RINGS - 1).doesNotContain("r0");
        assertThat(fleet.look(0).podUids()).isEqualTo(pods);
        assertThat(fleet.mostSeen()).isLessThanOrEqualTo(MOST);
        assertThat(fleet.breaches()).isEmpty();
    }

    /// What a ring is taken back from stays its place, so that the next ring is the only other one.
    @Test
    void ringWithFailedGateKeepsItsSlot() {
        fleet.world.faults(fleet.ring(1)).unpullable("3.5.16", true);
        fleet.on(COMPACT_HASH_CHECK);

        assertThat(FeatureFleet.outcomes(fleet.run()))
                .containsEntry("r0", Outcome.DONE)
                .containsEntry("r1", Outcome.FAILED)
                .containsEntry("r2", Outcome.HELD);
        fleet.world.faults(fleet.ring(1)).unpullable("3.5.16", false);
        runs(2 * RINGS);

        assertThat(fleet.having(COMPACT_HASH_CHECK)).hasSize(RINGS - 1).doesNotContain("r1");
        assertThat(fleet.plan().clusters().get(1).findings())
                .extracting(Finding::code)
                .contains("feature-taken-back");
        assertThat(fleet.mostSeen()).isLessThanOrEqualTo(MOST);
        assertThat(fleet.breaches()).isEmpty();
    }

    @Test
    void harmfulGateReachesNoMoreRingsThanSlots() {
        fleet.refs.forEach(ref -> fleet.world.faults(ref).unpullable("3.5.16", true));
        var pods = IntStream.range(MOST, RINGS)
                .mapToObj(i -> fleet.look(i).podUids())
                .toList();
        fleet.on(COMPACT_HASH_CHECK);

        runs(6);

        assertThat(IntStream.range(MOST, RINGS)
                        .mapToObj(i -> fleet.look(i).podUids())
                        .toList())
                .isEqualTo(pods);
        assertThat(fleet.having(COMPACT_HASH_CHECK)).isEmpty();
        assertThat(fleet.breaches()).isEmpty();
    }

    /// They run with it, and are unwell since.
    @Test
    void unhealthyRingsWithGateHoldOthers() {
        fleet.on(COMPACT_HASH_CHECK);
        fleet.run();
        fleet.world.faults(fleet.ring(0)).stop(1);
        fleet.world.faults(fleet.ring(1)).stop(1);
        fleet.world.tick(20);

        runs(3);
        assertThat(fleet.having(COMPACT_HASH_CHECK)).containsExactly("r0", "r1");
        assertThat(verdicts(fleet.plan().clusters()))
                .hasSize(RINGS - MOST)
                .allMatch(v -> v instanceof Verdict.Hold hold
                        && hold.reason().contains("demo/r0 (it has the gate and is not healthy)"));

        fleet.world.faults(fleet.ring(0)).recover(1);
        fleet.world.tick(70);
        fleet.run();
        assertThat(fleet.having(COMPACT_HASH_CHECK)).containsExactly("r0", "r1", "r2");
        assertThat(fleet.breaches()).isEmpty();
    }

    /// Another gate is not to blame.
    @Test
    void unhealthyRingWithOneGateHoldsNeitherOtherGatesNorSwitchingOff() {
        fleet.on(COMPACT_HASH_CHECK);
        runs(RINGS / MOST);
        for (int ring = 0; ring < MOST; ring++) {
            fleet.world.faults(fleet.ring(ring)).stop(1);
        }
        fleet.world.tick(20);

        fleet.on(COMPACT_HASH_CHECK, FeatureGate.STOP_GRPC_SERVICE_ON_DEFRAG);
        fleet.run();
        assertThat(fleet.having(FeatureGate.STOP_GRPC_SERVICE_ON_DEFRAG)).containsExactly("r2", "r3");

        fleet.on();
        runs(RINGS);
        assertThat(fleet.having(COMPACT_HASH_CHECK)).containsExactly("r0", "r1");
        assertThat(fleet.mostSeen()).isLessThanOrEqualTo(MOST);
    }

    @Test
    void killedRunLeavesSlotsTaken() {
        int kills = 0;
        for (int boundary = 1; boundary < 200; boundary += 7) {
            var killed = new FeatureFleet(4, 3, MOST);
            killed.world.faults(killed.ring(3)).stop(0);
            killed.world.tick(20);
            killed.on(boundary % 2 == 0 ? PEER_TLS : COMPACT_HASH_CHECK);
            kills += killed.killedAt(boundary) ? 1 : 0;
            var left = killed.underWay();

            var chosen = FeatureRollout.chosen(killed.plan().clusters());
            for (int run = 0; run < 5; run++) {
                killed.run();
            }

            assertThat(chosen).hasSizeLessThanOrEqualTo(MOST);
            assertThat(chosen.stream().map(ref -> ref.name()).toList()).containsAll(left);
            assertThat(killed.mostSeen()).as("killed at " + boundary).isLessThanOrEqualTo(MOST);
            assertThat(killed.plan().clusters().subList(0, 3))
                    .as("killed at " + boundary)
                    .allMatch(c -> c.situation() == ClusterPlan.Situation.IN_SYNC);
            assertThat(killed.breaches()).isEmpty();
        }
        assertThat(kills).isGreaterThan(10);
    }

    private void runs(int count) {
        for (int run = 0; run < count; run++) {
            fleet.run();
        }
    }

    private static List<Verdict> verdicts(List<ClusterPlan> plans) {
        return plans.stream()
                .flatMap(plan -> plan.operations().stream())
                .map(o -> o.verdict())
                .toList();
    }
}
