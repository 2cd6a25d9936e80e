package io.github.etcdgitops.sandbox.objects;

import static io.github.etcdgitops.sandbox.objects.Meta.objects;
import static io.github.etcdgitops.sandbox.objects.Meta.putDefault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/// What an API server fills in where an object says nothing, per kind.
final class Defaults {
    private Defaults() {}

    static void fill(Resource resource, ObjectNode object) {
        switch (resource) {
            case POD -> PodDefaults.pod(object.withObjectProperty("spec"));
            case STATEFUL_SET -> statefulSet(object.withObjectProperty("spec"));
            case JOB -> Jobs.fill(object.withObjectProperty("spec"));
            case PERSISTENT_VOLUME_CLAIM -> claim(object.withObjectProperty("spec"));
            case PERSISTENT_VOLUME -> volume(object.withObjectProperty("spec"));
            case SERVICE -> service(object.withObjectProperty("spec"));
            case SECRET -> secret(object);
            case NETWORK_POLICY -> networkPolicy(object.withObjectProperty("spec"));
            case STORAGE_CLASS -> {
                putDefault(object, "reclaimPolicy", "Delete");
                putDefault(object, "volumeBindingMode", "Immediate");
            }
            case ENDPOINTS ->
                objects(object.path("subsets"))
                        .forEach(subset ->
                                objects(subset.path("ports")).forEach(port -> putDefault(port, "protocol", "TCP")));
            case NAMESPACE, NODE, CONFIG_MAP, EVENT, CONTROLLER_REVISION, POD_DISRUPTION_BUDGET, LEASE -> {}
        }
    }

    /// The status of a new object: what a writer says of it is not believed.
    static void freshStatus(Resource resource, ObjectNode object) {
        if (!resource.hasStatus() || resource == Resource.NODE) {
            return;
        }
        object.remove("status");
        ObjectNode status = object.putObject("status");
        switch (resource) {
            case POD ->
                status.put("phase", "Pending").put("qosClass", PodDefaults.qualityOfService(object.path("spec")));
            case PERSISTENT_VOLUME_CLAIM, PERSISTENT_VOLUME -> status.put("phase", "Pending");
            case NAMESPACE -> status.put("phase", "Active");
            case STATEFUL_SET -> status.put("replicas", 0);
            case SERVICE -> status.putObject("loadBalancer");
            case POD_DISRUPTION_BUDGET ->
                List.of("currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods")
                        .forEach(count -> status.put(count, 0));
            default -> {}
        }
    }

    private static void statefulSet(ObjectNode spec) {
        putDefault(spec, "podManagementPolicy", "OrderedReady");
        putDefault(spec, "replicas", 1);
        putDefault(spec, "revisionHistoryLimit", 10);
        // Not known before Kubernetes 1.23, and dropped by older servers.
        spec.remove("persistentVolumeClaimRetentionPolicy");
        ObjectNode strategy = spec.withObjectProperty("updateStrategy");
        putDefault(strategy, "type", "RollingUpdate");
        if (strategy.path("type").asText().equals("RollingUpdate")) {
            putDefault(strategy.withObjectProperty("rollingUpdate"), "partition", 0);
        }
        PodDefaults.template(spec.withObjectProperty("template").withObjectProperty("spec"));
        for (ObjectNode claim : objects(spec.path("volumeClaimTemplates"))) {
            claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
            claim(claim.withObjectProperty("spec"));
            putDefault(claim.withObjectProperty("status"), "phase", "Pending");
        }
    }

    private static void claim(ObjectNode spec) {
        putDefault(spec, "volumeMode", "Filesystem");
        PodDefaults.canonical(spec.path("resources"));
    }

    private static void volume(ObjectNode spec) {
        putDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
        putDefault(spec, "volumeMode", "Filesystem");
    }

    private static void service(ObjectNode spec) {
        putDefault(spec, "type", "ClusterIP");
        putDefault(spec, "sessionAffinity", "None");
        for (ObjectNode port : objects(spec.path("ports"))) {
            putDefault(port, "protocol", "TCP");
            if (!port.has("targetPort")) {
                port.set("targetPort", port.path("port"));
            }
        }
    }

    private static void secret(ObjectNode secret) {
        putDefault(secret, "type", "Opaque");
        for (var text : Meta.entries(secret.path("stringData"))) {
            byte[] bytes = text.getValue().asText().getBytes(StandardCharsets.UTF_8);
            secret.withObjectProperty("data")
                    .put(text.getKey(), Base64.getEncoder().encodeToString(bytes));
        }
        secret.remove("stringData");
    }

    private static void networkPolicy(ObjectNode spec) {
        if (!spec.has("policyTypes")) {
            var types = spec.putArray("policyTypes").add("Ingress");
            if (!spec.path("egress").isEmpty()) {
                types.add("Egress");
            }
        }
        for (String direction : List.of("ingress", "egress")) {
            for (JsonNode rule : spec.path(direction)) {
                objects(rule.path("ports")).forEach(port -> putDefault(port, "protocol", "TCP"));
            }
        }
    }
}
