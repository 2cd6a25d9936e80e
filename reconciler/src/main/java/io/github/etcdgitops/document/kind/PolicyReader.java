package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.Rfc3339;
import io.github.etcdgitops.document.field.RuleFields;
import io.github.etcdgitops.document.field.SelectorFields;
import io.github.etcdgitops.document.field.ValidationFields;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.ring.Effect;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.spec.value.Namespaces;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads and checks a document of kind Policy.
public final class PolicyReader {
    private PolicyReader() {}

    static void check(YamlDocument document, Findings findings) {
        for (String rule : document.keys("spec", RuleFields.RULES)) {
            Rfc3339.check(document, findings, "spec", RuleFields.RULES, rule, "enforceFrom");
            RuleKind.of(rule).ifPresent(kind -> new RuleFields(document, kind).check(findings));
        }
        if (!document.has("spec", RuleFields.RULES) && !document.has("spec", ValidationFields.VALIDATIONS)) {
            findings.at(
                    List.of("spec"),
                    "empty-policy",
                    "`spec` has neither `rules` nor `validations`; the policy would hold for nothing.",
                    "Give it one of them.");
        }
        new ValidationFields(document, findings).check();
    }

    public static Policy read(YamlDocument document, Namespaces within) {
        return new Policy(
                document.text("metadata", "name").orElseThrow(),
                SelectorFields.read(document, within),
                Stream.concat(
                                document.keys("spec", RuleFields.RULES).stream()
                                        .flatMap(name -> RuleKind.of(name).stream())
                                        .sorted()
                                        .map(kind -> clause(document, kind)),
                                new ValidationFields(document, new Findings(document)).read().stream())
                        .toList(),
                document.at(List.of()));
    }

    private static Policy.Clause clause(YamlDocument document, RuleKind kind) {
        var effect = document.text("spec", RuleFields.RULES, kind.toString(), "effect")
                .flatMap(Effect::of)
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
