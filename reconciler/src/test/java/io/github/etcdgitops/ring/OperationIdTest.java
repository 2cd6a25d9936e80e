package io.github.etcdgitops.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.adoption.AdoptCluster;
import io.github.etcdgitops.ring.adoption.AdoptClusterTest;
import io.github.etcdgitops.ring.adoption.SettleAdoption;
import io.github.etcdgitops.ring.founding.BootstrapCluster;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.RepairObjects;
import io.github.etcdgitops.ring.scale.ScaleIn;
import io.github.etcdgitops.ring.scale.ScaleOut;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.ManagedObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Approvals name these ids, so they depend on ring, kind and what will be carried out, and on nothing
/// else.
class OperationIdTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    @Test
    void observedStateDoesNotChangeId() {
        assertThat(new ScaleIn(ORDERS, 2, true).id()).isEqualTo(new ScaleIn(ORDERS, 2, false).id());
        assertThat(new ScaleOut(ORDERS, 2, true, Blueprints.ANY).id())
                .isEqualTo(new ScaleOut(ORDERS, 2, false, Blueprints.ANY).id());
        assertThat(AdoptClusterTest.adopt(AdoptCluster.Stage.ORPHANED).id())
                .isEqualTo(AdoptClusterTest.adopt(AdoptCluster.Stage.FOREIGN).id());
    }

    @Test
    void ringKindAndTargetEachChangeTheId() {
        var ids = Stream.of(
                        new ScaleIn(ORDERS, 2, false),
                        new ScaleIn(ORDERS, 3, false),
                        new ScaleOut(ORDERS, 1, true, Blueprints.ANY),
                        new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 16), Tls.NONE, Blueprints.ANY),
                        new BootstrapCluster(ORDERS, 5, new EtcdVersion(3, 5, 16), Tls.NONE, Blueprints.ANY),
                        new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 30), Tls.NONE, Blueprints.ANY),
                        new ScaleIn(new ClusterRef("demo2", "orders"), 2, false),
                        new ScaleIn(new ClusterRef("demo", "orders2"), 2, false))
                .map(Operation::id)
                .toList();

        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("[0-9a-f]{16}"));
    }

    @Test
    void journalIntentCarriesOperationId() {
        var operation = new ScaleIn(ORDERS, 2, false);

        assertThat(operation.steps().getFirst())
                .isInstanceOfSatisfying(
                        MemberStep.Begin.class, b -> assertThat(b.operationId()).isEqualTo(operation.id()));
    }

    static List<Operation> everyOperation() {
        return List.of(
                new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 16), Tls.NONE, Blueprints.ANY),
                new ScaleOut(ORDERS, 3, true, Blueprints.ANY),
                new ScaleOut(ORDERS, 3, false, Blueprints.ANY),
                new ScaleIn(ORDERS, 3, false),
                AdoptClusterTest.adopt(AdoptCluster.Stage.FOREIGN),
                AdoptClusterTest.adopt(AdoptCluster.Stage.OURS),
                new SettleAdoption(ORDERS, 3, Transport.PLAIN),
                new RepairObjects(
                        ORDERS,
                        new TreeSet<>(Set.of(ManagedObject.BUDGET)),
                        new TreeSet<>(Set.of(1)),
                        Optional.of(3),
                        Optional.of(2),
                        Blueprints.ANY.network()));
    }

    @ParameterizedTest
    @MethodSource("everyOperation")
    void everyOperationHasReasonAndSummary(Operation operation) {
        assertThat(operation.summary()).isNotBlank();
        assertThat(operation.reason()).isNotBlank();
        assertThat(operation.steps()).isNotEmpty();
        assertThat(operation.steps()).isEqualTo(operation.steps());
    }

    @Test
    void riskGrowsWithWhatIsLost() {
        assertThat(new BootstrapCluster(ORDERS, 3, new EtcdVersion(3, 5, 16), Tls.NONE, Blueprints.ANY).risk())
                .isEqualTo(Risk.LOW);
        assertThat(new ScaleOut(ORDERS, 3, true, Blueprints.ANY).risk()).isEqualTo(Risk.LOW);
        assertThat(new ScaleOut(ORDERS, 1, true, Blueprints.ANY).risk()).isEqualTo(Risk.MEDIUM);
        assertThat(new ScaleOut(ORDERS, 3, false, Blueprints.ANY).risk()).isEqualTo(Risk.MEDIUM);
        assertThat(new ScaleIn(ORDERS, 4, false).risk()).isEqualTo(Risk.MEDIUM);
        assertThat(new ScaleIn(ORDERS, 2, false).risk()).isEqualTo(Risk.HIGH);
        assertThat(new ScaleIn(ORDERS, 1, false).risk()).isEqualTo(Risk.HIGH);
    }
}
