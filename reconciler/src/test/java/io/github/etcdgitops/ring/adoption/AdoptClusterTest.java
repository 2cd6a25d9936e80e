package io.github.etcdgitops.ring.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.StepOrder;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

public class AdoptClusterTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    public static AdoptCluster adopt(AdoptCluster.Stage stage) {
        var members = new TreeMap<Integer, Journal.Member>();
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            members.put(
                    ordinal,
                    new Journal.Member(".", Optional.of(new EtcdId(7 + ordinal)), Optional.of("claim-" + ordinal)));
        }
        var applied = new MemberSettings(new EtcdVersion(3, 5, 16), new TreeMap<>());
        return new AdoptCluster(
                ORDERS, stage, new AdoptionOrder("set", "datadir", new EtcdId(31), members, applied), Blueprints.ANY);
    }

    @Test
    void restartsNoMember() {
        for (var stage : AdoptCluster.Stage.values()) {
            assertThat(adopt(stage).steps())
                    .noneMatch(s -> s instanceof RollStep.RestartMember || s instanceof RollStep.WriteTemplate);
            assertThat(adopt(stage).risk()).isEqualTo(Risk.MEDIUM);
        }
    }

    @Test
    void comparesTheDataBeforeAnythingIsWritten() {
        assertThat(StepOrder.names(adopt(AdoptCluster.Stage.FOREIGN)))
                .startsWith("CompareMember", "CompareMember", "OpenAdoption");
    }

    /// From the deletion on a pod may come back under our Service's name.
    @Test
    void everyMemberHasFileAndSecondUrlBeforeTheStatefulSetGoes() {
        var operation = adopt(AdoptCluster.Stage.FOREIGN);
        int gone = StepOrder.first(operation, AdoptStep.OrphanPods.class);

        assertThat(StepOrder.last(operation, AdoptStep.AddPeerUrl.class)).isEqualTo(gone - 1);
        assertThat(StepOrder.last(operation, RollStep.WriteMemberFile.class)).isLessThan(gone);
        assertThat(StepOrder.names(operation).subList(gone, gone + 3))
                .containsExactly("OrphanPods", "TakePods", "RecreateStatefulSet");
    }

    /// A pod that died meanwhile is made anew by these steps alone.
    @Test
    void needsNoHealthyRingOnceStatefulSetIsGone() {
        for (var stage : new AdoptCluster.Stage[] {AdoptCluster.Stage.ORPHANED, AdoptCluster.Stage.OURS}) {
            assertThat(adopt(stage).steps()).noneMatch(s -> s.gate() == Step.Gate.GREEN);
            assertThat(adopt(stage).heals()).isTrue();
        }
        assertThat(adopt(AdoptCluster.Stage.FOREIGN).heals()).isFalse();
    }
}
