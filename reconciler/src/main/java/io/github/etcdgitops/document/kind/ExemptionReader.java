package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.Rfc3339;
import io.github.etcdgitops.document.field.SelectorFields;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.PolicyExemption;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Namespaces;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/// Reads and checks a document of kind PolicyExemption. The policies check its expiry: there is no clock
/// here.
public final class ExemptionReader {
    private static final String EXPIRES = "expires";
    private static final Duration LONGEST = Duration.ofDays(90);

    private ExemptionReader() {}

    static void check(YamlDocument document, Findings findings) {
        Rfc3339.check(document, findings, "spec", "created");
        Rfc3339.check(document, findings, "spec", EXPIRES);
        if (!document.has("spec", "clusters") && !document.has("spec", "rings")) {
            findings.at(
                    List.of("spec"),
                    "missing-field",
                    "`spec.clusters` and `spec.rings` are both missing, so the exemption would apply to no ring.",
                    "Name the rings, or select them.");
        }
        var created = document.text("spec", "created").flatMap(Rfc3339::parse);
        var expires = document.text("spec", EXPIRES).flatMap(Rfc3339::parse);
        if (created.isPresent() && expires.isPresent()) {
            var time = Duration.between(created.get(), expires.get());
            if (time.isNegative() || time.isZero() || time.compareTo(LONGEST) > 0) {
                findings.at(
                        List.of("spec", EXPIRES),
                        "exemption-too-long",
                        "`spec.expires` is " + (time.isPositive() ? time.toDays() + " days" : "not")
                                + " after `spec.created`; an exemption may last " + LONGEST.toDays()
                                + " days at most.",
                        "When it expires, write another one, so that it is reviewed again.");
            }
        }
    }

    public static PolicyExemption read(YamlDocument document, Namespaces within) {
        return new PolicyExemption(
                document.text("metadata", "name").orElseThrow(),
                new HashSet<>(document.texts("spec", "rules")),
                new HashSet<>(document.texts("spec", "policies")),
                SelectorFields.read(document, within),
                IntStream.range(0, document.items("spec", "rings").size())
                        .mapToObj(Integer::toString)
                        .map(i -> new ClusterRef(
                                document.text("spec", "rings", i, "namespace").orElseThrow(),
                                document.text("spec", "rings", i, "name").orElseThrow()))
                        .toList(),
                new PolicyExemption.Word(
                        document.text("spec", "owner").orElseThrow(),
                        document.text("spec", "reason").orElseThrow(),
                        document.text("spec", "ticket").orElseThrow(),
                        document.text("spec", "created").flatMap(Rfc3339::parse).orElseThrow(),
                        document.text("spec", EXPIRES).flatMap(Rfc3339::parse).orElseThrow()),
                document.at(List.of()));
    }
}
