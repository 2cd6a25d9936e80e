package io.github.etcdgitops.gateway.forge;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.Forge.CommitStatus;
import io.github.etcdgitops.gateway.Forge.Fate;
import io.github.etcdgitops.gateway.Forge.State;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What the answers of all three forges have in common. An unknown word counts as an error: then another
/// status is posted.
final class Answers {
    private Answers() {}

    static CommitStatus status(JsonNode status, String name, String state) {
        return new CommitStatus(
                status.path(name).asText(),
                state(status.path(state).asText()),
                status.path("description").asText(""),
                address(status.path("target_url").asText("")));
    }

    private static State state(String word) {
        return switch (word) {
            case "pending", "running", "created" -> State.PENDING;
            case "success" -> State.SUCCESS;
            case "failure", "failed" -> State.FAILURE;
            default -> State.ERROR;
        };
    }

    /// GitLab locks a merge request while it merges it.
    static Fate fate(String word) {
        return switch (word) {
            case "opened", "open", "locked" -> Fate.OPEN;
            case "merged" -> Fate.MERGED;
            default -> Fate.CLOSED;
        };
    }

    /// For one part of a path or of a query.
    static String escaped(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }

    static Optional<URI> address(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(URI.create(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    static Map<String, String> status(CommitStatus status, String name, String state) {
        var body = new TreeMap<>(Map.of(name, status.context(), "state", state, "description", status.description()));
        status.target().ifPresent(target -> body.put("target_url", target.toString()));
        return body;
    }
}
