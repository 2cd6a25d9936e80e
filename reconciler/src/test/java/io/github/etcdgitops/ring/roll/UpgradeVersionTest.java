package io.github.etcdgitops.ring.roll;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UpgradeVersionTest {
    private static final MemberSettings FORMER = new MemberSettings(new EtcdVersion(3, 4, 23), new TreeMap<>());
    private static final MemberSettings TARGET = new MemberSettings(new EtcdVersion(3, 5, 16), new TreeMap<>());

    private static UpgradeVersion upgrade(int size, int from) {
        return new UpgradeVersion(ORDERS, new Roll(size, from, FORMER, Blueprints.of(TARGET), Duration.ZERO), 0);
    }

    @Test
    void higherAttemptIsAnotherOperation() {
        var roll = new Roll(3, 3, FORMER, Blueprints.of(TARGET), Duration.ZERO);

        assertThat(new UpgradeVersion(ORDERS, roll, 1).id())
                .isNotEqualTo(upgrade(3, 3).id());
    }

    /// A wrong digest that was taken back can be corrected.
    @Test
    void anotherImageIsAnotherOperation() {
        var image = TARGET.with(TARGET.version(), "etcd@sha256:00");
        var roll = new Roll(3, 3, FORMER, Blueprints.of(image), Duration.ZERO);

        assertThat(new UpgradeVersion(ORDERS, roll, 0).id())
                .isNotEqualTo(upgrade(3, 3).id());
    }

    @Test
    void startedOperationNeedsNoBackup() {
        assertThat(upgrade(3, 2).needsBackup()).isFalse();
    }

    @Test
    void restartsHighestOrdinalFirstAndLeaderLast() {
        var restarts = upgrade(3, 3).steps().stream()
                .filter(s -> s instanceof RollStep.RestartMember
                        || s instanceof RollStep.LeadFrom
                        || s instanceof MemberStep.YieldLeadership)
                .toList();

        assertThat(restarts)
                .containsExactly(
                        new RollStep.LeadFrom(0, false),
                        new RollStep.RestartMember(2),
                        new RollStep.LeadFrom(0, true),
                        new RollStep.RestartMember(1),
                        new MemberStep.YieldLeadership(0),
                        new RollStep.RestartMember(0));
    }

    @Test
    void eachMemberIsBackAndComparedBeforeTheNextOne() {
        assertThat(StepOrder.names(upgrade(3, 3)).subList(3, 8))
                .containsExactly("LeadFrom", "WriteMemberFile", "RestartMember", "AwaitRolled", "CompareMember");
    }

    @Test
    void evictionsAreRefusedBeforeAnythingIsWritten() {
        assertThat(StepOrder.names(upgrade(3, 3))).startsWith("BeginRoll", "BlockEvictions", "WriteTemplate");
    }

    @Test
    void pinsPartitionBeforeFinishing() {
        assertThat(StepOrder.names(upgrade(3, 3)))
                .endsWith("PinPartition", "AwaitClusterVersion", "FinishRoll", "SetBudget");
    }

    @Test
    void continuesStartedOperation() {
        assertThat(StepOrder.names(upgrade(3, 1)))
                .doesNotContain("WriteTemplate")
                .startsWith(
                        "BeginRoll",
                        "BlockEvictions",
                        "WriteMemberFile",
                        "WriteMemberFile",
                        "AwaitRolled",
                        "CompareMember",
                        "YieldLeadership");
        assertThat(upgrade(3, 1).id()).isEqualTo(upgrade(3, 3).id());
    }

    @Test
    void anotherPatchRaisesNoVersionOfTheRing() {
        var former = new MemberSettings(new EtcdVersion(3, 5, 3), new TreeMap<>());
        var patch = new UpgradeVersion(ORDERS, new Roll(3, 3, former, Blueprints.of(TARGET), Duration.ZERO), 0);

        assertThat(StepOrder.names(patch)).doesNotContain("AwaitClusterVersion");
    }

    @Test
    void soleMemberHasNoPeerToCompareWith() {
        assertThat(StepOrder.names(upgrade(1, 1))).doesNotContain("CompareMember", "LeadFrom", "YieldLeadership");
    }

    @Test
    void membersAreWatchedBetweenRestartsOnly() {
        var soak = Duration.ofSeconds(30);
        var names = StepOrder.names(new UpgradeVersion(ORDERS, new Roll(3, 3, FORMER, Blueprints.of(TARGET), soak), 0));

        assertThat(names.stream().filter("Soak"::equals)).hasSize(2);
        assertThat(names.lastIndexOf("Soak")).isLessThan(names.lastIndexOf("RestartMember"));
    }

    @Test
    void riskIsHigherWithoutTolerance() {
        assertThat(upgrade(1, 1).risk()).isEqualTo(Risk.HIGH);
        assertThat(upgrade(2, 2).risk()).isEqualTo(Risk.HIGH);
        assertThat(upgrade(3, 3).risk()).isEqualTo(Risk.MEDIUM);
        assertThat(upgrade(3, 3).needsBackup()).isTrue();
    }
}
