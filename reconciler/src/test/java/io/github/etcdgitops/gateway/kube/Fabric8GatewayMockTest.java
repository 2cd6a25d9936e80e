package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.github.etcdgitops.gateway.ContractRing;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import java.time.Instant;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A smoke test that needs no Kubernetes. The mock's CRUD mode knows neither deletion preconditions nor pages,
/// and has no controllers: what the product relies on is shown by the contract on a real API server.
@EnableKubernetesMockClient(crud = true)
class Fabric8GatewayMockTest {
    private static final ClusterRef REF = new ClusterRef("ns", "db");

    @SuppressWarnings("NullAway.Init")
    KubernetesClient client;

    private KubeConnection connection;
    private Fabric8Gateway gateway;

    @BeforeEach
    void connect() {
        Config config = new ConfigBuilder(client.getConfiguration()).build();
        connection = KubeConnection.of(config, KubeConnection.Settings.DEFAULT);
        gateway = new Fabric8Gateway(connection);
    }

    @AfterEach
    void disconnect() {
        connection.close();
    }

    private static void conflicts(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(GatewayException.Kind.CONFLICT));
    }

    @Test
    void createsOnceAndFindsAgain() {
        gateway.createStatefulSet(ContractRing.of(REF, 2, 1), 3);

        conflicts(() -> gateway.createStatefulSet(ContractRing.of(REF, 2, 1), 3));

        KubeState listed = gateway.list().get(REF);
        assertThat(listed).isNotNull();
        assertThat(
                        listed == null
                                ? Optional.empty()
                                : listed.statefulSet().optional().orElseThrow())
                .get()
                .extracting("replicas", "ours")
                .containsExactly(3, true);
    }

    @Test
    void writesOnlyOverWhatWasRead() {
        String first = gateway.writeJournal(REF, ContractRing.journal(1), Optional.empty());
        String second = gateway.writeJournal(REF, ContractRing.journal(2), Optional.of(first));

        conflicts(() -> gateway.writeJournal(REF, ContractRing.journal(3), Optional.of(first)));

        KubeState listed = gateway.list().get(REF);
        assertThat(listed).isNotNull();
        assertThat(
                        listed == null
                                ? Optional.empty()
                                : listed.journal().optional().orElseThrow())
                .contains(new KubeState.JournalState(ContractRing.journal(2), second));
    }

    @Test
    void handsALeaseOver() {
        var held =
                new LeaseState(Optional.of("a"), Instant.parse("2026-03-01T00:00:00.000001Z"), 60, 4, Optional.empty());

        String version = gateway.writeLease(REF, held, Optional.empty());

        conflicts(() -> gateway.writeLease(REF, held, Optional.empty()));
        assertThat(gateway.readLease(REF))
                .contains(new LeaseState(held.holder(), held.renewed(), 60, 4, Optional.of(version)));
    }

    @Test
    void takes404WithoutStatusForUnknown() {
        KubeState state = gateway.read(REF, 1);

        assertThat(state.objects().confirmed()).isFalse();
        assertThat(state.statefulSet().unknownReason()).isPresent();
        assertThat(state.claims().unknownReason()).isPresent();
    }
}
