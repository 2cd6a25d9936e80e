package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.PolicyExemption;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The rules of all policies, and to how many rings each applies at a time. Only `rule`, where it is given.
public record PolicyTable(DesiredState desired, Optional<String> rule, Instant now) implements Rendering {
    private static final List<String> TITLES =
            List.of("POLICY", "RULE", "LOOKS AT", "EFFECT", "FROM", "RINGS", "EXEMPTED", "WHERE");

    /// `rings` are those that it applies to, `exempted` those among them that are exempted now.
    private record Row(Policy policy, Policy.Clause clause, long rings, long exempted) {}

    private List<Row> rows() {
        var rows = new ArrayList<Row>();
        for (var policy : desired.decisions().rules().policies()) {
            var rings = desired.rings().values().stream()
                    .filter(policy.rings()::selects)
                    .toList();
            policy.clauses().stream()
                    .filter(clause ->
                            rule.isEmpty() || rule.get().equals(clause.rule().id()))
                    .forEach(clause -> rows.add(new Row(
                            policy,
                            clause,
                            rings.size(),
                            rings.stream()
                                    .filter(ring -> exempted(policy, clause, ring))
                                    .count())));
        }
        return rows;
    }

    private boolean exempted(Policy policy, Policy.Clause clause, EtcdClusterSpec ring) {
        return desired.decisions().rules().exemptions().stream()
                .filter(e -> e.inForceAt(now) && e.concerns(policy, clause.rule()))
                .anyMatch((PolicyExemption e) -> e.concerns(ring));
    }

    @Override
    public Lines human(Style style) {
        var cells = rows().stream()
                .map(row -> List.of(
                        row.policy().name(),
                        row.clause().rule().id(),
                        row.clause().rule().phase().toString(),
                        row.clause().effect().toString(),
                        from(row),
                        Long.toString(row.rings()),
                        Long.toString(row.exempted()),
                        row.clause().source().toString()))
                .toList();
        return new TextTable(TITLES, cells).text(style).append(new Human(style).violations(desired.violations()));
    }

    private String from(Row row) {
        return row.clause()
                .enforceFrom()
                .filter(now::isBefore)
                .map(Instant::toString)
                .orElse("now");
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "Policies");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("rules", rows().stream().map(this::tree).toList());
        document.put(
                "violations",
                desired.violations().stream().map(PlanJson::violation).toList());
        return Json.write(document);
    }

    private Map<String, Object> tree(Row row) {
        return new TreeMap<>(Map.of(
                "policy", row.policy().name(),
                "rule", row.clause().rule().id(),
                "looksAt", row.clause().rule().phase().toString(),
                "effect", row.clause().effect().toString(),
                "enforced", row.clause().enforcedAt(now),
                "rings", row.rings(),
                "exempted", row.exempted(),
                "file", row.clause().source().file(),
                "line", row.clause().source().line()));
    }

    @Override
    public String markdown() {
        return MarkdownText.verbatim(human(Style.PLAIN));
    }
}
