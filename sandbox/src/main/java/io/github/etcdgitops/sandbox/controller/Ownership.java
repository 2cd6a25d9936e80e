package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.LabelSelector;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Who owns an object, and how that changes.
final class Ownership {
    private static final String REFERENCES = "ownerReferences";

    private Ownership() {}

    static JsonNode references(JsonNode object) {
        return object.path("metadata").path(REFERENCES);
    }

    static Optional<JsonNode> controller(JsonNode object) {
        for (JsonNode reference : references(object)) {
            if (reference.path("controller").asBoolean()) {
                return Optional.of(reference);
            }
        }
        return Optional.empty();
    }

    static boolean controlledBy(JsonNode object, JsonNode owner) {
        return controller(object)
                .filter(reference -> reference.path("uid").asText().equals(Meta.uid(owner)))
                .isPresent();
    }

    static ObjectNode reference(ObjectNode owner) {
        return owner.objectNode()
                .put("apiVersion", owner.path("apiVersion").asText())
                .put("kind", owner.path("kind").asText())
                .put("name", Meta.name(owner))
                .put("uid", Meta.uid(owner))
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    static ObjectNode adopted(ObjectNode object, ObjectNode owner) {
        ArrayNode references = Meta.of(object).withArrayProperty(REFERENCES);
        references.add(reference(owner));
        return object;
    }

    /// Without the references that are meant.
    static ObjectNode without(ObjectNode object, Predicate<JsonNode> meant) {
        ArrayNode references = Meta.of(object).withArrayProperty(REFERENCES);
        references.removeIf(meant);
        if (references.isEmpty()) {
            Meta.of(object).remove(REFERENCES);
        }
        return object;
    }

    static ObjectNode released(ObjectNode object, JsonNode owner) {
        return without(object, reference -> reference.path("uid").asText().equals(Meta.uid(owner)));
    }

    enum Claim {
        OURS,
        ADOPT,
        RELEASE,
        NOT_OURS
    }

    /// What an owner with a selector does about an object. One that is being deleted takes and lets go of
    /// nothing.
    static Claim claim(ObjectNode owner, ObjectNode object, Predicate<ObjectNode> member) {
        boolean meant = LabelSelector.of(owner.path("spec").path("selector")).matches(object) && member.test(object);
        if (controlledBy(object, owner)) {
            return meant ? Claim.OURS : Meta.deleting(owner) ? Claim.NOT_OURS : Claim.RELEASE;
        }
        boolean free = controller(object).isEmpty() && !Meta.deleting(object) && !Meta.deleting(owner);
        return meant && free ? Claim.ADOPT : Claim.NOT_OURS;
    }

    /// What belongs to the owner, after taking what is free and letting go of what it does not mean any more.
    static List<ObjectNode> owned(
            KubeObjects objects, Resource resource, ObjectNode owner, Predicate<ObjectNode> member) {
        String namespace = Meta.namespace(owner);
        var owned = new ArrayList<ObjectNode>();
        for (ObjectNode object : objects.list(resource, namespace).items()) {
            switch (claim(owner, object, member)) {
                case OURS -> owned.add(object);
                case ADOPT ->
                    owned.add(objects.update(
                            resource,
                            namespace,
                            Meta.name(object),
                            Unchanged.since(object, now -> adopted(now, owner))));
                case RELEASE ->
                    objects.update(
                            resource,
                            namespace,
                            Meta.name(object),
                            Unchanged.since(object, now -> released(now, owner)));
                case NOT_OURS -> {}
            }
        }
        return owned;
    }
}
