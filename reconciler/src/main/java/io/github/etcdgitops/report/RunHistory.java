package io.github.etcdgitops.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.plan.fleet.RingFacts;
import io.github.etcdgitops.report.format.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The last runs that did or refused something, the newest first: kept on the report branch from one report
/// to the next, for readers only.
public record RunHistory(List<Entry> runs) {
    public static final RunHistory NONE = new RunHistory(List.of());
    private static final int KEPT = 50;
    private static final String NO_END = "killed";

    public RunHistory {
        runs = runs.stream().limit(KEPT).toList();
    }

    /// `came` counts the rings per result: `3 done, 1 held`.
    public record Entry(String id, Instant ended, String commit, String exit, String came) {
        static Entry of(RunJson.Run run, Instant ended) {
            return new Entry(
                    run.id(),
                    ended.truncatedTo(ChronoUnit.SECONDS),
                    run.commit(),
                    run.exitName(),
                    RunHistory.came(run.rings()));
        }
    }

    /// Without rings where nothing happened.
    public static String came(List<RingRun> rings) {
        var outcomes = new TreeMap<String, Integer>();
        rings.stream()
                .filter(RingRun::hasNews)
                .forEach(r -> outcomes.merge(r.outcome().wire(), 1, Integer::sum));
        return outcomes.isEmpty()
                ? "nothing to do"
                : String.join(
                        ", ",
                        outcomes.entrySet().stream()
                                .map(e -> e.getValue() + " " + e.getKey())
                                .toList());
    }

    public RunHistory and(RunJson.Run run, Instant ended) {
        var all = new ArrayList<Entry>();
        all.add(Entry.of(run, ended));
        runs.stream().filter(r -> !r.id().equals(run.id())).forEach(all::add);
        return new RunHistory(all);
    }

    /// With an entry for each run that has left something under way in a ring, and has reported no end: it
    /// was killed, or could not publish.
    public RunHistory withKilled(FleetPlan plan, String self, Instant seen) {
        var killed = new TreeMap<String, List<String>>();
        plan.known(RingFacts::begun).forEach((ring, begun) -> {
            if (!begun.run().equals(self)
                    && runs.stream().noneMatch(run -> run.id().equals(begun.run()))) {
                killed.computeIfAbsent(begun.run(), _ -> new ArrayList<>()).add(begun.operation() + " of " + ring);
            }
        });
        var all = new ArrayList<Entry>();
        killed.forEach((run, left) -> all.add(new Entry(
                run,
                seen.truncatedTo(ChronoUnit.SECONDS),
                "unknown",
                NO_END,
                "run " + run + " left " + String.join(", ", left) + " under way; the next run found it")));
        all.addAll(runs);
        return new RunHistory(all);
    }

    public String json() {
        return Json.write(new TreeMap<>(Map.of(
                "formatVersion",
                PlanJson.FORMAT,
                "kind",
                "RunHistory",
                "runs",
                runs.stream()
                        .map(r -> new TreeMap<>(Map.of(
                                "id", r.id(),
                                "ended", r.ended().toString(),
                                "commit", r.commit(),
                                "exit", r.exit(),
                                "came", r.came())))
                        .toList())));
    }

    /// With a missing or unreadable file only the history is lost.
    public static RunHistory read(Optional<String> json) {
        var runs = new ArrayList<Entry>();
        try {
            for (JsonNode run : new JsonMapper().readTree(json.orElse("{}")).path("runs")) {
                runs.add(new Entry(
                        run.path("id").asText(),
                        Instant.parse(run.path("ended").asText()),
                        run.path("commit").asText(),
                        run.path("exit").asText(),
                        run.path("came").asText()));
            }
        } catch (JsonProcessingException | DateTimeException _) {
            return NONE;
        }
        return new RunHistory(runs);
    }
}
