package io.github.etcdgitops.report.table;

import io.github.etcdgitops.inert.Lines;
import io.github.etcdgitops.report.Human;
import io.github.etcdgitops.report.MarkdownText;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.report.format.Json;
import io.github.etcdgitops.report.format.Rendering;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Features;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The feature gates: all that exist, or the value of each in each ring and its provenance.
public record FeatureTable(Optional<DesiredState> desired) implements Rendering {
    private static final List<String> CATALOGUE =
            List.of("GATE", "STAGE", "DEFAULT", "CAN GO OFF AGAIN", "FROM ETCD", "RESTARTS", "MEANING");
    private static final List<String> RINGS = List.of("RING", "GATE", "VALUE");

    @Override
    public Lines human(Style style) {
        return desired.map(d ->
                        new TextTable(RINGS, rings(d)).text(style).append(new Human(style).violations(d.violations())))
                .orElseGet(() -> new TextTable(CATALOGUE, catalogue()).text(style));
    }

    private static List<List<String>> catalogue() {
        return Arrays.stream(FeatureGate.values())
                .map(gate -> List.of(
                        gate.title(),
                        stage(gate),
                        String.valueOf(gate.byDefault()),
                        gate.ratchets() ? "no" : "yes",
                        gate.since().toString(),
                        gate.restartsMembers() ? "members" : "nothing",
                        gate.meaning()))
                .toList();
    }

    private static List<List<String>> rings(DesiredState desired) {
        var rows = new ArrayList<List<String>>();
        desired.rings().forEach((ref, spec) -> {
            for (var gate : FeatureGate.values()) {
                rows.add(List.of(
                        ref.toString(), gate.title(), value(spec.server().features(), gate)));
            }
        });
        return rows;
    }

    private static String value(Features features, FeatureGate gate) {
        return features.provenance(gate)
                + (features.overruled().contains(gate) ? "; the ring's own tls.peer applies instead" : "");
    }

    @Override
    public String json() {
        var document = new TreeMap<String, Object>();
        document.put("kind", desired.isPresent() ? "Features" : "FeatureGates");
        document.put("formatVersion", PlanJson.FORMAT);
        desired.ifPresentOrElse(
                d -> {
                    document.put("rings", ringTrees(d));
                    document.put(
                            "violations",
                            d.violations().stream().map(PlanJson::violation).toList());
                },
                () -> document.put(
                        "gates",
                        Arrays.stream(FeatureGate.values())
                                .map(FeatureTable::tree)
                                .toList()));
        return Json.write(document);
    }

    private static Map<String, Object> tree(FeatureGate gate) {
        return new TreeMap<>(Map.of(
                "gate", gate.title(),
                "stage", stage(gate),
                "default", gate.byDefault(),
                "ratchet", gate.ratchets(),
                "since", gate.since().toString(),
                "restartsMembers", gate.restartsMembers(),
                "meaning", gate.meaning()));
    }

    private static List<Map<String, Object>> ringTrees(DesiredState desired) {
        var rings = new ArrayList<Map<String, Object>>();
        desired.rings().forEach((ref, spec) -> {
            var features = spec.server().features();
            var gates = new ArrayList<Map<String, Object>>();
            for (var gate : FeatureGate.values()) {
                var tree = new TreeMap<String, Object>();
                tree.put("gate", gate.title());
                tree.put("value", features.value(gate));
                tree.put("overruled", features.overruled().contains(gate));
                features.setting(gate).ifPresent(setting -> {
                    tree.put("level", setting.level().toString());
                    tree.put("file", setting.at().file());
                    tree.put("line", setting.at().line());
                });
                gates.add(tree);
            }
            rings.add(new TreeMap<>(Map.of("id", ref.toString(), "gates", gates)));
        });
        return rings;
    }

    private static String stage(FeatureGate gate) {
        return gate.stage().wire();
    }

    @Override
    public String markdown() {
        return MarkdownText.verbatim(human(Style.PLAIN));
    }
}
