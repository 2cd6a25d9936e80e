package io.github.etcdgitops.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.etcdgitops.plan.fleet.Tempo;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.ring.StepResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// How long steps took, kept on the report branch from one run to the next: for readers only, because
/// anyone who may write to that branch can change it.
public final class TempoJson {
    private static final String DONE = RingRun.word(new StepResult.Done(""));
    private static final int MOST_STEPS = 500;
    private static final Pattern STEP = Pattern.compile("[A-Za-z]{1,60}");

    /// No step takes this long. The limit keeps sums of untrusted numbers from overflowing.
    private static final long LONGEST = Duration.ofDays(1).toMillis();

    private TempoJson() {}

    /// With the steps of a run. Steps that were already done are left out.
    public static Tempo and(Tempo known, RunJson.Run run) {
        var tempo = known;
        for (var ring : run.rings()) {
            for (var step : ring.steps()) {
                if (step.result().equals(DONE)) {
                    tempo = tempo.and(step.step(), step.time().millis());
                }
            }
        }
        return tempo;
    }

    public static String json(Tempo tempo) {
        return Json.write(
                new TreeMap<>(Map.of("formatVersion", PlanJson.FORMAT, "kind", "Durations", "millis", tempo.steps())));
    }

    /// With a missing or unreadable file only the known durations are lost. Entries that no run has written
    /// are left out.
    public static Tempo read(Optional<String> json) {
        var steps = new TreeMap<String, List<Long>>();
        try {
            var millis = new JsonMapper().readTree(json.orElse("{}")).path("millis");
            for (var step : millis.properties()) {
                var times = new ArrayList<Long>();
                step.getValue().forEach(time -> times.add(Math.clamp(time.asLong(), 0, LONGEST)));
                if (steps.size() < MOST_STEPS && STEP.matcher(step.getKey()).matches()) {
                    steps.put(step.getKey(), times);
                }
            }
        } catch (JsonProcessingException _) {
            return Tempo.NONE;
        }
        return new Tempo(steps);
    }
}
