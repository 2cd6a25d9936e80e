package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.util.Optional;

/// How something is to be deleted; the body of the request goes before its query.
record DeleteOptions(KubeObjects.Deletion how, boolean orphans, boolean dryRun) {
    static DeleteOptions of(Call call, JsonNode options) {
        JsonNode preconditions = options.path("preconditions");
        Optional<Long> grace = options.hasNonNull("gracePeriodSeconds")
                ? Optional.of(options.path("gracePeriodSeconds").asLong())
                : call.number("gracePeriodSeconds");
        String propagation = options.path("propagationPolicy").asText(call.parameter("propagationPolicy"));
        boolean orphans = propagation.equals("Orphan")
                || options.path("orphanDependents").asBoolean(call.flag("orphanDependents"));
        boolean dryRun =
                call.dryRun() || options.path("dryRun").path(0).asText().equals("All");
        return new DeleteOptions(
                new KubeObjects.Deletion(text(preconditions, "uid"), text(preconditions, "resourceVersion"), grace),
                orphans,
                dryRun);
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.ofNullable(node.get(field)).map(JsonNode::asText).filter(text -> !text.isEmpty());
    }

    /// Takes the owner off everything that it owns, so that nobody collects that with it.
    static void disown(KubeObjects objects, String owner) {
        for (Resource resource : Resource.values()) {
            for (ObjectNode object : objects.list(resource, "").items()) {
                if (owned(object, owner)) {
                    objects.update(
                            resource, Meta.namespace(object), Meta.name(object), newest -> without(newest, owner));
                }
            }
        }
    }

    private static boolean owned(ObjectNode object, String owner) {
        return object.path("metadata")
                .path("ownerReferences")
                .findValuesAsText("uid")
                .contains(owner);
    }

    private static ObjectNode without(ObjectNode object, String owner) {
        Meta.of(object)
                .withArrayProperty("ownerReferences")
                .removeIf(reference -> reference.path("uid").asText().equals(owner));
        return object;
    }
}
