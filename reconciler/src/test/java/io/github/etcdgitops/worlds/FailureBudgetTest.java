package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.ring.membership.MemberStep;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Rings that all are to grow, some of which nobody can help.
class FailureBudgetTest {
    private static final int RINGS = 5;

    private final FeatureFleet fleet = new FeatureFleet(RINGS, 3, 1);

    /// The new member of the first two rings never catches up.
    private List<ClusterResult> grow() {
        for (int i = 0; i < RINGS; i++) {
            fleet.size(i, 5);
        }
        fleet.world.faults(fleet.ring(0)).catchUpAfter(1_000_000);
        fleet.world.faults(fleet.ring(1)).catchUpAfter(1_000_000);
        return fleet.run();
    }

    private static List<Outcome> outcomes(List<ClusterResult> results) {
        return results.stream().map(ClusterResult::outcome).toList();
    }

    @Test
    void triesEveryRingWithoutFailureBudget() {
        assertThat(outcomes(grow()))
                .containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.DONE, Outcome.DONE, Outcome.DONE);
    }

    @Test
    void startsNoOtherRingOnceBudgetIsSpent() {
        fleet.maxFailures(2);

        var results = grow();

        assertThat(outcomes(results))
                .containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.ABORTED, Outcome.ABORTED, Outcome.ABORTED);
        assertThat(results.getLast().detail()).contains("the changes of demo/r0, demo/r1 failed in this run");
        assertThat(results.getLast().events()).noneMatch(event -> event.step() instanceof MemberStep.AddLearner);
        assertThat(fleet.look(2).podUids()).hasSize(3);
        assertThat(fleet.breaches()).isEmpty();
    }

    /// The run after it begins with a budget of its own.
    @Test
    void budgetIsPerRun() {
        fleet.maxFailures(1);
        grow();
        fleet.world.faults(fleet.ring(0)).catchUpAfter(0);
        fleet.world.faults(fleet.ring(1)).catchUpAfter(0);
        for (int run = 0; run < 6; run++) {
            fleet.run();
        }

        assertThat(fleet.plan().changes()).isFalse();
        assertThat(fleet.breaches()).isEmpty();
    }

    /// A member that is lost is not left alone because others could not be helped.
    @Test
    void repairsContinueAfterBudgetIsSpent() {
        fleet.maxFailures(1);
        fleet.world.faults(fleet.ring(4)).loseVolume(1);

        var results = grow();

        assertThat(results.get(1).outcome()).isEqualTo(Outcome.ABORTED);
        assertThat(results.getLast().outcome()).isNotEqualTo(Outcome.ABORTED);
    }
}
