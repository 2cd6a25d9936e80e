package io.github.etcdgitops.trial.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/// Reads what `plan -o json` prints.
public final class Plans {
    private Plans() {}

    public static int violations(String plan) {
        return read(plan).path("violations").size();
    }

    public static JsonNode ring(String plan, String namespace, String name) {
        return StreamSupport.stream(read(plan).path("clusters").spliterator(), false)
                .filter(c -> c.path("namespace").asText().equals(namespace)
                        && c.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new TrialFailure(name + " is not in the plan"));
    }

    /// The operations of one kind.
    public static List<JsonNode> operations(JsonNode ring, String kind) {
        return StreamSupport.stream(ring.path("operations").spliterator(), false)
                .filter(o -> o.path("kind").asText().equals(kind))
                .toList();
    }

    public static String findings(JsonNode ring) {
        return StreamSupport.stream(ring.path("findings").spliterator(), false)
                .map(f -> f.path("code").asText() + ": " + f.path("message").asText())
                .collect(Collectors.joining("; "));
    }

    private static JsonNode read(String plan) {
        try {
            return new ObjectMapper().readTree(plan);
        } catch (JsonProcessingException _) {
            throw new TrialFailure("the plan is no JSON: " + plan);
        }
    }
}
