package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.CompatibilityFlags;
import io.fabric8.zjsonpatch.JsonPatch;
import io.fabric8.zjsonpatch.JsonPatchException;
import io.github.etcdgitops.sandbox.objects.Refusal;
import java.util.EnumSet;
import java.util.function.UnaryOperator;

/// Changes that say only what is to change.
final class Patches {
    private static final EnumSet<CompatibilityFlags> STRICT =
            EnumSet.of(CompatibilityFlags.FORBID_REMOVE_MISSING_OBJECT);

    private Patches() {}

    static UnaryOperator<ObjectNode> of(Call call) {
        String type = call.contentType().replaceFirst(";.*", "").strip();
        return switch (type) {
            case "application/json-patch+json" -> object -> operations(object, call.body());
            case "application/merge-patch+json" -> object -> merged(object, members(call.body()));
            case "application/strategic-merge-patch+json" -> object -> merged(object, plain(members(call.body())));
            default -> throw unsupported("PATCH of type " + type);
        };
    }

    private static ObjectNode operations(ObjectNode object, JsonNode operations) {
        try {
            if (JsonPatch.apply(operations, object, STRICT) instanceof ObjectNode patched) {
                return patched;
            }
            throw rejected();
        } catch (JsonPatchException e) {
            throw rejected();
        }
    }

    private static Refusal rejected() {
        return new Refusal(422, "Invalid", "the server rejected our request due to an error in our request");
    }

    private static ObjectNode members(JsonNode patch) {
        if (patch instanceof ObjectNode members) {
            return members;
        }
        throw Refusal.badRequest("the patch is no object");
    }

    private static ObjectNode merged(ObjectNode object, ObjectNode patch) {
        for (var member : patch.properties()) {
            String name = member.getKey();
            if (member.getValue().isNull()) {
                object.remove(name);
            } else if (member.getValue() instanceof ObjectNode inner) {
                ObjectNode target = object.get(name) instanceof ObjectNode known ? known : Call.JSON.createObjectNode();
                object.set(name, merged(target, inner));
            } else {
                object.set(name, member.getValue());
            }
        }
        return object;
    }

    /// A strategic patch without lists of objects and directives is a merge patch. How lists are merged
    /// depends on the schema of each, which nothing here knows: better refused than done wrongly.
    private static ObjectNode plain(ObjectNode patch) {
        for (var member : patch.properties()) {
            boolean list =
                    member.getValue().isArray() && member.getValue().path(0).isObject();
            if (member.getKey().startsWith("$") || list) {
                throw unsupported("a strategic merge patch with lists of objects or directives");
            }
            if (member.getValue() instanceof ObjectNode inner) {
                plain(inner);
            }
        }
        return patch;
    }

    private static Refusal unsupported(String what) {
        return new Refusal(415, "UnsupportedMediaType", "the sandbox does not serve " + what);
    }
}
