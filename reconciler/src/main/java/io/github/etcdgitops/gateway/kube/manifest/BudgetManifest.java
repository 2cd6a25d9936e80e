package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.value.ClusterRef;

/// The disruption budget: how many members an eviction must leave. Written as policy/v1; for servers before
/// 1.21 the adapter changes the version, and the fields in use are the same.
final class BudgetManifest {
    private BudgetManifest() {}

    static PodDisruptionBudget of(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        return new PodDisruptionBudgetBuilder()
                .withMetadata(Metadata.of(wanted, ref.name()))
                .withNewSpec()
                .withNewMinAvailable(wanted.minAvailable())
                .withNewSelector()
                .withMatchLabels(Metadata.sorted(Labels.selector(ref)))
                .endSelector()
                .endSpec()
                .build();
    }
}
