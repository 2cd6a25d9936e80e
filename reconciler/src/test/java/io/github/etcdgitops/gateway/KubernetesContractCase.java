package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.value.Observed;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What the tests of [KubernetesGatewayContract] share.
public abstract class KubernetesContractCase {
    private static final int ATTEMPTS = 20;

    KubernetesWorld world;
    KubernetesGateway gateway;
    ClusterRef ref;

    protected abstract KubernetesWorld open();

    @BeforeEach
    void start() {
        world = open();
        gateway = world.gateway();
        ref = new ClusterRef(world.namespace(), "db");
    }

    @AfterEach
    void stop() {
        if (world != null) {
            world.close();
        }
    }

    final RingObjects ring(int minAvailable, long epoch) {
        return ContractRing.of(ref, minAvailable, epoch);
    }

    static void conflicts(ThrowingCallable call) {
        failsWith(Kind.CONFLICT, call);
    }

    static void failsWith(Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(GatewayException.class, e -> {
            assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind);
            assertThat(e.mayHaveHappened()).isFalse();
        });
    }

    static <T> T known(Observed<T> observed) {
        assertThat(observed.unknownReason()).isEmpty();
        return observed.optional().orElseThrow();
    }

    protected static <K, V> V at(Map<K, V> map, K key) {
        V value = map.get(key);
        assertThat(value).as("entry " + key + " of " + map.keySet()).isNotNull();
        return Objects.requireNonNull(value);
    }

    final KubeState.StatefulSetState statefulSet() {
        return known(gateway.read(ref, 0).statefulSet()).orElseThrow();
    }

    final KubeState.StatefulSetState settled(int replicas) {
        if (!world.controllers()) {
            return statefulSet();
        }
        KubeState state = world.await(
                ref,
                0,
                s -> s.statefulSet()
                                .optional()
                                .orElseThrow()
                                .orElseThrow()
                                .rollout()
                                .settled()
                        && known(s.pods()).size() >= replicas);
        return known(state.statefulSet()).orElseThrow();
    }

    /// Writes to the StatefulSet as it is read; again where somebody else has written in between, as the product does:
    /// its controller writes the status whenever it has something to say.
    final void written(int replicas, Consumer<KubeState.StatefulSetState> write) {
        for (int attempt = 1; ; attempt++) {
            try {
                write.accept(settled(replicas));
                return;
            } catch (GatewayException e) {
                if (e.kind() != Kind.CONFLICT || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
