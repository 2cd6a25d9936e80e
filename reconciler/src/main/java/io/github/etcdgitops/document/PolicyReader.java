package io.github.etcdgitops.document;

import io.github.etcdgitops.spec.Effect;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.RuleKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Reads and checks a document of kind Policy.
final class PolicyReader {
    private PolicyReader() {}

    static void check(YamlDocument document, Findings findings) {
        for (String rule : document.keys("spec", RuleFields.RULES)) {
            Rfc3339.check(document, findings, "spec", RuleFields.RULES, rule, "enforceFrom");
            RuleKind.of(rule).ifPresent(kind -> new RuleFields(document, kind).check(findings));
        }
    }

    static Policy read(YamlDocument document) {
        return new Policy(
                document.text("metadata", "name").orElseThrow(),
                SelectorFields.read(document),
                document.keys("spec", RuleFields.RULES).stream()
                        .flatMap(name -> RuleKind.of(name).stream())
                        .sorted()
                        .map(kind -> clause(document, kind))
                        .toList(),
                document.at(List.of()));
    }

    private static Policy.Clause clause(YamlDocument document, RuleKind kind) {
        var effect = document.text("spec", RuleFields.RULES, kind.toString(), "effect")
                .map(Effect::of)
                .orElse(kind.effect());
        Optional<Instant> enforceFrom = document.text("spec", RuleFields.RULES, kind.toString(), "enforceFrom")
                .flatMap(Rfc3339::parse);
        return new Policy.Clause(
                new RuleFields(document, kind).read(),
                effect,
                enforceFrom,
                document.atKey(List.of("spec", RuleFields.RULES, kind.toString())));
    }
}
