package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.gateway.RingVolumesContract;
import io.github.etcdgitops.it.StorageClasses;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.junit.jupiter.api.io.TempDir;

/// The contract on a real API server.
class Fabric8RingVolumesIT extends RingVolumesContract {
    @TempDir
    private Path folder;

    @Override
    protected World open() {
        var kubernetes = RealKubernetes.open();
        var client = TypedClient.of(kubernetes.connection());
        return new OnApi(kubernetes, new StorageClasses(client, kubernetes.namespace(), folder));
    }

    private record OnApi(RealKubernetes kubernetes, StorageClasses classes) implements World {
        @Override
        public KubernetesGateway gateway() {
            return kubernetes.gateway();
        }

        @Override
        public RingVolumes volumes() {
            return new Fabric8RingVolumes(kubernetes.connection());
        }

        @Override
        public String namespace() {
            return kubernetes.namespace();
        }

        @Override
        public String storageClass(boolean grows) {
            return grows ? classes.growing() : classes.fixed();
        }

        @Override
        public KubeState await(ClusterRef ref, int claims, Predicate<KubeState> until) {
            return kubernetes.await(ref, claims, until);
        }

        @Override
        public void awaitNode(ClusterRef ref, int ordinal) {
            kubernetes.awaitNode(ref, ordinal);
        }

        @Override
        public void close() {
            classes.close();
            kubernetes.close();
        }
    }
}
