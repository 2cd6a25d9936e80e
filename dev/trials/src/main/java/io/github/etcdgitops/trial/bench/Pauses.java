package io.github.etcdgitops.trial.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.it.WriteLoad;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// What runs did while the client of a trial waited. `began` is the client's first acknowledged write, from which
/// its pauses count.
public record Pauses(Instant began) {
    public static Pauses of(WriteLoad load) {
        return new Pauses(Instant.now().minusMillis(load.runningMillis()));
    }

    /// Each of the longest pauses, with the steps that were under way in it.
    public List<String> during(WriteLoad.Result writes, List<Run> runs) {
        var steps = runs.stream().flatMap(run -> run.steps().stream()).toList();
        return writes.gaps().stream()
                .map(gap -> gap.length().toMillis() + " ms at " + gap.at().toMillis() + ": "
                        + named(steps, gap.at(), gap.length()))
                .toList();
    }

    private String named(List<JsonNode> steps, Duration at, Duration length) {
        var from = began.plus(at);
        var to = from.plus(length);
        String found = steps.stream()
                .filter(step -> time(step).isBefore(to) && end(step).isAfter(from))
                .map(step -> step.path("step").asText() + " ("
                        + step.path("message").asText() + "), "
                        + Duration.between(time(step), from).toMillis() + " ms after its start")
                .collect(Collectors.joining("; "));
        return found.isEmpty() ? "no step" : found;
    }

    private static Instant time(JsonNode step) {
        return Instant.parse(step.path("time").asText());
    }

    private static Instant end(JsonNode step) {
        return time(step).plusMillis(step.path("millis").asLong());
    }
}
