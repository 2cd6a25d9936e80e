package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.LabelSelector;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The addresses behind a Service.
final class EndpointsDecision {
    private static final String HEADLESS = "service.kubernetes.io/headless";

    private EndpointsDecision() {}

    /// Without a selector somebody else keeps the addresses.
    static boolean applies(JsonNode service) {
        return !service.path("spec").path("selector").isEmpty();
    }

    static boolean selects(JsonNode service, JsonNode pod) {
        ObjectNode selector = ((ObjectNode) service).objectNode();
        selector.set("matchLabels", service.path("spec").path("selector"));
        return applies(service) && LabelSelector.of(selector).matches(pod);
    }

    static ObjectNode endpoints(ObjectNode service, List<ObjectNode> pods) {
        ObjectNode endpoints = service.objectNode().put("apiVersion", "v1").put("kind", "Endpoints");
        ObjectNode metadata = endpoints.putObject("metadata");
        metadata.put("name", Meta.name(service)).put("namespace", Meta.namespace(service));
        ObjectNode labels = service.objectNode();
        if (Meta.labels(service) instanceof ObjectNode own) {
            labels.setAll(own);
        }
        if (isHeadless(service)) {
            labels.put(HEADLESS, "");
        }
        if (!labels.isEmpty()) {
            metadata.set("labels", labels);
        }
        ArrayNode subsets = subsets(service, pods);
        if (!subsets.isEmpty()) {
            endpoints.set("subsets", subsets);
        }
        return endpoints;
    }

    private static boolean isHeadless(JsonNode service) {
        return service.path("spec").path("clusterIP").asText().equals("None");
    }

    private static boolean publishesAll(JsonNode service) {
        return service.path("spec").path("publishNotReadyAddresses").asBoolean();
    }

    /// One subset for each set of ports: a named port may be another number in another pod.
    private static ArrayNode subsets(ObjectNode service, List<ObjectNode> pods) {
        var byPorts = new LinkedHashMap<ArrayNode, ObjectNode>();
        List<ObjectNode> sorted =
                pods.stream().sorted(Comparator.comparing(Meta::name)).toList();
        for (ObjectNode pod : sorted) {
            if (!selects(service, pod) || ip(pod).isEmpty() || PodState.over(pod)) {
                continue;
            }
            if (Meta.deleting(pod) && !publishesAll(service)) {
                continue;
            }
            ArrayNode ports = ports(service, pod);
            if (ports.isEmpty()
                    && !(isHeadless(service)
                            && service.path("spec").path("ports").isEmpty())) {
                continue;
            }
            boolean ready = publishesAll(service) || PodState.ready(pod);
            byPorts.computeIfAbsent(ports, any -> service.objectNode())
                    .withArrayProperty(ready ? "addresses" : "notReadyAddresses")
                    .add(address(service, pod));
        }
        ArrayNode subsets = service.arrayNode();
        for (Map.Entry<ArrayNode, ObjectNode> entry : byPorts.entrySet()) {
            if (!entry.getKey().isEmpty()) {
                entry.getValue().set("ports", entry.getKey());
            }
            subsets.add(entry.getValue());
        }
        return subsets;
    }

    private static String ip(JsonNode pod) {
        return pod.path("status").path("podIP").asText("");
    }

    private static ObjectNode address(ObjectNode service, ObjectNode pod) {
        ObjectNode address = service.objectNode().put("ip", ip(pod));
        String hostname = pod.path("spec").path("hostname").asText("");
        if (!hostname.isEmpty() && pod.path("spec").path("subdomain").asText().equals(Meta.name(service))) {
            address.put("hostname", hostname);
        }
        address.put("nodeName", PodState.node(pod))
                .putObject("targetRef")
                .put("kind", "Pod")
                .put("name", Meta.name(pod))
                .put("namespace", Meta.namespace(pod))
                .put("uid", Meta.uid(pod));
        return address;
    }

    private static ArrayNode ports(ObjectNode service, ObjectNode pod) {
        ArrayNode ports = service.arrayNode();
        for (JsonNode port : service.path("spec").path("ports")) {
            target(port, pod).ifPresent(number -> {
                ObjectNode out = ports.addObject();
                if (port.hasNonNull("name")) {
                    out.put("name", port.path("name").asText());
                }
                out.put("port", number).put("protocol", port.path("protocol").asText("TCP"));
            });
        }
        return ports;
    }

    /// A port that the pod does not name is left out.
    private static Optional<Integer> target(JsonNode port, ObjectNode pod) {
        JsonNode target = port.path("targetPort");
        if (!target.isTextual()) {
            return Optional.of(target.asInt(port.path("port").asInt()));
        }
        for (JsonNode container : pod.path("spec").path("containers")) {
            for (JsonNode offered : container.path("ports")) {
                if (offered.path("name").asText().equals(target.asText())
                        && offered.path("protocol")
                                .asText("TCP")
                                .equals(port.path("protocol").asText("TCP"))) {
                    return Optional.of(offered.path("containerPort").asInt());
                }
            }
        }
        return Optional.empty();
    }
}
