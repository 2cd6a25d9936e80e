package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NetworkAccess;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Who may connect to a member's ports: peers only each other, clients and metrics as the spec says.
final class NetworkPolicyManifest {
    private NetworkPolicyManifest() {}

    static JsonObject of(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        NetworkAccess network = wanted.spec().network();
        var ingress = List.of(
                peers(wanted),
                admitted(ref, network.clients(), Ports.CLIENT),
                admitted(ref, network.metrics(), Ports.METRICS));
        var spec = new JsonObject()
                .put("podSelector", Metadata.members(ref))
                .texts("policyTypes", List.of("Ingress"))
                .objects("ingress", ingress);
        return JsonObject.of(ObjectKind.NETWORK_POLICY, Metadata.of(wanted, ref.name()))
                .put("spec", spec);
    }

    /// The reconciler checks that peers require a certificate: it has none that would make it a member.
    private static JsonObject peers(RingObjects wanted) {
        var from = new ArrayList<>(List.of(ring(wanted.spec().ref())));
        if (wanted.authority().isPresent()) {
            from.add(reconciler());
        }
        var ports = new ArrayList<JsonObject>();
        if (wanted.applied().transport().peer().plain()) {
            ports.add(port(Ports.PEER));
        }
        ports.add(port(Ports.PEER_TLS));
        return new JsonObject().objects("from", from).objects("ports", ports);
    }

    /// Whatever the spec allows, the members themselves and the reconciler stay allowed: a reconciler that
    /// cannot reach a member can neither observe nor repair the ring.
    private static JsonObject admitted(ClusterRef ref, Optional<Map<String, Object>> from, int port) {
        var rule = new JsonObject().objects("ports", List.of(port(port)));
        from.ifPresent(selector -> rule.objects("from", List.of(namespaces(selector), ring(ref), reconciler())));
        return rule;
    }

    private static JsonObject namespaces(Map<String, Object> selector) {
        var labels = JsonObject.from(selector);
        leaveOutEmpty(labels.tree());
        return new JsonObject().put("namespaceSelector", labels);
    }

    private static void leaveOutEmpty(JsonNode tree) {
        tree.forEach(NetworkPolicyManifest::leaveOutEmpty);
        if (tree instanceof ObjectNode object) {
            object.removeIf(value -> value.isContainerNode() && value.isEmpty());
        }
    }

    private static JsonObject ring(ClusterRef ref) {
        return new JsonObject().put("podSelector", Metadata.members(ref));
    }

    /// Requires both labels, the pod's and its namespace's: a user who may only create pods cannot get
    /// access.
    private static JsonObject reconciler() {
        return new JsonObject()
                .put("namespaceSelector", Metadata.selector(Map.of(Labels.RECONCILER, Labels.YES)))
                .put("podSelector", Metadata.selector(Map.of(Labels.NAME, Labels.MANAGER)));
    }

    private static JsonObject port(int number) {
        return new JsonObject().put("protocol", "TCP").put("port", number);
    }
}
