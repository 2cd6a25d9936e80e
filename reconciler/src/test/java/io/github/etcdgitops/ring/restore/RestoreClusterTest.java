package io.github.etcdgitops.ring.restore;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Blueprints;
import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RestoreOrder.Stored;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.founding.FoundStep;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Tls;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestoreClusterTest {
    private static final EtcdVersion VERSION = new EtcdVersion(3, 5, 16);

    private static RestoreOrder order(String request, Optional<Long> bump) {
        return new RestoreOrder(
                request, new Stored.Bare(new Destination.Directory("/backups", ""), "orders.db", 20_512), bump);
    }

    private final RestoreCluster restore =
            new RestoreCluster(ORDERS, VERSION, Tls.NONE, order("again", Optional.empty()), Blueprints.ANY);

    private List<Class<?>> kinds() {
        return List.copyOf(
                restore.steps().stream().<Class<?>>map(Step::getClass).toList());
    }

    @Test
    void createsNothingBeforeTheSnapshotIsProven() {
        assertThat(restore.steps().getFirst()).isInstanceOf(RestoreStep.VerifySource.class);
        assertThat(restore.steps().get(1)).isInstanceOf(RestoreStep.OpenRestore.class);
    }

    @Test
    void startsNoMemberBeforeItsVolumeIsFree() {
        assertThat(kinds())
                .containsSubsequence(
                        RestoreStep.CreateClaim.class,
                        RestoreStep.LoadSnapshot.class,
                        RestoreStep.EndRestoreJob.class,
                        FoundStep.CreateStatefulSet.class);
    }

    @Test
    void letsClientsInAfterTheDataWasCompared() {
        assertThat(kinds())
                .containsSubsequence(
                        RestoreStep.CompareData.class,
                        ObjectStep.ApplyObjects.class,
                        MemberStep.AwaitGreen.class,
                        RestoreStep.RecordRestored.class);
    }

    @Test
    void endsWithARingOfOne() {
        var ring = RingModel.EMPTY;
        for (var step : restore.steps()) {
            ring = step.apply(ring);
        }
        assertThat(ring.voters()).containsExactly(0);
        assertThat(ring.replicas()).isEqualTo(1);
        assertThat(ring.minAvailable()).isZero();
    }

    @Test
    void idDependsOnRevisionAndNotOnRequester() {
        assertThat(new RestoreCluster(ORDERS, VERSION, Tls.NONE, order("else", Optional.empty()), Blueprints.ANY).id())
                .isEqualTo(restore.id());
        assertThat(new RestoreCluster(ORDERS, VERSION, Tls.NONE, order("again", Optional.of(1000L)), Blueprints.ANY)
                        .id())
                .isNotEqualTo(restore.id());
    }

    @Test
    void saysWhereItComesFrom() {
        assertThat(restore.summary()).isEqualTo("restore file:///backups/ into a new ring on etcd 3.5.16");
        assertThat(restore.target()).isEqualTo("restored from=file:///backups/orders.db version=3.5.16");
    }
}
