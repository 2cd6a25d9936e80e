package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;
import java.util.Map;

/// The StatefulSet of a ring. It keeps pods running by itself and decides nothing else.
///
/// - Parallel: after a full outage the members need each other to become ready.
/// - The partition equals the replicas: a lost pod comes back at the revision that it had.
/// - Claims are retained, whatever happens to the set. Before Kubernetes 1.23 the server drops this unknown
///   field, and retains claims anyway.
public final class StatefulSetManifest {
    private StatefulSetManifest() {}

    /// `storage` is what the claims of future members request.
    public static ObjectNode of(RingObjects wanted, int replicas, Storage storage) {
        ClusterRef ref = wanted.spec().ref();
        var rolling = new JsonObject().put("partition", replicas);
        var spec = new JsonObject()
                .put("replicas", replicas)
                .put("serviceName", Labels.peerService(ref))
                .put("podManagementPolicy", "Parallel")
                .put("revisionHistoryLimit", 5)
                .put(
                        "updateStrategy",
                        new JsonObject().put("type", "RollingUpdate").put("rollingUpdate", rolling))
                .put("persistentVolumeClaimRetentionPolicy", Map.of("whenDeleted", "Retain", "whenScaled", "Retain"))
                .put("selector", Metadata.members(ref))
                .put("template", PodManifest.of(wanted))
                .objects("volumeClaimTemplates", List.of(claimTemplate(ref, wanted.claims(), storage)));
        ObjectNode set = JsonObject.of(ObjectKind.STATEFUL_SET, Metadata.of(wanted, ref.name()))
                .put("spec", spec)
                .tree();
        Tree.annotate(set, Labels.TEMPLATE_DIGEST, PodManifest.digest(wanted));
        return set;
    }

    /// Equals the claim that the controller creates for a member, under another name.
    public static ObjectNode claim(ClusterRef ref, String name, Storage storage) {
        return claimTemplate(ref, name, storage).tree();
    }

    private static JsonObject claimTemplate(ClusterRef ref, String name, Storage storage) {
        var metadata = new JsonObject().put("name", name).put("labels", Labels.of(ref));
        return JsonObject.of(ObjectKind.CLAIM, metadata)
                .put("spec", volume(storage.size()).put("storageClassName", storage.storageClassName()));
    }

    /// The spec of a claim of the default class.
    static JsonObject volume(String size) {
        return new JsonObject()
                .texts("accessModes", List.of("ReadWriteOnce"))
                .put("resources", new JsonObject().put("requests", Map.of("storage", size)));
    }
}
