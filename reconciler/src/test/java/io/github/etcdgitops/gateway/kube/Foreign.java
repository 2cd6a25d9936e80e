package io.github.etcdgitops.gateway.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.github.etcdgitops.gateway.ContractRing;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.ManagedObject;
import java.util.Map;

/// Objects that somebody else made.
final class Foreign {
    private Foreign() {}

    static HasMetadata render(ManagedObject object, ClusterRef ref) {
        return RingManifests.render(object, ContractRing.of(ref, 1, 1));
    }

    static HasMetadata statefulSet() {
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
