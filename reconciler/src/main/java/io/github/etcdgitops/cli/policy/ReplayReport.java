package io.github.etcdgitops.cli.policy;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.rehearsal.Replay;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What policies would have stopped, in all its forms.
record ReplayReport(Replay replay, List<Violation> violations) implements Rendering {
    @Override
    public Lines human(Style style) {
        var out = new Human(style).violations(violations);
        for (var stopped : replay.stopped()) {
            out.append(style.faint().apply(stopped.at().toString()))
                    .append("  ")
                    .append(style.strong().apply(stopped.ring()))
                    .append(" ")
                    .append(stopped.kind())
                    .append(" ")
                    .append(stopped.id())
                    .append(": ")
                    .append(style.doubt().apply(stopped.by().outcome().toString()))
                    .append(" [")
                    .append(stopped.by().rule())
                    .append("] ")
                    .append(stopped.by().why())
                    .append(" (policy ")
                    .append(stopped.by().policy())
                    .append(")")
                    .end();
        }
        return out.append(summary()).end();
    }

    private String summary() {
        String plans = Count.of(replay.plans(), "plan") + " with " + Count.of(replay.operations(), "operation")
                + replay.since().map(since -> " since " + since).orElse("");
        String stopped = replay.stopped().isEmpty()
                ? "no allowed operation would have been stopped"
                : "of the allowed operations, " + Count.of(replay.stopped().size(), "operation") + " of "
                        + Count.of(replay.plansStopped(), "plan") + " would have been stopped ("
                        + replay.byRule().entrySet().stream()
                                .map(e -> e.getKey() + " " + e.getValue())
                                .collect(Collectors.joining(", "))
                        + ")";
        return plans + "; " + stopped + "."
                + (replay.unknown() == 0
                        ? ""
                        : " " + Count.of(replay.unknown(), "plan") + " skipped: insufficient data.");
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "PolicyReplay");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("plans", replay.plans());
        document.put("operations", replay.operations());
        document.put("unknown", replay.unknown());
        document.put("byRule", replay.byRule());
        document.put(
                "stopped",
                replay.stopped().stream()
                        .map(s -> new TreeMap<>(Map.of(
                                "at", s.at().toString(),
                                "ring", s.ring(),
                                "kind", s.kind(),
                                "operation", s.id(),
                                "policy", s.by().policy(),
                                "rule", s.by().rule(),
                                "outcome", s.by().outcome().toString(),
                                "why", s.by().why())))
                        .toList());
        document.put("violations", violations.stream().map(PlanJson::violation).toList());
        return Json.write(document);
    }

    @Override
    public String markdown() {
        return MarkdownText.verbatim(human(Style.PLAIN));
    }
}
