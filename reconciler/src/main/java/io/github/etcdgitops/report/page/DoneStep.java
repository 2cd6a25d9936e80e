package io.github.etcdgitops.report.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A step of a run, from its report (`latest/run.json`).
public record DoneStep(Instant began, String ring, String kind, String action, String result, String took) {
    /// How many are shown; all of them are in `latest/run.json`.
    private static final int SHOWN = 1_000;

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    /// The steps of all rings, in the order of their start. An unreadable report has none.
    public static List<DoneStep> ofRun(Optional<String> json) {
        var done = new ArrayList<DoneStep>();
        try {
            for (JsonNode ring : new JsonMapper().readTree(json.orElse("{}")).path("clusters")) {
                for (JsonNode step : ring.path("steps")) {
                    done.add(of(ring.path("id").asText(), step));
                }
            }
        } catch (JsonProcessingException | DateTimeException _) {
            return List.of();
        }
        return done.stream()
                .sorted(Comparator.comparing(DoneStep::began))
                .limit(SHOWN)
                .toList();
    }

    private static DoneStep of(String ring, JsonNode step) {
        String detail = step.path("detail").asText();
        return new DoneStep(
                Instant.parse(step.path("began").asText()),
                ring,
                step.path("kind").asText(),
                step.path("action").asText(),
                step.path("result").asText() + (detail.isEmpty() ? "" : ": " + detail),
                step.path("millis").asLong() + " ms");
    }

    /// To the second, in UTC.
    public String time() {
        return SECOND.format(began);
    }
}
