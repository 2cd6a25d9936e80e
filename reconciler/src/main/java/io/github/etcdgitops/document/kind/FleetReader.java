package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.FeatureFields;
import io.github.etcdgitops.document.field.RepairFields;
import io.github.etcdgitops.document.field.TenantFields;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.ring.Defaults;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.Features;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.WireName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// Reads and checks a document of kind Fleet.
public final class FleetReader {
    private FleetReader() {}

    static void check(YamlDocument document, Findings findings) {
        TenantFields.check(document, findings);
        var names = new HashMap<String, Integer>();
        var paths = new HashMap<String, String>();
        int index = 0;
        for (var environment : document.items("spec", "environments")) {
            var at = Integer.toString(index++);
            var name = text(environment, "name").orElse("");
            var earlier = names.putIfAbsent(name, environment.line());
            if (earlier != null && !name.isEmpty()) {
                findings.at(
                        List.of("spec", "environments", at, "name"),
                        "duplicate-environment",
                        "The environment " + Shown.quoted(name) + " was already given in line " + earlier + ".",
                        "Give each environment its own name.");
            }
            checkPaths(document, findings, at, name, paths);
        }
    }

    private static void checkPaths(
            YamlDocument document, Findings findings, String at, String name, Map<String, String> paths) {
        int index = 0;
        for (var path : document.items("spec", "environments", at, "paths")) {
            var place = List.of("spec", "environments", at, "paths", Integer.toString(index++));
            if (!(path instanceof YamlNode.Scalar scalar)) {
                continue;
            }
            var other = paths.putIfAbsent(scalar.text(), name);
            if (other != null && !other.equals(name)) {
                findings.at(
                        place,
                        "duplicate-path",
                        "The path " + Shown.quoted(scalar.text()) + " belongs to the environment " + Shown.quoted(other)
                                + " already.",
                        "A ring belongs to exactly one environment: keep the path in one of the two.");
            }
            if (List.of(scalar.text().split("/")).contains("..")) {
                findings.at(
                        place,
                        "bad-format",
                        "The path " + Shown.quoted(scalar.text()) + " leads upwards; expected a path below clusters/.",
                        "Write it without `..`.");
            }
        }
    }

    public static Fleet read(YamlDocument document) {
        var limits = new Fleet.Limits(
                limit(document, "maxParallel", Fleet.DEFAULT.limits().maxParallel()),
                limit(document, "maxParallelBackups", Fleet.DEFAULT.limits().maxParallelBackups()),
                limit(document, "maxParallelFeatures", Fleet.DEFAULT.limits().maxParallelFeatures()),
                limit(document, "maxUnaskedRepairs", Fleet.DEFAULT.limits().maxUnaskedRepairs()),
                document.number("spec", "limits", "maxFailures")
                        .map(most -> OptionalInt.of(Math.toIntExact(most)))
                        .orElse(OptionalInt.empty()));
        var approvals = new Fleet.Approvals(
                document.text("spec", "approvals", "from")
                        .map(risk -> WireName.find(Risk.values(), risk).orElseThrow())
                        .orElse(Fleet.DEFAULT.approvals().from()),
                document.find("spec", "approvals", "authorMayApprove")
                        .map(node -> node instanceof YamlNode.Scalar scalar
                                && scalar.value().booleanValue())
                        .orElse(false),
                false,
                new Fleet.Approvals.Places(
                        document.at(List.of("spec", "approvals", "from")),
                        document.at(List.of("spec", "approvals", "authorMayApprove"))));
        var features = FeatureFields.read(document, Features.Level.Sole.FLEET, List.of("spec", "features"));
        return new Fleet(
                environments(document),
                limits,
                approvals,
                new Defaults(features, RepairFields.read(document, "spec")),
                TenantFields.read(document));
    }

    private static List<Fleet.Environment> environments(YamlDocument document) {
        var environments = new ArrayList<Fleet.Environment>();
        for (var node : document.items("spec", "environments")) {
            String index = Integer.toString(environments.size());
            String name = text(node, "name").orElseThrow();
            var features = FeatureFields.read(
                    document, new Features.Level.Environment(name), List.of("spec", "environments", index, "features"));
            var repairs = RepairFields.read(document, "spec", "environments", index);
            var defaults = new Defaults(features, repairs);
            environments.add(new Fleet.Environment(name, text(node, "kubeSystemUid"), paths(node), defaults));
        }
        return environments;
    }

    private static int limit(YamlDocument document, String name, int otherwise) {
        return document.number("spec", "limits", name).map(Math::toIntExact).orElse(otherwise);
    }

    private static List<String> paths(YamlNode environment) {
        return environment.find(List.of("paths")).stream()
                .flatMap(node -> node instanceof YamlNode.Sequence(int _, int _, var items)
                        ? items.stream()
                        : Stream.<YamlNode>empty())
                .flatMap(item -> item instanceof YamlNode.Scalar scalar ? Stream.of(scalar.text()) : Stream.empty())
                .toList();
    }

    private static Optional<String> text(YamlNode node, String field) {
        return node.find(List.of(field))
                .flatMap(value -> value instanceof YamlNode.Scalar scalar
                                && scalar.value().isTextual()
                        ? Optional.of(scalar.text())
                        : Optional.empty());
    }
}
