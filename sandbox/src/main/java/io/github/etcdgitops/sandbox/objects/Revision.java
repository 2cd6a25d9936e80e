package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// What becomes of an object when somebody writes it: which parts of his are taken, and which stay the
/// server's.
final class Revision {
    /// Set by the server alone.
    private static final List<String> SYSTEM = List.of(
            "name",
            "namespace",
            "uid",
            "creationTimestamp",
            "generation",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
            "resourceVersion",
            "generateName");

    private static final int LONGEST_PREFIX = 58;

    private Revision() {}

    static ObjectNode created(Resource resource, String namespace, ObjectNode given, Instant now) {
        ObjectNode object = cleaned(resource, given);
        ObjectNode meta = Meta.of(object);
        meta.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "generation", "selfLink"));
        if (resource.namespaced()) {
            meta.put("namespace", namespace);
        }
        String prefix = Meta.text(object, "generateName");
        if (Meta.name(object).isEmpty() && !prefix.isEmpty()) {
            meta.put(
                    "name",
                    prefix.substring(0, Math.min(prefix.length(), LONGEST_PREFIX))
                            + UUID.randomUUID().toString().substring(0, 5));
        }
        meta.put("uid", UUID.randomUUID().toString()).put("creationTimestamp", Meta.time(now));
        if (resource.hasGeneration()) {
            meta.put("generation", 1);
        }
        Defaults.fill(resource, object);
        Defaults.freshStatus(resource, object);
        return object;
    }

    /// A write of everything but the status.
    static ObjectNode updated(Resource resource, ObjectNode before, ObjectNode given) {
        ObjectNode object = cleaned(resource, given);
        SYSTEM.forEach(field -> Meta.carry(field, before.path("metadata"), Meta.of(object)));
        if (resource.hasStatus()) {
            Meta.carry("status", before, object);
        }
        if (resource == Resource.NAMESPACE) {
            Meta.carry("spec", before, object);
        }
        Defaults.fill(resource, object);
        if (resource.hasGeneration() && !before.path("spec").equals(object.path("spec"))) {
            nextGeneration(object);
        }
        return object;
    }

    /// A write of the status. Labels and annotations go with it, as they do on a real API server.
    static ObjectNode reported(Resource resource, ObjectNode before, ObjectNode given) {
        ObjectNode object = before.deepCopy();
        ObjectNode report = cleaned(resource, given);
        Meta.carry("status", report, object);
        for (String field : List.of("labels", "annotations", "finalizers")) {
            Meta.carry(field, report.path("metadata"), Meta.of(object));
        }
        JsonNode spec = report.path("spec");
        switch (resource) {
            case POD -> once("nodeName", spec, object.withObjectProperty("spec"));
            case PERSISTENT_VOLUME_CLAIM -> once("volumeName", spec, object.withObjectProperty("spec"));
            case NAMESPACE -> Meta.carry("finalizers", spec, object.withObjectProperty("spec"));
            default -> {}
        }
        return object;
    }

    private static void once(String field, JsonNode from, ObjectNode to) {
        if (!to.has(field)) {
            Meta.carry(field, from, to);
        }
    }

    static void nextGeneration(ObjectNode object) {
        long generation = object.path("metadata").path("generation").asLong();
        if (generation > 0) {
            Meta.of(object).put("generation", generation + 1);
        }
    }

    private static ObjectNode cleaned(Resource resource, ObjectNode given) {
        ObjectNode object = given.deepCopy();
        Meta.dropNulls(object);
        object.put("apiVersion", resource.versions().getFirst()).put("kind", resource.kind());
        ObjectNode meta = Meta.of(object);
        meta.remove("managedFields");
        for (String field : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
            if (meta.path(field).isEmpty()) {
                meta.remove(field);
            }
        }
        return object;
    }
}
