package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.github.etcdgitops.gateway.ContractRing;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ManagedObject;
import java.util.Map;

/// Objects that somebody else made.
final class Foreign {
    private Foreign() {}

    static ObjectNode tree(ManagedObject object, ClusterRef ref) {
        return object == ManagedObject.STATEFUL_SET_LABELS
                ? Rendered.tree(statefulSet())
                : RingManifests.render(object, ContractRing.of(ref, 1, 1));
    }

    static HasMetadata etcd(ClusterRef ref) {
        var own = Map.of("app", ref.name());
        return new StatefulSetBuilder()
                .withNewMetadata()
                .withName(ref.name())
                .withNamespace(ref.namespace())
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withServiceName("other")
                .withNewSelector()
                .withMatchLabels(own)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(own)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("etcd")
                .withImage("gcr.io/etcd-development/etcd:v3.5.16")
                .withCommand("/usr/local/bin/etcd")
                .withArgs("--name=$(POD_NAME)", "--data-dir=/data/default.etcd")
                .addNewEnv()
                .withName("POD_NAME")
                .withNewValueFrom()
                .withNewFieldRef()
                .withFieldPath("metadata.name")
                .endFieldRef()
                .endValueFrom()
                .endEnv()
                .addNewVolumeMount()
                .withName("datadir")
                .withMountPath("/data")
                .endVolumeMount()
                .endContainer()
                .endSpec()
                .endTemplate()
                .addNewVolumeClaimTemplate()
                .withNewMetadata()
                .withName("datadir")
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .withRequests(Map.of("storage", new Quantity("64Mi")))
                .endResources()
                .endSpec()
                .endVolumeClaimTemplate()
                .endSpec()
                .build();
    }

    private static HasMetadata statefulSet() {
        return new StatefulSetBuilder()
                .withNewMetadata()
                .endMetadata()
                .withNewSpec()
                .withReplicas(0)
                .withServiceName("other")
                .withNewSelector()
                .withMatchLabels(Map.of("app", "other"))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(Map.of("app", "other"))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("other")
                .withImage("registry.k8s.io/pause:3.10")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
