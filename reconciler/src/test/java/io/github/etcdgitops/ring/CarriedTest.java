package io.github.etcdgitops.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.ring.repair.InspectVolume;
import io.github.etcdgitops.ring.repair.RestartMember;
import io.github.etcdgitops.ring.storage.GrowStorage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Whoever approves an operation that starts a container sees from which image.
class CarriedTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final Optional<String> IMAGE = Optional.of("registry.example/etcd:v3.5.16");

    static Stream<Operation> starting() {
        return Stream.of(
                new RestartMember(ORDERS, 0, new EtcdId(7), "uid", 1, 3, IMAGE),
                new InspectVolume(ORDERS, new EtcdId(7), 0, "uid", Optional.empty(), IMAGE),
                new GrowStorage(
                        ORDERS,
                        "data",
                        3,
                        new Storage("2Gi", Optional.empty()),
                        List.of(0),
                        new GrowStorage.Restarts(List.of(1), IMAGE),
                        GrowStorage.Stage.KEPT));
    }

    @ParameterizedTest
    @MethodSource("starting")
    void namesTheImageThatIsStarted(Operation operation) {
        assertThat(operation.resolved().carried().line()).contains("image registry.example/etcd:v3.5.16");
    }
}
