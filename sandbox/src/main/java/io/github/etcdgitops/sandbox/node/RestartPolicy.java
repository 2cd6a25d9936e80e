package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;

/// Whether a container that has ended is started again.
enum RestartPolicy {
    ALWAYS,
    ON_FAILURE,
    NEVER;

    static RestartPolicy of(JsonNode podSpec) {
        return switch (podSpec.path("restartPolicy").asText()) {
            case "Never" -> NEVER;
            case "OnFailure" -> ON_FAILURE;
            default -> ALWAYS;
        };
    }

    /// What holds for a container that the others wait for: it has to end well once.
    RestartPolicy ofFirst() {
        return this == ALWAYS ? ON_FAILURE : this;
    }

    boolean again(int exitCode) {
        return switch (this) {
            case ALWAYS -> true;
            case ON_FAILURE -> exitCode != 0;
            case NEVER -> false;
        };
    }
}
