package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.journal.Journal;
import java.util.SortedMap;

/// Renders a ring's Kubernetes objects. Pure: the same values always give the same objects.
///
/// No object has an owner reference: deleting one object never deletes another one, least of all data.
public final class RingManifests {
    private RingManifests() {}

    /// `STATEFUL_SET_LABELS` renders to a StatefulSet without a spec: for comparing and merging metadata,
    /// never for replacing.
    public static ObjectNode render(ManagedObject object, RingObjects wanted) {
        JsonObject rendered = switch (object) {
            case PEER_SERVICE -> ServiceManifests.peers(wanted);
            case CLIENT_SERVICE -> ServiceManifests.clients(wanted);
            case NETWORK_POLICY -> NetworkPolicyManifest.of(wanted);
            case CONNECTION -> ConfigMapManifests.connection(wanted);
            case BUDGET -> BudgetManifest.of(wanted);
            case STATEFUL_SET_LABELS ->
                JsonObject.of(
                        ObjectKind.STATEFUL_SET,
                        Metadata.of(wanted, wanted.spec().ref().name()));
        };
        return rendered.tree();
    }

    /// `replicas` is also the partition: then the controller never moves a running member to another
    /// revision by itself.
    public static ObjectNode statefulSet(RingObjects wanted, int replicas) {
        return StatefulSetManifest.of(wanted, replicas, wanted.spec().storage());
    }

    /// `files` is the whole content, by ordinal: the file of a missing ordinal is removed.
    public static ObjectNode members(ClusterRef ref, SortedMap<Integer, String> files, long epoch) {
        return ConfigMapManifests.members(ref, files, epoch).tree();
    }

    public static ObjectNode journal(ClusterRef ref, Journal journal) {
        return ConfigMapManifests.journal(ref, journal).tree();
    }
}
