package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Whether an object, defaults filled in, is one that an API server keeps. Not everything that a real one
/// checks: what somebody who writes etcd's objects can get wrong.
final class Validation {
    private static final int MEBIBYTE = 1 << 20;

    private Validation() {}

    static List<Refusal.Cause> of(Resource resource, ObjectNode object) {
        var problems = new Problems();
        Names.check(resource, object, problems);
        JsonNode spec = object.path("spec");
        switch (resource) {
            case POD -> pod("spec", spec, problems);
            case STATEFUL_SET -> statefulSet(spec, problems);
            case JOB -> {
                Jobs.check(object, problems);
                pod("spec.template.spec", spec.path("template").path("spec"), Set.of(), problems);
            }
            case PERSISTENT_VOLUME_CLAIM -> claim("spec", spec, problems);
            case SERVICE -> service(spec, problems);
            case CONFIG_MAP, SECRET -> data(object, problems);
            case POD_DISRUPTION_BUDGET -> budget(spec, problems);
            case LEASE -> {
                if (spec.path("leaseDurationSeconds").asInt(1) <= 0) {
                    problems.invalid(
                            "spec.leaseDurationSeconds", spec.path("leaseDurationSeconds"), "must be positive");
                }
                problems.negative("spec.leaseTransitions", spec.path("leaseTransitions"));
            }
            case NETWORK_POLICY ->
                spec.path("policyTypes")
                        .forEach(type -> problems.unsupported("spec.policyTypes", type, List.of("Egress", "Ingress")));
            case STORAGE_CLASS ->
                problems.required(
                        "provisioner", !object.path("provisioner").asText("").isEmpty());
            case NAMESPACE, NODE, PERSISTENT_VOLUME, ENDPOINTS, EVENT, CONTROLLER_REVISION -> {}
        }
        return problems.causes();
    }

    private static void statefulSet(JsonNode spec, Problems problems) {
        problems.negative("spec.replicas", spec.path("replicas"));
        problems.unsupported(
                "spec.podManagementPolicy", spec.path("podManagementPolicy"), List.of("OrderedReady", "Parallel"));
        JsonNode strategy = spec.path("updateStrategy");
        problems.unsupported("spec.updateStrategy.type", strategy.path("type"), List.of("RollingUpdate", "OnDelete"));
        problems.negative(
                "spec.updateStrategy.rollingUpdate.partition",
                strategy.path("rollingUpdate").path("partition"));
        problems.required("spec.selector", !spec.path("selector").isEmpty());
        JsonNode template = spec.path("template");
        JsonNode labels = Meta.labels(template);
        if (!spec.path("selector").isEmpty()
                && !LabelSelector.of(spec.path("selector")).matches(template)) {
            problems.invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`");
        }
        Names.labels("spec.template.metadata.labels", labels, problems);
        JsonNode pod = template.path("spec");
        problems.unsupported("spec.template.spec.restartPolicy", pod.path("restartPolicy"), List.of("Always"));
        Set<String> claims = new HashSet<>();
        spec.path("volumeClaimTemplates").forEach(claim -> claims.add(Meta.name(claim)));
        pod("spec.template.spec", pod, claims, problems);
    }

    private static void pod(String at, JsonNode spec, Problems problems) {
        problems.unsupported(
                at + ".restartPolicy", spec.path("restartPolicy"), List.of("Always", "OnFailure", "Never"));
        pod(at, spec, Set.of(), problems);
    }

    private static void pod(String at, JsonNode spec, Set<String> claims, Problems problems) {
        problems.negative(at + ".terminationGracePeriodSeconds", spec.path("terminationGracePeriodSeconds"));
        problems.required(at + ".containers", !spec.path("containers").isEmpty());
        Set<String> volumes = new HashSet<>(claims);
        spec.path("volumes").forEach(volume -> volumes.add(volume.path("name").asText()));
        for (String kind : List.of("initContainers", "containers")) {
            int index = 0;
            for (JsonNode container : spec.path(kind)) {
                container(at + "." + kind + "[" + index + "]", container, volumes, problems);
                index++;
            }
        }
    }

    private static void container(String at, JsonNode container, Set<String> volumes, Problems problems) {
        problems.required(at + ".name", !container.path("name").asText("").isEmpty());
        problems.required(at + ".image", !container.path("image").asText("").isEmpty());
        int index = 0;
        for (JsonNode mount : container.path("volumeMounts")) {
            String field = at + ".volumeMounts[" + index + "]";
            if (!volumes.contains(mount.path("name").asText())) {
                problems.notFound(field + ".name", mount.path("name"));
            }
            problems.required(field + ".mountPath", mount.hasNonNull("mountPath"));
            index++;
        }
        for (JsonNode port : container.path("ports")) {
            port(at + ".ports.containerPort", port.path("containerPort"), problems);
        }
    }

    private static void port(String field, JsonNode port, Problems problems) {
        if (port.asInt() < 1 || port.asInt() > 65_535) {
            problems.invalid(field, port, "must be between 1 and 65535, inclusive");
        }
    }

    private static void claim(String at, JsonNode spec, Problems problems) {
        problems.required(at + ".accessModes", !spec.path("accessModes").isEmpty());
        JsonNode storage = spec.path("resources").path("requests").path("storage");
        problems.required(at + ".resources[storage]", storage.isTextual());
        if (storage.isTextual()
                && Quantity.parse(storage.asText())
                        .filter(q -> q.value().signum() > 0)
                        .isEmpty()) {
            problems.invalid(at + ".resources[storage]", storage, "must be greater than zero");
        }
    }

    private static void service(JsonNode spec, Problems problems) {
        boolean headless = spec.path("clusterIP").asText("").equals("None");
        problems.required(
                "spec.ports",
                headless
                        || spec.path("type").asText().equals("ExternalName")
                        || !spec.path("ports").isEmpty());
        problems.unsupported(
                "spec.type", spec.path("type"), List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort"));
        for (JsonNode port : spec.path("ports")) {
            port("spec.ports.port", port.path("port"), problems);
            problems.required(
                    "spec.ports.name",
                    spec.path("ports").size() == 1
                            || !port.path("name").asText("").isEmpty());
        }
    }

    private static void data(ObjectNode object, Problems problems) {
        Names.dataKeys(object, problems);
        if (object.path("data").toString().length() > MEBIBYTE) {
            problems.tooLong("");
        }
    }

    private static void budget(JsonNode spec, Problems problems) {
        if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
            problems.invalid("spec", spec, "minAvailable and maxUnavailable cannot be both set");
        }
        problems.negative("spec.minAvailable", spec.path("minAvailable"));
        problems.negative("spec.maxUnavailable", spec.path("maxUnavailable"));
    }
}
