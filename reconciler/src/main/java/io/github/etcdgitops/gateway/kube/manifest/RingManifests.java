package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.journal.Journal;
import java.util.SortedMap;

/// What a ring's Kubernetes objects look like. Pure: the same values always render to the same objects.
///
/// Nothing here has an owner reference: taking one object away never takes another one, least of all
/// data, with it.
public final class RingManifests {
    private RingManifests() {}

    /// `STATEFUL_SET_LABELS` renders to a StatefulSet without a spec: for comparing and merging
    /// metadata, never for replacing.
    public static HasMetadata render(ManagedObject object, RingObjects wanted) {
        return switch (object) {
            case PEER_SERVICE -> ServiceManifests.peers(wanted);
            case CLIENT_SERVICE -> ServiceManifests.clients(wanted);
            case NETWORK_POLICY -> NetworkPolicyManifest.of(wanted);
            case CONNECTION -> ConfigMapManifests.connection(wanted);
            case BUDGET -> BudgetManifest.of(wanted);
            case STATEFUL_SET_LABELS -> statefulSetLabels(wanted);
        };
    }

    /// `replicas` is the partition, too: by itself the controller never takes a running member to
    /// another revision.
    public static StatefulSet statefulSet(RingObjects wanted, int replicas) {
        return StatefulSetManifest.of(wanted, replicas);
    }

    /// `files` is the whole content, by ordinal: a missing ordinal's file goes away.
    public static ConfigMap members(ClusterRef ref, SortedMap<Integer, String> files, long epoch) {
        return ConfigMapManifests.members(ref, files, epoch);
    }

    public static ConfigMap journal(ClusterRef ref, Journal journal) {
        return ConfigMapManifests.journal(ref, journal);
    }

    private static StatefulSet statefulSetLabels(RingObjects wanted) {
        return new StatefulSetBuilder()
                .withMetadata(Metadata.of(wanted, wanted.spec().ref().name()))
                .build();
    }
}
