package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/// What is wrong with the fields of one object, all of it at once.
final class Problems {
    private final List<Refusal.Cause> causes = new ArrayList<>();

    List<Refusal.Cause> causes() {
        return List.copyOf(causes);
    }

    void required(String field, boolean present) {
        if (!present) {
            causes.add(new Refusal.Cause("FieldValueRequired", field, "Required value"));
        }
    }

    void invalid(String field, JsonNode value, String why) {
        causes.add(new Refusal.Cause("FieldValueInvalid", field, "Invalid value: " + value + ": " + why));
    }

    void forbidden(String field, String why) {
        causes.add(new Refusal.Cause("FieldValueForbidden", field, "Forbidden: " + why));
    }

    void unsupported(String field, JsonNode value, List<String> supported) {
        if (!value.isMissingNode() && !supported.contains(value.asText())) {
            causes.add(new Refusal.Cause(
                    "FieldValueNotSupported",
                    field,
                    "Unsupported value: " + value + ": supported values: \"" + String.join("\", \"", supported)
                            + "\""));
        }
    }

    void negative(String field, JsonNode value) {
        if (value.isNumber() && value.asLong() < 0) {
            invalid(field, value, "must be greater than or equal to 0");
        }
    }

    void notFound(String field, JsonNode value) {
        causes.add(new Refusal.Cause("FieldValueNotFound", field, "Not found: " + value));
    }

    void tooLong(String field) {
        causes.add(new Refusal.Cause("FieldValueTooLong", field, "Too long: must have at most 1048576 bytes"));
    }
}
