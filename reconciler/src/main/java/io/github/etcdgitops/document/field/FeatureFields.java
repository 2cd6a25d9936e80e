package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Features;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// The feature gates of one level. The schema reports unknown names.
public final class FeatureFields {
    private static final List<String> OF_RING = List.of("spec", "features");

    private FeatureFields() {}

    /// Reports a ring whose own document asks for a gate that its version does not have. A gate from the
    /// levels above is ignored there: those levels are for rings of all versions.
    static void check(YamlDocument document, Findings findings) {
        var version = document.text("spec", "version").flatMap(EtcdVersion::parse);
        read(document, Features.Level.Sole.RING, OF_RING)
                .set()
                .forEach((gate, setting) -> version.filter(v -> setting.on() && !gate.isIn(v))
                        .ifPresent(v -> findings.at(
                                below(OF_RING, gate.title()),
                                "feature-not-in-version",
                                "`spec.features." + gate + "` is true; etcd " + v
                                        + " does not have this gate, which was"
                                        + " added in "
                                        + gate.since() + ".",
                                "Upgrade the ring to " + gate.since() + " or later first, or leave the gate out.")));
    }

    /// The gates at `path` of the document.
    public static Features read(YamlDocument document, Features.Level level, List<String> path) {
        var set = new TreeMap<FeatureGate, Features.Setting>();
        for (String name : document.keys(path.toArray(String[]::new))) {
            var at = below(path, name);
            var gate = FeatureGate.named(name);
            if (gate.isPresent()
                    && document.root().find(at).orElse(null) instanceof YamlNode.Scalar scalar
                    && scalar.value().isBoolean()) {
                set.put(gate.get(), new Features.Setting(scalar.value().booleanValue(), document.at(at), level));
            }
        }
        return new Features(set, new TreeSet<>());
    }

    private static List<String> below(List<String> path, String name) {
        var below = new ArrayList<>(path);
        below.add(name);
        return below;
    }
}
