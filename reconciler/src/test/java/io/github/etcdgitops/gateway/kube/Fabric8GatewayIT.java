package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.ContractRing;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.gateway.KubernetesGatewayContract;
import io.github.etcdgitops.gateway.KubernetesWorld;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccessMode;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.tunnel.PodRoutes;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.BudgetState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import java.net.Socket;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The contract on a real API server with its controllers, and what only a real one can show of the
/// adapter.
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
            KubeApi api = world.connection().own();
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

    @Test
    void tellsHowManyEvictionsTheBudgetOfARunningMemberAllows() throws Exception {
        try (var world = RealKubernetes.open()) {
            var ref = new ClusterRef(world.namespace(), "db");
            var founding = new MemberConfig.Founding("i-1", "token", ContractRing.peers(ref, 1));
            for (ManagedObject object : ManagedObject.values()) {
                if (object != ManagedObject.STATEFUL_SET_LABELS) {
                    world.gateway().apply(object, ContractRing.of(ref, 0, 1));
                }
            }
            world.gateway().writeMemberConfig(ContractRing.of(ref, 0, 1), 0, Optional.of(founding));
            world.gateway().createStatefulSet(ContractRing.of(ref, 0, 1), 1);

            KubeState running = world.await(ref, 1, state -> budget(state).equals(new BudgetState(0, 1, true)));
            world.gateway().apply(ManagedObject.BUDGET, ContractRing.of(ref, 1, 1));
            world.await(ref, 1, state -> budget(state).equals(new BudgetState(1, 0, true)));

            PodState pod = at(running.pods().optional().orElseThrow(), 0);
            assertThat(pod.ready()).isTrue();
            try (var routes = new PodRoutes(world.connection(), MemberAccessMode.PORT_FORWARD);
                    var route = routes.open(ref, 0, pod.ip().orElseThrow(), MemberAccess.Door.CLIENT);
                    var socket = new Socket(route.host(), route.port())) {
                assertThat(socket.isConnected()).isTrue();
            }
        }
    }

    private static BudgetState budget(KubeState state) {
        return state.budget().optional().flatMap(found -> found).orElse(new BudgetState(-1, -1, false));
    }
}
