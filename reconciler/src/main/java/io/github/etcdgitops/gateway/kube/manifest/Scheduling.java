package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Where a member's pod may run, and as which user: the spec's own Kubernetes values, with defaults where
/// it has none.
final class Scheduling {
    private static final String AFFINITY = "affinity";
    private static final String SPREAD = "topologySpreadConstraints";
    private static final String PRIORITY = "priorityClassName";
    private static final String SECURITY = "securityContext";
    private static final Set<String> FROM_SPEC = Set.of(
            AFFINITY, SPREAD, PRIORITY, SECURITY, "tolerations", "nodeSelector", "imagePullSecrets", "schedulerName");

    private static final String SELECTOR = "labelSelector";
    private static final String NODE_AFFINITY = "nodeAffinity";
    private static final String RUN_AS = "runAsUser";
    private static final String RUN_AS_GROUP = "runAsGroup";
    private static final String FS_GROUP = "fsGroup";
    private static final long UNPRIVILEGED = 65532;

    private Scheduling() {}

    static JsonObject of(EtcdClusterSpec spec) {
        ClusterRef ref = spec.ref();
        JsonObject scheduling = fromSpec(spec.podTemplate().pod());
        ObjectNode pod = scheduling.tree();
        scheduling.put(SECURITY, restricted(ref, pod.path(SECURITY)));
        if (!pod.has(AFFINITY)) {
            scheduling.put(AFFINITY, apart(ref));
        }
        for (JsonNode constraint : pod.path(SPREAD)) {
            // For a constraint without a selector, Kubernetes counts no pods at all.
            if (constraint instanceof ObjectNode object && !object.has(SELECTOR)) {
                object.set(SELECTOR, Metadata.members(ref).tree());
            }
        }
        return scheduling;
    }

    /// For a pod at the volume of a member. The rules that separate members would keep the pod away from
    /// it, and the members' priority would let it evict other pods. Without an fsGroup the kubelet changes
    /// no owner on the volume.
    static JsonObject atVolume(EtcdClusterSpec spec) {
        JsonObject scheduling = of(spec);
        ObjectNode pod = scheduling.tree();
        var security = pod.withObjectProperty(SECURITY);
        security.putArray("supplementalGroups").add(security.remove(FS_GROUP));
        security.remove("fsGroupChangePolicy");
        JsonNode nodes = pod.path(AFFINITY).path(NODE_AFFINITY);
        pod.remove(List.of(AFFINITY, SPREAD, PRIORITY));
        return nodes.isMissingNode()
                ? scheduling
                : scheduling.put(AFFINITY, new JsonObject().put(NODE_AFFINITY, JsonObject.from(nodes)));
    }

    /// The affinity of a pod that must run on one node.
    static JsonObject on(String machine) {
        var name = new JsonObject()
                .put("key", "metadata.name")
                .put("operator", "In")
                .texts("values", List.of(machine));
        var terms = new JsonObject()
                .objects("nodeSelectorTerms", List.of(new JsonObject().objects("matchFields", List.of(name))));
        return new JsonObject()
                .put(NODE_AFFINITY, new JsonObject().put("requiredDuringSchedulingIgnoredDuringExecution", terms));
    }

    /// Checked by the library's types, whose many classes are loaded only for a spec that has such values.
    private static JsonObject fromSpec(Map<String, Object> pod) {
        var taken = new TreeMap<>(pod);
        taken.keySet().retainAll(FROM_SPEC);
        if (taken.isEmpty()) {
            return new JsonObject();
        }
        try {
            return JsonObject.from(CanonicalJson.MAPPER.convertValue(taken, PodSpec.class));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("podTemplate is not valid for Kubernetes", e);
        }
    }

    /// Preferred, not required: a ring that cannot be spread is still better than one that does not run.
    private static JsonObject apart(ClusterRef ref) {
        var terms =
                List.of(apartBy(ref, 100, "kubernetes.io/hostname"), apartBy(ref, 50, "topology.kubernetes.io/zone"));
        return new JsonObject()
                .put(
                        "podAntiAffinity",
                        new JsonObject().objects("preferredDuringSchedulingIgnoredDuringExecution", terms));
    }

    private static JsonObject apartBy(ClusterRef ref, int weight, String topology) {
        var term = new JsonObject().put(SELECTOR, Metadata.members(ref)).put("topologyKey", topology);
        return new JsonObject().put("weight", weight).put("podAffinityTerm", term);
    }

    private static JsonObject restricted(ClusterRef ref, JsonNode user) {
        long runAs = user.path(RUN_AS).asLong(UNPRIVILEGED);
        if (runAs == 0) {
            throw new IllegalArgumentException(ref + ": members do not run as root");
        }
        return new JsonObject()
                .put("runAsNonRoot", true)
                .put(RUN_AS, runAs)
                .put(RUN_AS_GROUP, user.path(RUN_AS_GROUP).asLong(UNPRIVILEGED))
                .put(FS_GROUP, user.path(FS_GROUP).asLong(UNPRIVILEGED))
                .put("fsGroupChangePolicy", "OnRootMismatch")
                .put("seccompProfile", Map.of("type", "RuntimeDefault"));
    }
}
