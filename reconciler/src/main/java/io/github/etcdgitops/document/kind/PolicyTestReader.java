package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.Rfc3339;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.PlainValues;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.PolicyTest;
import io.github.etcdgitops.spec.PolicyTest.Case;
import io.github.etcdgitops.spec.PolicyTest.Expectation;
import io.github.etcdgitops.spec.PolicyTest.Given;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Reads and checks a document of kind PolicyTest.
public final class PolicyTestReader {
    private static final String EXPECT = "expect";
    private static final String IS = "is";
    private static final Set<String> OF_RULES =
            Set.of("pass", "exempt", "audit", "warn", "require-approval", "hold", "deny");
    private static final Set<String> OF_OPERATIONS = Set.of("allow", "warn", "hold", "deny", Expectation.NOT_PLANNED);

    private PolicyTestReader() {}

    static void check(YamlDocument document, Findings findings) {
        each(document, "spec", "cases").forEach(path -> {
            Rfc3339.check(document, findings, path("now", path));
            each(document, path(EXPECT, path)).forEach(expected -> checkExpected(document, findings, expected));
        });
    }

    private static void checkExpected(YamlDocument document, Findings findings, String[] path) {
        boolean rule = document.has(path("rule", path));
        if (!rule && !document.has(path("operation", path))) {
            findings.at(
                    List.of(path),
                    "missing-field",
                    "`rule` and `operation` are both missing, so it is unknown what is expected of what.",
                    "For example `rule: odd-members`, or `operation: ScaleIn`.");
        }
        if (!rule && document.has(path("policy", path))) {
            findings.at(
                    List.of(path("policy", path)),
                    "not-both",
                    "A policy is named without a rule, but the result of an operation depends on all policies.",
                    "Name the `rule`, or leave the policy out.");
        }
        var known = rule ? OF_RULES : OF_OPERATIONS;
        document.text(path(IS, path))
                .filter(is -> (OF_RULES.contains(is) || OF_OPERATIONS.contains(is)) && !known.contains(is))
                .ifPresent(is -> findings.at(
                        List.of(path(IS, path)),
                        "not-both",
                        "`" + is + "` is not " + (rule ? "a result of a rule" : "a result of an operation") + ".",
                        "Expected " + String.join(", ", known.stream().sorted().toList()) + "."));
    }

    public static PolicyTest read(YamlDocument document) {
        return new PolicyTest(
                document.text("metadata", "name").orElseThrow(),
                document.text("spec", "environment"),
                each(document, "spec", "cases")
                        .map(path -> oneCase(document, path))
                        .toList());
    }

    private static Case oneCase(YamlDocument document, String[] path) {
        return new Case(
                document.text(path("name", path)).orElseThrow(),
                document.text(path("now", path)).flatMap(Rfc3339::parse).orElseThrow(),
                given(document, path("before", path)),
                given(document, path("after", path)),
                document.text(path("backups", path)).filter("none"::equals).isEmpty(),
                each(document, path(EXPECT, path))
                        .map(expected -> expectation(document, expected))
                        .toList(),
                document.at(List.of(path)));
    }

    private static List<Given> given(YamlDocument document, String[] path) {
        var all = new ArrayList<Given>();
        each(document, path).forEach(item -> {
            var at = document.at(List.of(item));
            var node = document.find(item).orElseThrow();
            all.add(
                    node instanceof YamlNode.Scalar scalar
                            ? new Given.File(scalar.text(), at)
                            : new Given.Written(PlainValues.map(node), at));
        });
        return all;
    }

    private static Expectation expectation(YamlDocument document, String[] path) {
        return new Expectation(
                document.text(path("rule", path)),
                document.text(path("policy", path)),
                Optional.of(path("ring", path))
                        .filter(document::has)
                        .map(ring -> document.text(path("namespace", ring)).orElseThrow() + "/"
                                + document.text(path("name", ring)).orElseThrow()),
                document.text(path("operation", path)),
                document.text(path(IS, path)).orElseThrow(),
                document.at(List.of(path)));
    }

    /// The places of a list's items.
    private static Stream<String[]> each(YamlDocument document, String... list) {
        return IntStream.range(0, document.items(list).size()).mapToObj(i -> path(Integer.toString(i), list));
    }

    private static String[] path(String field, String... parent) {
        return Stream.concat(Stream.of(parent), Stream.of(field)).toArray(String[]::new);
    }
}
