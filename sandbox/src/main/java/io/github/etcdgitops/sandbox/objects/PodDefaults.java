package io.github.etcdgitops.sandbox.objects;

import static io.github.etcdgitops.sandbox.objects.Meta.objects;
import static io.github.etcdgitops.sandbox.objects.Meta.putDefault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;

/// What an API server fills in where a pod, or a template of pods, says nothing.
final class PodDefaults {
    private static final int MODE = 0644;

    private PodDefaults() {}

    static void pod(ObjectNode spec) {
        template(spec);
        if (!spec.has("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
        putDefault(spec, "serviceAccountName", "default");
        spec.set("serviceAccount", spec.get("serviceAccountName"));
        for (String containers : List.of("initContainers", "containers")) {
            objects(spec.path(containers)).forEach(PodDefaults::requests);
        }
    }

    private static void requests(ObjectNode container) {
        ObjectNode resources = container.withObjectProperty("resources");
        for (var limit : Meta.entries(resources.path("limits"))) {
            ObjectNode requests = resources.withObjectProperty("requests");
            if (!requests.has(limit.getKey())) {
                requests.set(limit.getKey(), limit.getValue());
            }
        }
    }

    static void template(ObjectNode spec) {
        putDefault(spec, "restartPolicy", "Always");
        putDefault(spec, "dnsPolicy", "ClusterFirst");
        putDefault(spec, "schedulerName", "default-scheduler");
        putDefault(spec, "terminationGracePeriodSeconds", 30);
        spec.withObjectProperty("securityContext");
        for (String containers : List.of("initContainers", "containers")) {
            objects(spec.path(containers)).forEach(PodDefaults::container);
        }
        objects(spec.path("volumes")).forEach(PodDefaults::volume);
    }

    private static void container(ObjectNode container) {
        putDefault(container, "terminationMessagePath", "/dev/termination-log");
        putDefault(container, "terminationMessagePolicy", "File");
        putDefault(
                container, "imagePullPolicy", pullPolicy(container.path("image").asText("")));
        canonical(container.withObjectProperty("resources"));
        objects(container.path("ports")).forEach(port -> putDefault(port, "protocol", "TCP"));
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            if (container.get(probe) instanceof ObjectNode present) {
                probe(present);
            }
        }
        for (ObjectNode variable : objects(container.path("env"))) {
            if (variable.path("valueFrom").get("fieldRef") instanceof ObjectNode field) {
                putDefault(field, "apiVersion", "v1");
            }
        }
    }

    private static String pullPolicy(String image) {
        boolean digest = image.contains("@");
        int tag = image.indexOf(':', image.lastIndexOf('/') + 1);
        boolean latest = !digest && (tag < 0 || image.substring(tag + 1).equals("latest"));
        return latest ? "Always" : "IfNotPresent";
    }

    private static void probe(ObjectNode probe) {
        putDefault(probe, "timeoutSeconds", 1);
        putDefault(probe, "periodSeconds", 10);
        putDefault(probe, "successThreshold", 1);
        putDefault(probe, "failureThreshold", 3);
        if (probe.get("httpGet") instanceof ObjectNode http) {
            putDefault(http, "path", "/");
            putDefault(http, "scheme", "HTTP");
        }
    }

    private static void volume(ObjectNode volume) {
        for (String source : List.of("configMap", "secret", "downwardAPI", "projected")) {
            if (volume.get(source) instanceof ObjectNode present) {
                putDefault(present, "defaultMode", MODE);
            }
        }
        if (volume.size() == 1) {
            volume.putObject("emptyDir");
        }
    }

    /// Writes amounts as an API server does.
    static void canonical(JsonNode resources) {
        for (String section : List.of("limits", "requests")) {
            if (resources.get(section) instanceof ObjectNode amounts) {
                amounts.properties()
                        .forEach(amount -> Quantity.parse(amount.getValue().asText())
                                .ifPresent(q -> amount.setValue(TextNode.valueOf(q.canonical()))));
            }
        }
    }

    static String qualityOfService(JsonNode spec) {
        boolean any = false;
        boolean all = true;
        for (JsonNode container : spec.path("containers")) {
            JsonNode limits = container.path("resources").path("limits");
            JsonNode requests = container.path("resources").path("requests");
            any |= !limits.isEmpty() || !requests.isEmpty();
            all &= limits.has("cpu") && limits.has("memory") && limits.equals(requests);
        }
        return !any ? "BestEffort" : all ? "Guaranteed" : "Burstable";
    }
}
