package io.github.etcdgitops.trial.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.it.EtcdProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/// A run under way, wherever it works.
public interface Work {
    Duration LONGEST = Duration.ofMinutes(15);
    ObjectMapper JSON = new ObjectMapper();

    boolean isAlive();

    /// The exit code, once it ended.
    int exit();

    /// What it said on standard error, and perhaps more.
    String log();

    /// Every step that was reported until now.
    default List<JsonNode> steps() {
        return log().lines()
                .filter(line -> line.startsWith("{") && line.endsWith("}"))
                .map(Work::json)
                .filter(json -> json.has("result"))
                .toList();
    }

    /// Waits for a step as asked for; false when the run ended without one.
    default boolean awaitStep(Predicate<JsonNode> step) {
        EtcdProcess.await("a step", LONGEST, () -> steps().stream().anyMatch(step) || !isAlive());
        return steps().stream().anyMatch(step);
    }

    /// What a failure's message shows of it.
    default String tail() {
        String all = log().strip();
        return all.substring(Math.max(0, all.length() - 1500));
    }

    /// A step with this name that is so now, whoever brought it about.
    static Predicate<JsonNode> step(String name) {
        return json -> json.path("step").asText().equals(name)
                && json.path("result").asText().matches("done|already so|already-so");
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException _) {
            return JSON.createObjectNode();
        }
    }
}
