package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.Map;

/// The StatefulSet of a ring. It keeps pods running by itself and decides nothing else.
///
/// - Parallel: after a full outage the members need each other to become ready.
/// - The partition equals the replicas: a lost pod comes back at the revision that it had.
/// - Claims are retained, whatever happens to the set. Before Kubernetes 1.23 the server drops this unknown
///   field, and retains claims anyway.
public final class StatefulSetManifest {
    private StatefulSetManifest() {}

    public static StatefulSet of(RingObjects wanted, int replicas) {
        return of(wanted, replicas, wanted.spec().storage());
    }

    /// `storage` is what the claims of future members request.
    public static StatefulSet of(RingObjects wanted, int replicas, Storage storage) {
        ClusterRef ref = wanted.spec().ref();
        return new StatefulSetBuilder()
                .withMetadata(Metadata.of(wanted, ref.name()))
                .editMetadata()
                .addToAnnotations(Labels.TEMPLATE_DIGEST, PodManifest.digest(wanted))
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .withServiceName(Labels.peerService(ref))
                .withPodManagementPolicy("Parallel")
                .withRevisionHistoryLimit(5)
                .withNewUpdateStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withPartition(replicas)
                .endRollingUpdate()
                .endUpdateStrategy()
                .withNewPersistentVolumeClaimRetentionPolicy("Retain", "Retain")
                .withNewSelector()
                .withMatchLabels(Metadata.sorted(Labels.selector(ref)))
                .endSelector()
                .withTemplate(PodManifest.template(wanted))
                .withVolumeClaimTemplates(claim(ref, wanted.claims(), storage))
                .endSpec()
                .build();
    }

    /// Equals the claim that the controller creates for a member, under another name.
    public static PersistentVolumeClaim claim(ClusterRef ref, String name, Storage storage) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Metadata.sorted(Labels.of(ref)))
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName(storage.storageClassName().orElse(null))
                .withNewResources()
                .withRequests(Map.of("storage", new Quantity(storage.size())))
                .endResources()
                .endSpec()
                .build();
    }
}
