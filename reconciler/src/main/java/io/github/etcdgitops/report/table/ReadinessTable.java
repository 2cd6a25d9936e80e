package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.fleet.Estimate;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.roll.UpgradeVersion;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What stands between each ring and a version of etcd. `plan` is the plan of the rings as if their documents
/// asked for it.
public record ReadinessTable(FleetPlan plan, EtcdVersion target) implements Rendering {
    private static final List<String> TITLES =
            List.of("RING", "READY", "WAY", "RESTARTS", "ELECTIONS", "MINUTES", "WHAT STANDS BETWEEN");

    /// `way` has the releases from the running one to the target; it is empty where there is nothing to do, or no way.
    /// `obstacles` are what must be done first.
    private record Row(
            String ring, List<EtcdVersion> way, long restarts, long elections, long minutes, List<String> obstacles) {
        static Row of(ClusterPlan ring) {
            var upgrades = ring.operations().stream()
                    .filter(o -> o.operation() instanceof UpgradeVersion)
                    .toList();
            var way = new ArrayList<EtcdVersion>();
            for (var planned : upgrades) {
                if (planned.operation() instanceof UpgradeVersion upgrade) {
                    if (way.isEmpty()) {
                        way.add(upgrade.roll().former().version());
                    }
                    way.add(upgrade.roll().target().version());
                }
            }
            return new Row(
                    ring.ref().toString(),
                    way,
                    upgrades.stream().mapToLong(Row::restarts).sum(),
                    upgrades.stream().mapToLong(Row::elections).sum(),
                    upgrades.stream()
                            .mapToLong(o -> Estimate.of(o.operation()).toMinutes())
                            .sum(),
                    obstacles(ring, upgrades));
        }

        private static long restarts(PlannedOperation planned) {
            return planned.operation() instanceof UpgradeVersion upgrade
                    ? upgrade.roll().size()
                    : 0;
        }

        private static long elections(PlannedOperation planned) {
            return planned.steps().stream()
                    .filter(s -> !s.texts().elections().isEmpty())
                    .count();
        }

        private static List<String> obstacles(ClusterPlan ring, List<PlannedOperation> upgrades) {
            return Stream.of(
                            upgrades.isEmpty()
                                    ? ring.findings().stream()
                                            .filter(f -> f.level() == Level.ERROR)
                                            .map(Finding::message)
                                    : Stream.<String>empty(),
                            ring.findings().stream()
                                    .filter(f -> f.is(FindingCode.V2_CLIENTS))
                                    .map(Finding::message),
                            ring.waiting().stream().map(ClusterPlan.Waiting::reason),
                            upgrades.stream().flatMap(planned -> held(planned.verdict())))
                    .flatMap(texts -> texts)
                    .distinct()
                    .toList();
        }

        private static Stream<String> held(Verdict verdict) {
            return switch (verdict) {
                case Verdict.Allow _, Verdict.Warn _ -> Stream.of();
                case Verdict.Hold hold -> Stream.of(hold.rule() + ": " + hold.reason());
                case Verdict.Deny deny -> Stream.of(deny.rule() + ": " + deny.reason());
            };
        }

        boolean ready() {
            return obstacles.isEmpty();
        }

        String answer() {
            return !ready() ? "no" : way.isEmpty() ? "is there" : "yes";
        }
    }

    private List<Row> rows() {
        return plan.clusters().stream()
                .filter(ring -> ring.situation() != Situation.ORPHAN)
                .map(Row::of)
                .toList();
    }

    @Override
    public Lines human(Style style) {
        var rows = rows();
        var out = new Lines().append(headline(rows) + ".").end().end();
        return out.append(
                new TextTable(TITLES, rows.stream().map(ReadinessTable::cells).toList()).text(style));
    }

    private String headline(List<Row> rows) {
        return "Ready for etcd " + target + ": "
                + rows.stream().filter(Row::ready).count() + " of " + rows.size()
                + (rows.size() == 1 ? " ring" : " rings");
    }

    private static List<String> cells(Row row) {
        return List.of(
                row.ring(),
                row.answer(),
                row.way().isEmpty()
                        ? "-"
                        : String.join(
                                " → ",
                                row.way().stream().map(EtcdVersion::toString).toList()),
                Long.toString(row.restarts()),
                Long.toString(row.elections()),
                Long.toString(row.minutes()),
                row.ready() ? "nothing" : String.join("; ", row.obstacles()));
    }

    @Override
    public String json() {
        var rows = rows();
        var document = new TreeMap<String, Object>();
        document.put("kind", "UpgradeCheck");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("target", target.toString());
        document.put("ready", rows.stream().filter(Row::ready).count());
        document.put("rings", rows.stream().map(ReadinessTable::tree).toList());
        return Json.write(document);
    }

    private static Map<String, Object> tree(Row row) {
        return new TreeMap<>(Map.of(
                "ring", row.ring(),
                "ready", row.ready(),
                "way", row.way().stream().map(EtcdVersion::toString).toList(),
                "restarts", row.restarts(),
                "elections", row.elections(),
                "minutes", row.minutes(),
                "obstacles", row.obstacles()));
    }

    @Override
    public String markdown() {
        var rows = rows();
        var text = new StringBuilder("# " + headline(rows) + "\n\n| ");
        text.append(String.join(" | ", TITLES).toLowerCase(Locale.ROOT))
                .append(" |\n|")
                .append(" --- |".repeat(TITLES.size()))
                .append('\n');
        rows.forEach(row -> text.append("| ")
                .append(cells(row).stream().map(MarkdownText::text).collect(Collectors.joining(" | ")))
                .append(" |\n"));
        return text.toString();
    }
}
