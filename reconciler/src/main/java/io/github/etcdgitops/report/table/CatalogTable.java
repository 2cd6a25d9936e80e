package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.spec.release.CatalogStanding;
import io.github.etcdgitops.spec.release.Line;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.validation.Location;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The catalogue of etcd releases that holds, as of a day.
public record CatalogTable(CatalogStanding standing, LocalDate today) implements Rendering {
    private static final List<String> TITLES = List.of("LINE", "NEWEST", "LEAVE FROM", "FIXES UNTIL");

    /// Advisories are published every few months.
    private static final long OLD_DAYS = 120;

    @Override
    public Lines human(Style style) {
        var catalog = standing.catalog();
        var out = new Lines()
                .append("Catalogue of etcd releases of " + catalog.dated() + ", " + age() + ", "
                        + standing.source().map(Location::file).orElse("built in") + ".")
                .end();
        if (days() > OLD_DAYS) {
            out.append("It is old: later advisories and defects are not known. Use a newer etcd-gitops, or put a newer"
                            + " catalogue into catalog/ of the config repository.")
                    .end();
        }
        if (days() < -1) {
            out.append("Correct `dated`: until that day, no newer catalogue that is built in replaces this one.")
                    .end();
        }
        out.end();
        var rows = catalog.lines().stream()
                .map(line -> List.of(
                        line.toString(),
                        line.newest().toString(),
                        line.leaveFrom().map(EtcdVersion::toString).orElse("any release"),
                        end(line)))
                .toList();
        out.append(new TextTable(TITLES, rows).text(style)).end();
        out.append("Hazards: " + catalog.hazards().size() + ". Advisories: "
                        + catalog.advisories().size() + ".")
                .end();
        return out.append(new Human(style).violations(standing.violations()));
    }

    private long days() {
        return ChronoUnit.DAYS.between(standing.catalog().dated(), today);
    }

    private String age() {
        long days = days();
        return days < 0 ? "which is in the future" : days == 1 ? "1 day old" : days + " days old";
    }

    private String end(Line line) {
        return line.ends()
                .map(day -> line.endedAt(today) ? "ended " + day : day.toString())
                .orElse("not known yet");
    }

    @Override
    public String json() {
        var catalog = standing.catalog();
        var document = new TreeMap<String, Object>();
        document.put("kind", "CatalogCheck");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("dated", catalog.dated().toString());
        document.put("ageDays", days());
        document.put("source", standing.source().map(Location::file).orElse("built-in"));
        document.put("lines", catalog.lines().stream().map(this::tree).toList());
        document.put("hazards", catalog.hazards().size());
        document.put("advisories", catalog.advisories().size());
        document.put(
                "violations",
                standing.violations().stream().map(PlanJson::violation).toList());
        return Json.write(document);
    }

    private Map<String, Object> tree(Line line) {
        var tree = new TreeMap<String, Object>();
        tree.put("line", line.toString());
        tree.put("newest", line.newest().toString());
        line.enterUpTo().ifPresent(v -> tree.put("enterUpTo", v.toString()));
        line.leaveFrom().ifPresent(v -> tree.put("leaveFrom", v.toString()));
        line.ends().ifPresent(day -> tree.put("ends", day.toString()));
        tree.put("ended", line.endedAt(today));
        return tree;
    }

    @Override
    public String markdown() {
        return MarkdownText.verbatim(human(Style.PLAIN));
    }
}
