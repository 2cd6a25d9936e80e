package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a pod's status says, and the conditions that controllers set.
final class PodState {
    private PodState() {}

    static boolean ready(JsonNode pod) {
        return condition(pod, "Ready").filter(PodState::isTrue).isPresent();
    }

    static boolean runningAndReady(JsonNode pod) {
        return phase(pod).equals("Running") && ready(pod);
    }

    static boolean failed(JsonNode pod) {
        return phase(pod).equals("Failed");
    }

    static boolean succeeded(JsonNode pod) {
        return phase(pod).equals("Succeeded");
    }

    static boolean over(JsonNode pod) {
        return failed(pod) || succeeded(pod);
    }

    private static String phase(JsonNode pod) {
        return pod.path("status").path("phase").asText();
    }

    static boolean isTrue(JsonNode condition) {
        return condition.path("status").asText().equals("True");
    }

    static Optional<JsonNode> condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }

    /// A condition as it should be; `reason` and `message` may be empty.
    record Condition(String type, boolean holds, String reason, String message) {
        boolean isIn(JsonNode object) {
            return condition(object, type)
                    .filter(found -> isTrue(found) == holds
                            && found.path("reason").asText("").equals(reason)
                            && found.path("message").asText("").equals(message))
                    .isPresent();
        }

        ObjectNode in(ObjectNode object, Instant now) {
            ArrayNode conditions = object.withObjectProperty("status").withArrayProperty("conditions");
            Optional<JsonNode> before = condition(object, type);
            String since = before.filter(found -> isTrue(found) == holds)
                    .map(found -> found.path("lastTransitionTime").asText(""))
                    .filter(time -> !time.isEmpty())
                    .orElseGet(() -> Meta.time(now));
            ObjectNode condition = object.objectNode().put("type", type).put("status", holds ? "True" : "False");
            condition.put("lastTransitionTime", since);
            if (!reason.isEmpty()) {
                condition.put("reason", reason);
            }
            if (!message.isEmpty()) {
                condition.put("message", message);
            }
            conditions.removeIf(found -> found.path("type").asText().equals(type));
            conditions.add(condition);
            return object;
        }
    }

    static String node(JsonNode pod) {
        return pod.path("spec").path("nodeName").asText("");
    }

    static List<String> claims(JsonNode pod) {
        var claims = new ArrayList<String>();
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            String claim =
                    volume.path("persistentVolumeClaim").path("claimName").asText("");
            if (!claim.isEmpty()) {
                claims.add(claim);
            }
        }
        return claims;
    }
}
