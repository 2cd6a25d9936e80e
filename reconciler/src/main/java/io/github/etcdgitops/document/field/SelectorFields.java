package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.yaml.PlainValues;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.RingSelector;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Features;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// `spec.clusters` of a policy: which rings it selects.
public final class SelectorFields {
    private static final String CLUSTERS = "clusters";

    private SelectorFields() {}

    /// Only for a document where this part is valid.
    public static RingSelector read(YamlDocument document, Namespaces within) {
        return new RingSelector(
                document.texts("spec", CLUSTERS, "environments"),
                document.texts("spec", CLUSTERS, "namespaces"),
                document.find("spec", CLUSTERS, "matchLabels")
                        .map(PlainValues::texts)
                        .orElseGet(TreeMap::new),
                gates(document),
                within);
    }

    /// One selector below `place`, by namespaces and labels alone.
    static RingSelector ofRings(YamlDocument document, String... place) {
        return new RingSelector(
                List.of(),
                document.texts(below(place, "namespaces")),
                document.find(below(place, "matchLabels"))
                        .map(PlainValues::texts)
                        .orElseGet(TreeMap::new));
    }

    private static String[] below(String[] place, String field) {
        var path = Arrays.copyOf(place, place.length + 1);
        path[place.length] = field;
        return path;
    }

    private static SortedMap<FeatureGate, Boolean> gates(YamlDocument document) {
        var gates = new TreeMap<FeatureGate, Boolean>();
        FeatureFields.read(document, Features.Level.Sole.POLICY, List.of("spec", CLUSTERS, "features"))
                .set()
                .forEach((gate, setting) -> gates.put(gate, setting.on()));
        return gates;
    }

    /// Environments that the Fleet does not know.
    public static List<Violation> unknownEnvironments(YamlDocument document, Fleet fleet) {
        var known = fleet.environments().isEmpty()
                ? List.of(Fleet.DEFAULT_ENVIRONMENT)
                : fleet.environments().stream().map(Fleet.Environment::name).toList();
        var violations = new ArrayList<Violation>();
        int index = 0;
        for (var item : document.items("spec", CLUSTERS, "environments")) {
            var place = List.of("spec", CLUSTERS, "environments", Integer.toString(index++));
            if (item instanceof YamlNode.Scalar scalar && !known.contains(scalar.text())) {
                violations.add(Violation.of(
                        "unknown-environment",
                        document.at(place),
                        "`" + Shown.path(place) + "` is " + Shown.quoted(scalar.text())
                                + ", which the Fleet does not know.",
                        Suggestion.hint(scalar.text(), known, "Environments: ")));
            }
        }
        return violations;
    }
}
