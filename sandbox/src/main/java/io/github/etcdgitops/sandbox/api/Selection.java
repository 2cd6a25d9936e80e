package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.objects.LabelSelector;
import io.github.etcdgitops.sandbox.objects.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Which objects of a collection are meant.
record Selection(LabelSelector labels, List<Field> fields) {
    private static final Set<String> KNOWN = Set.of(
            "metadata.name",
            "metadata.namespace",
            "spec.nodeName",
            "status.phase",
            "type",
            "involvedObject.name",
            "involvedObject.namespace",
            "involvedObject.kind",
            "involvedObject.uid");

    record Field(String path, String value, boolean equal) {
        boolean holds(JsonNode object) {
            String found = object.at("/" + path.replace('.', '/')).asText("");
            return found.equals(value) == equal;
        }
    }

    static Selection of(Call call) {
        var fields = new ArrayList<Field>();
        for (String part : call.parameter("fieldSelector").split(",", -1)) {
            if (!part.isBlank()) {
                fields.add(field(part));
            }
        }
        return new Selection(LabelSelector.parse(call.parameter("labelSelector")), fields);
    }

    private static Field field(String part) {
        boolean unequal = part.contains("!=");
        String[] sides = part.split(unequal ? "!=" : "==?", 2);
        if (sides.length < 2) {
            throw Refusal.badRequest("invalid selector: '" + part + "'; can't understand '" + part + "'");
        }
        if (!KNOWN.contains(sides[0])) {
            throw Refusal.badRequest("\"" + sides[0] + "\" is not a known field selector");
        }
        return new Field(sides[0], sides[1], !unequal);
    }

    boolean everything() {
        return labels.requirements().isEmpty() && fields.isEmpty();
    }

    boolean matches(JsonNode object) {
        return labels.matches(object) && fields.stream().allMatch(field -> field.holds(object));
    }
}
