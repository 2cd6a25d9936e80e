package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.ring.roll.Exposure;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The security advisories that hit each ring of a repository, by its document.
public record AdvisoryTable(DesiredState desired) implements Rendering {
    private static final List<String> TITLES =
            List.of("RING", "VERSION", "ADVISORY", "SEVERITY", "PUBLISHED", "SET VERSION TO", "WHAT");

    /// `good` is the smallest release without any of the advisories that hit the ring.
    private record Row(EtcdClusterSpec ring, Advisory advisory, Optional<EtcdVersion> good) {}

    private List<Row> rows() {
        return desired.rings().values().stream()
                .flatMap(ring -> {
                    var version = ring.server().version();
                    var hitting = ring.catalog().advisories(version, Exposure.of(ring));
                    var good = ring.catalog().smallestGood(version, hitting);
                    return hitting.stream().map(advisory -> new Row(ring, advisory, good));
                })
                .toList();
    }

    @Override
    public Lines human(Style style) {
        var rows = rows();
        var out = new Lines();
        if (rows.isEmpty()) {
            out.append("No known advisory hits a ring.").end();
        } else {
            out.append(new TextTable(
                            TITLES, rows.stream().map(AdvisoryTable::cells).toList())
                    .text(style));
        }
        return out.append(new Human(style).violations(desired.violations()));
    }

    private static List<String> cells(Row row) {
        return List.of(
                row.ring().ref().toString(),
                row.ring().server().version().toString(),
                row.advisory().id(),
                row.advisory().severity().wire(),
                row.advisory().published().toString(),
                row.good().map(EtcdVersion::toString).orElse("none known"),
                row.advisory().title());
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "Advisories");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("advisories", rows().stream().map(AdvisoryTable::tree).toList());
        document.put(
                "violations",
                desired.violations().stream().map(PlanJson::violation).toList());
        return Json.write(document);
    }

    private static Map<String, Object> tree(Row row) {
        var tree = new TreeMap<String, Object>(Map.of(
                "ring", row.ring().ref().toString(),
                "version", row.ring().server().version().toString(),
                "id", row.advisory().id(),
                "aliases", row.advisory().aliases(),
                "severity", row.advisory().severity().wire(),
                "published", row.advisory().published().toString(),
                "title", row.advisory().title()));
        row.good().ifPresent(good -> tree.put("goodVersion", good.toString()));
        return tree;
    }

    @Override
    public String markdown() {
        return MarkdownText.verbatim(human(Style.PLAIN));
    }
}
