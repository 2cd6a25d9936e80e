package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.ContractRing;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.gateway.KubernetesGatewayContract;
import io.github.etcdgitops.gateway.KubernetesWorld;
import io.github.etcdgitops.spec.ClusterRef;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The contract on a real API server with its controllers, and what only a real one can show of the adapter.
class Fabric8GatewayIT extends KubernetesGatewayContract {
    @Override
    protected KubernetesWorld open() {
        return RealKubernetes.open();
    }

    @Test
    void updatesNoLeaseThatWentAwayAfterItWasRead() {
        try (var world = RealKubernetes.open()) {
            var ref = new ClusterRef(world.namespace(), "db");
            var lease = new LeaseState(Optional.of("a"), Instant.EPOCH, 60, 7, Optional.empty());
            world.gateway().writeLease(ref, lease, Optional.empty());
            KubeApi api = world.connection().api();
            ObjectNode read = api.get(ObjectKind.LEASE, ref.namespace(), Labels.lease(ref))
                    .orElseThrow();
            world.loseLease(ref);

            assertThatThrownBy(() -> api.update(ObjectKind.LEASE, ref.namespace(), read))
                    .isInstanceOfSatisfying(
                            GatewayException.class,
                            e -> assertThat(e.kind()).isEqualTo(GatewayException.Kind.CONFLICT));

            assertThat(world.gateway().readLease(ref)).isEmpty();
        }
    }

    @Test
    void asksAsOftenForManyRingsAsForOne() {
        try (var world = RealKubernetes.open()) {
            world.gateway().list();
            for (int ring = 0; ring < 20; ring++) {
                world.gateway()
                        .writeJournal(
                                new ClusterRef(world.namespace(), "db-" + ring),
                                ContractRing.journal(1),
                                Optional.empty());
            }
            var before = world.connection().apiCalls();

            assertThat(world.gateway().list()).hasSizeGreaterThanOrEqualTo(20);

            var after = world.connection().apiCalls();
            assertThat(after.keySet()).isEqualTo(before.keySet());
            assertThat(after.entrySet().stream()
                            .filter(e -> e.getKey().startsWith("list "))
                            .mapToLong(e -> e.getValue() - before.getOrDefault(e.getKey(), 0L)))
                    .containsOnly(1L)
                    .hasSize(7);
        }
    }
}
