package io.github.etcdgitops.gateway.kube;

import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.RingVolumes;
import io.github.etcdgitops.gateway.RingVolumesContract;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The contract on a real API server.
class Fabric8RingVolumesIT extends RingVolumesContract {
    @Override
    protected World open() {
        return new OnApi(RealKubernetes.open(), new ArrayList<>());
    }

    /// Classes are nobody's namespace: those made here have its name and go with it.
    private record OnApi(RealKubernetes kubernetes, List<String> classes) implements World {
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

        /// Of whoever provisions the default class, so that it is provisioned at all.
        @Override
        public String storageClass(boolean grows) {
            String name = namespace() + (grows ? "-grows" : "-stays");
            var api = kubernetes.connection().client().storage().v1().storageClasses();
            String provisioner = api.list().getItems().stream()
                    .filter(c -> c.getMetadata().getAnnotations() != null
                            && "true"
                                    .equals(c.getMetadata()
                                            .getAnnotations()
                                            .get("storageclass.kubernetes.io/is-default-class")))
                    .map(StorageClass::getProvisioner)
                    .findFirst()
                    .orElseThrow();
            api.resource(new StorageClassBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .withProvisioner(provisioner)
                            .withReclaimPolicy("Delete")
                            .withAllowVolumeExpansion(grows)
                            .build())
                    .create();
            classes.add(name);
            return name;
        }

        @Override
        public KubeState await(ClusterRef ref, int claims, Predicate<KubeState> until) {
            return kubernetes.await(ref, claims, until);
        }

        @Override
        public void close() {
            classes.forEach(name -> kubernetes
                    .connection()
                    .client()
                    .storage()
                    .v1()
                    .storageClasses()
                    .withName(name)
                    .delete());
            kubernetes.close();
        }
    }
}
