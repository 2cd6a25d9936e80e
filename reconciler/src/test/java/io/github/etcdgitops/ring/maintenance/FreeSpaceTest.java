package io.github.etcdgitops.ring.maintenance;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreeSpaceTest {
    private static FreeSpace of(boolean asked, Integer... order) {
        return new FreeSpace(ORDERS, new EtcdId(7), 3, List.of(order), 10_000, asked);
    }

    @Test
    void disarmsAlarmLastAndThenProvesWrites() {
        assertThat(StepOrder.names(of(true, 1, 2, 0)))
                .containsExactly(
                        "CompactHistory",
                        "BlockEvictions",
                        "HandOver",
                        "MakeRoom",
                        "HandOver",
                        "MakeRoom",
                        "HandOver",
                        "MakeRoom",
                        "SetBudget",
                        "DisarmSpace",
                        "ProveWrites");
        assertThat(StepOrder.names(new FreeSpace(ORDERS, new EtcdId(7), 1, List.of(0), 10_000, true)))
                .doesNotContain("HandOver");
    }

    /// Whoever is away when it begins may come back at any time: its pod counts, and so does its vote.
    @Test
    void evictionsAreRefusedToAllOfThem() {
        var steps = new FreeSpace(ORDERS, new EtcdId(7), 5, List.of(1, 2, 3, 0), 10_000, true).steps();

        assertThat(steps).contains(new ObjectStep.BlockEvictions(5), new ObjectStep.SetBudget(Budget.of(5)));
    }

    /// A ring that is out of space is never green.
    @Test
    void noStepWaitsForAGreenRing() {
        assertThat(of(true, 1, 2, 0).steps()).noneMatch(step -> step.gate() == Step.Gate.GREEN);
    }

    @Test
    void healsAndNeedsApprovalOnlyWhenAsked() {
        assertThat(of(true, 0).heals()).isTrue();
        assertThat(of(true, 0).consent()).isEqualTo(Consent.NEEDED);
        assertThat(of(false, 0).consent()).isEqualTo(Consent.PERMITTED);
    }
}
