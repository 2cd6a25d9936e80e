package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.ring.roll.Patch;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.validation.Violation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The rings that advisories hit, and the release that each document should ask for. `done` is what became of the
/// proposal: the branch and the pull request.
public record PatchTable(List<Patch> patches, List<Violation> violations, List<String> done) implements Rendering {
    private static final List<String> TITLES = List.of("RING", "VERSION", "SET VERSION TO", "ENDS", "WHAT STAYS");

    public PatchTable {
        patches = List.copyOf(patches);
        violations = List.copyOf(violations);
        done = List.copyOf(done);
    }

    @Override
    public Lines human(Style style) {
        var out = new Lines();
        if (patches.isEmpty()) {
            out.append("No known advisory hits a ring.").end();
        } else {
            out.append(new TextTable(
                            TITLES, patches.stream().map(PatchTable::cells).toList())
                    .text(style));
        }
        done.forEach(line -> out.append(line).end());
        return out.append(new Human(style).violations(violations));
    }

    private static List<String> cells(Patch patch) {
        return List.of(
                patch.ring().ref().toString(),
                patch.ring().server().version().toString(),
                patch.release().map(EtcdVersion::toString).orElse("-"),
                ids(patch.ends()),
                patch.obstacle().isEmpty() ? ids(patch.stay()) : ids(patch.stay()) + ": " + patch.obstacle());
    }

    private static String ids(List<Advisory> advisories) {
        return advisories.isEmpty()
                ? "-"
                : advisories.stream().map(Advisory::id).collect(Collectors.joining(", "));
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", "VersionProposal");
        document.put("formatVersion", PlanJson.FORMAT);
        document.put("rings", patches.stream().map(PatchTable::tree).toList());
        document.put("done", done);
        document.put("violations", violations.stream().map(PlanJson::violation).toList());
        return Json.write(document);
    }

    private static Map<String, Object> tree(Patch patch) {
        var tree = new TreeMap<String, Object>(Map.of(
                "ring", patch.ring().ref().toString(),
                "version", patch.ring().server().version().toString(),
                "ends", patch.ends().stream().map(Advisory::id).toList(),
                "stay", patch.stay().stream().map(Advisory::id).toList()));
        patch.release().ifPresent(release -> tree.put("goodVersion", release.toString()));
        if (!patch.obstacle().isEmpty()) {
            tree.put("obstacle", patch.obstacle());
        }
        return tree;
    }

    @Override
    public String markdown() {
        return MarkdownText.verbatim(human(Style.PLAIN));
    }
}
