package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The two Services of a ring: one gives every member its DNS name, one is for clients.
final class ServiceManifests {
    private ServiceManifests() {}

    /// Publishes members that are not ready: a ring cannot become ready before its members find each other.
    static JsonObject peers(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        var spec = new JsonObject()
                .put("type", "ClusterIP")
                .put("clusterIP", "None")
                .put("publishNotReadyAddresses", true)
                .put("selector", Labels.selector(ref))
                .objects("ports", ports(Ports.of(wanted.applied().transport())));
        return JsonObject.of(ObjectKind.SERVICE, Metadata.of(wanted, Labels.peerService(ref)))
                .put("spec", spec);
    }

    /// Only ready members, and no joining learner: it may look ready and refuses most requests.
    static JsonObject clients(RingObjects wanted) {
        ClusterRef ref = wanted.spec().ref();
        Map<String, String> selector = new TreeMap<>(Labels.selector(ref));
        selector.put(Labels.CLIENTS, Labels.YES);
        var spec = new JsonObject()
                .put("type", "ClusterIP")
                .put("publishNotReadyAddresses", false)
                .put("selector", selector)
                .objects("ports", ports(Map.of(Ports.CLIENT_NAME, Ports.CLIENT)));
        return JsonObject.of(ObjectKind.SERVICE, Metadata.of(wanted, ref.name()))
                .put("spec", spec);
    }

    private static List<JsonObject> ports(Map<String, Integer> ports) {
        return ports.entrySet().stream()
                .map(port -> new JsonObject()
                        .put("name", port.getKey())
                        .put("port", port.getValue())
                        .put("targetPort", port.getKey())
                        .put("protocol", "TCP"))
                .toList();
    }
}
