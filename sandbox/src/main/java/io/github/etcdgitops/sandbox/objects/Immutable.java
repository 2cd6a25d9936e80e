package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.List;

/// What may not be changed once it is there.
final class Immutable {
    private Immutable() {}

    static List<Refusal.Cause> changed(Resource resource, ObjectNode before, ObjectNode after) {
        var problems = new Problems();
        JsonNode old = before.path("spec");
        JsonNode spec = after.path("spec");
        switch (resource) {
            case STATEFUL_SET -> statefulSet(old, spec, problems);
            case POD -> pod(old, spec, problems);
            case JOB -> Jobs.changed(old, spec, problems);
            case PERSISTENT_VOLUME_CLAIM -> claim(before, after, problems);
            case SERVICE -> service(old, spec, problems);
            case SECRET -> {
                if (!before.path("type").equals(after.path("type"))) {
                    problems.invalid("type", after.path("type"), "field is immutable");
                }
                data(before, after, problems);
            }
            case CONFIG_MAP -> data(before, after, problems);
            case CONTROLLER_REVISION -> {
                if (!before.path("data").equals(after.path("data"))) {
                    problems.invalid("data", after.path("data"), "field is immutable");
                }
            }
            case PERSISTENT_VOLUME,
                    NAMESPACE,
                    NODE,
                    STORAGE_CLASS,
                    ENDPOINTS,
                    EVENT,
                    POD_DISRUPTION_BUDGET,
                    NETWORK_POLICY,
                    LEASE -> {}
        }
        finalizers(before, after, problems);
        return problems.causes();
    }

    private static void finalizers(ObjectNode before, ObjectNode after, Problems problems) {
        List<String> known = Meta.finalizers(before);
        if (Meta.deleting(before)
                && Meta.finalizers(after).stream().anyMatch(finalizer -> !known.contains(finalizer))) {
            problems.forbidden("metadata.finalizers", "no new finalizers can be added if the object is being deleted");
        }
    }

    private static void statefulSet(JsonNode old, JsonNode spec, Problems problems) {
        if (!without(old, "replicas", "template", "updateStrategy")
                .equals(without(spec, "replicas", "template", "updateStrategy"))) {
            problems.forbidden(
                    "spec",
                    "updates to statefulset spec for fields other than 'replicas', 'template', and"
                            + " 'updateStrategy' are forbidden");
        }
    }

    private static void pod(JsonNode old, JsonNode spec, Problems problems) {
        if (!withoutImages(old).equals(withoutImages(spec))) {
            problems.forbidden(
                    "spec",
                    "pod updates may not change fields other than `spec.containers[*].image`,"
                            + " `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations`"
                            + " (only additions to existing tolerations)");
        }
    }

    private static JsonNode withoutImages(JsonNode spec) {
        JsonNode rest = without(spec, "activeDeadlineSeconds", "tolerations");
        for (String containers : List.of("containers", "initContainers")) {
            Meta.objects(rest.path(containers)).forEach(container -> container.remove("image"));
        }
        return rest;
    }

    private static void claim(ObjectNode before, ObjectNode after, Problems problems) {
        JsonNode old = before.path("spec");
        JsonNode spec = after.path("spec");
        boolean bound = before.path("status").path("phase").asText().equals("Bound");
        JsonNode fixed = without(old, "resources", old.has("volumeName") ? "" : "volumeName");
        JsonNode now = without(spec, "resources", old.has("volumeName") ? "" : "volumeName");
        int growth = storage(spec).compareTo(storage(old));
        if (!fixed.equals(now) || (growth != 0 && !bound)) {
            problems.forbidden("spec", "spec is immutable after creation except resources.requests for bound claims");
        } else if (growth < 0) {
            problems.forbidden("spec.resources.requests.storage", "field can not be less than previous value");
        }
    }

    static BigDecimal storage(JsonNode claimSpec) {
        return Quantity.parse(claimSpec
                        .path("resources")
                        .path("requests")
                        .path("storage")
                        .asText(""))
                .map(Quantity::value)
                .orElse(BigDecimal.ZERO);
    }

    private static void service(JsonNode old, JsonNode spec, Problems problems) {
        String address = old.path("clusterIP").asText("");
        String now = spec.path("clusterIP").asText("");
        if (!address.isEmpty() && !address.equals(now)) {
            problems.invalid(
                    "spec.clusterIPs[0]",
                    spec.path("clusterIP"),
                    now.isEmpty() ? "primary clusterIP can not be unset" : "may not change once set");
        }
    }

    private static void data(ObjectNode before, ObjectNode after, Problems problems) {
        if (!before.path("immutable").asBoolean()) {
            return;
        }
        if (!after.path("immutable").asBoolean()) {
            problems.forbidden("immutable", "field is immutable when `immutable` is set");
        }
        if (!before.path("data").equals(after.path("data"))) {
            problems.forbidden("data", "field is immutable when `immutable` is set");
        }
    }

    private static JsonNode without(JsonNode spec, String... fields) {
        return spec instanceof ObjectNode object ? object.deepCopy().remove(List.of(fields)) : spec;
    }
}
