package io.github.etcdgitops.ring.storage;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.storage.GrowStorage.Stage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.Intent;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GrowStorageTest {
    private static final Storage STORAGE = new Storage("2Gi", Optional.empty());

    private static GrowStorage grow(List<Integer> claims, List<Integer> restarts, Stage stage) {
        return new GrowStorage(ORDERS, "data", 3, STORAGE, claims, restarts, stage);
    }

    @Test
    void growsClaimsOneByOneBeforeRecreatingStatefulSet() {
        var operation = grow(List.of(2, 1, 0), List.of(), Stage.FORMER);

        assertThat(StepOrder.names(operation))
                .containsExactly(
                        "ExpandClaim",
                        "ExpandClaim",
                        "ExpandClaim",
                        "BlockEvictions",
                        "BeginRecreation",
                        "OrphanPods",
                        "RecreateStatefulSet",
                        "FinishRecreation",
                        "SetBudget");
        assertThat(operation.summary())
                .isEqualTo("grow data-orders-2, data-orders-1, data-orders-0 to 2Gi, recreate the StatefulSet around"
                        + " its pods");
    }

    /// Nothing is taken away before the journal says what it is made from.
    @Test
    void journalsIntentBeforeDeletingStatefulSet() {
        var operation = grow(List.of(), List.of(), Stage.FORMER);

        assertThat(StepOrder.first(operation, GrowStep.BeginRecreation.class))
                .isLessThan(StepOrder.first(operation, GrowStep.OrphanPods.class));
        assertThat(StepOrder.first(operation, ObjectStep.BlockEvictions.class))
                .isLessThan(StepOrder.first(operation, GrowStep.OrphanPods.class));
    }

    /// Where somebody else has made the ring, claims keep the name of the former template.
    @Test
    void claimsAreCalledByTheRingsOwnTemplate() {
        var operation = new GrowStorage(ORDERS, "datadir", 3, STORAGE, List.of(2), List.of(), Stage.KEPT);

        assertThat(operation.steps()).containsExactly(new GrowStep.ExpandClaim(2, "datadir-orders-2", "2Gi", false));
        assertThat(operation.summary()).isEqualTo("grow datadir-orders-2 to 2Gi");
        assertThat(operation.id())
                .isEqualTo(grow(List.of(2), List.of(), Stage.KEPT).id());
    }

    /// The ring may be away just because of that.
    @Test
    void bringingAStatefulSetBackAsksNothingOfTheRing() {
        var operation = GrowStorage.resumed(ORDERS, "data", new Intent.Recreation(STORAGE, 3, "orders-5d7c", "a=1"));

        assertThat(operation.steps()).extracting(Step::gate).doesNotContain(Step.Gate.GREEN);
        assertThat(operation.heals()).isTrue();
        assertThat(operation.needsBackup()).isFalse();
        assertThat(operation.risk()).isEqualTo(Risk.LOW);
        assertThat(operation.reason()).contains("was being recreated");
    }

    @Test
    void irreversibleGrowthNeedsBackup() {
        assertThat(grow(List.of(1), List.of(), Stage.FORMER).needsBackup()).isTrue();
        assertThat(grow(List.of(), List.of(), Stage.FORMER).needsBackup()).isFalse();
        assertThat(grow(List.of(1), List.of(), Stage.FORMER).heals()).isFalse();
    }

    /// A claim that an earlier member left has no pod to restart.
    @Test
    void restartsEveryMemberThatHasClaim() {
        var operation = new GrowStorage(ORDERS, "data", 3, STORAGE, List.of(3, 1, 0), List.of(2), Stage.KEPT);

        assertThat(StepOrder.names(operation))
                .containsExactly(
                        "BlockEvictions",
                        "YieldLeadership",
                        "RestartForVolume",
                        "ExpandClaim",
                        "ExpandClaim",
                        "YieldLeadership",
                        "RestartForVolume",
                        "ExpandClaim",
                        "YieldLeadership",
                        "RestartForVolume",
                        "SetBudget");
        assertThat(operation.summary()).endsWith("restart orders-2, orders-1, orders-0 for their file systems");
        assertThat(operation.risk()).isEqualTo(Risk.MEDIUM);
        assertThat(operation.id())
                .isNotEqualTo(grow(List.of(1, 0), List.of(), Stage.KEPT).id());
    }

    @Test
    void ringOfTwoHasNoQuorumDuringChange() {
        assertThat(new GrowStorage(ORDERS, "data", 2, STORAGE, List.of(), List.of(1), Stage.KEPT).risk())
                .isEqualTo(Risk.HIGH);
        assertThat(new GrowStorage(ORDERS, "data", 1, STORAGE, List.of(), List.of(0), Stage.KEPT).steps())
                .noneMatch(MemberStep.YieldLeadership.class::isInstance);
    }
}
