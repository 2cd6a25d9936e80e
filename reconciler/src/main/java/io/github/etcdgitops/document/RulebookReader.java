package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.field.SelectorFields;
import io.github.etcdgitops.document.field.ValidationFields;
import io.github.etcdgitops.document.kind.ExemptionReader;
import io.github.etcdgitops.document.kind.PolicyReader;
import io.github.etcdgitops.document.kind.RingDocument;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.PolicyExemption;
import io.github.etcdgitops.spec.Rulebook;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Reads policies and exemptions from all documents together. An invalid policy takes no ring out of the
/// run; it blocks changes to the rings that it may select, because it is unknown what it would have
/// forbidden. An invalid exemption exempts nothing.
final class RulebookReader {
    private final List<Assessed> assessed;
    private final List<Location> unread;
    private final boolean whole;
    private final List<Violation> violations = new ArrayList<>();

    /// `unread` are files and parts of files that may hold policies and are unreadable. `whole` says that
    /// all documents of a repository were read: only then a missing one does not exist.
    RulebookReader(List<Assessed> assessed, List<Location> unread, boolean whole) {
        this.assessed = assessed;
        this.unread = unread;
        this.whole = whole;
    }

    /// An absent Fleet means an untrusted one: then environments are not checked.
    Rulebook read(Optional<Fleet> fleet) {
        var policies = new TreeMap<String, Policy>();
        var wrong = new ArrayList<Rulebook.Unread>();
        unread.forEach(at -> wrong.add(new Rulebook.Unread(
                Optional.empty(), fleet.orElse(Fleet.DEFAULT).namespacesOf(at.file()), at)));
        named(DocumentKind.POLICY).forEach((name, documents) -> {
            if (documents.size() > 1) {
                refuseDuplicates(DocumentKind.POLICY, name, documents);
                documents.forEach(d -> wrong.add(unread(d, false)));
            } else if (usable(documents.getFirst(), fleet)) {
                policies.put(
                        name,
                        PolicyReader.read(
                                documents.getFirst().document(),
                                documents.getFirst().within()));
            } else {
                // If it names an invalid environment, the intended one is unknown.
                wrong.add(unread(documents.getFirst(), !documents.getFirst().good()));
            }
        });
        assessed.stream().filter(this::isNamelessPolicy).forEach(a -> wrong.add(unread(a, true)));
        return new Rulebook(
                List.copyOf(policies.values()), exemptions(fleet, policies), wrong, documents(policies.values()));
    }

    /// Only where a rule would use them as they are written.
    private SortedMap<ClusterRef, Map<String, Object>> documents(Collection<Policy> policies) {
        var documents = new TreeMap<ClusterRef, Map<String, Object>>();
        if (policies.stream()
                .flatMap(p -> p.clauses().stream())
                .anyMatch(c -> c.rule() instanceof Rule.Validation
                        || c.rule() instanceof Rule.SecretInSpec
                        || c.rule() instanceof Rule.AuthRequired)) {
            assessed.stream()
                    .filter(Assessed::good)
                    .forEach(a -> a.ring().ifPresent(ref -> documents.put(ref, RingDocument.of(a.document()))));
        }
        return documents;
    }

    private boolean usable(Assessed document, Optional<Fleet> fleet) {
        if (!document.good()) {
            return false;
        }
        var unknown = fleet.map(f -> SelectorFields.unknownEnvironments(document.document(), f))
                .orElse(List.of());
        violations.addAll(unknown);
        return unknown.isEmpty();
    }

    private List<PolicyExemption> exemptions(Optional<Fleet> fleet, SortedMap<String, Policy> policies) {
        var exemptions = new ArrayList<PolicyExemption>();
        named(DocumentKind.POLICY_EXEMPTION).forEach((name, documents) -> {
            if (documents.size() > 1) {
                refuseDuplicates(DocumentKind.POLICY_EXEMPTION, name, documents);
            } else if (usable(documents.getFirst(), fleet) && namesWhatIs(documents.getFirst(), policies)) {
                exemptions.add(ExemptionReader.read(
                        documents.getFirst().document(), documents.getFirst().within()));
            }
        });
        return exemptions;
    }

    private boolean namesWhatIs(Assessed exemption, SortedMap<String, Policy> policies) {
        var known = new TreeSet<String>();
        RuleKind.builtIn().forEach(kind -> known.add(kind.toString()));
        named(DocumentKind.POLICY).values().stream()
                .flatMap(List::stream)
                .forEach(policy -> validations(policy.document()).forEach(known::add));
        int before = violations.size();
        var written = named(DocumentKind.POLICY).keySet();
        namesNone(exemption, "policies", written, "policy", policies.keySet());
        namesNone(exemption, "rules", known, "rule", known);
        return violations.size() == before;
    }

    private static Stream<String> validations(YamlDocument policy) {
        return IntStream.range(
                        0, policy.items("spec", ValidationFields.VALIDATIONS).size())
                .mapToObj(i -> policy.text("spec", ValidationFields.VALIDATIONS, Integer.toString(i), "name"))
                .flatMap(Optional::stream);
    }

    private void namesNone(Assessed exemption, String field, Set<String> known, String what, Set<String> suggested) {
        var document = exemption.document();
        int index = 0;
        for (String name : document.texts("spec", field)) {
            var place = List.of("spec", field, Integer.toString(index++));
            if (whole && !known.contains(name) && unread.isEmpty()) {
                violations.add(Violation.of(
                        "unknown-" + what,
                        document.at(place),
                        "`" + Shown.path(place) + "` is " + Shown.quoted(name) + "; there is no " + what
                                + " of this name.",
                        Suggestion.hint(name, suggested, "There are ")));
            }
        }
    }

    private SortedMap<String, List<Assessed>> named(DocumentKind kind) {
        var named = new TreeMap<String, List<Assessed>>();
        assessed.stream()
                .filter(a -> a.is(kind))
                .forEach(a -> a.document()
                        .text("metadata", "name")
                        .ifPresent(name -> named.computeIfAbsent(name, _ -> new ArrayList<>())
                                .add(a)));
        return named;
    }

    /// A Policy without a name, or a document in the folder of policies that does not say its kind.
    private boolean isNamelessPolicy(Assessed assessed) {
        if (assessed.is(DocumentKind.POLICY)) {
            return assessed.document().text("metadata", "name").isEmpty();
        }
        if (assessed.kind().isPresent() || !Folder.POLICIES.holds(assessed.file())) {
            return false;
        }
        var document = assessed.document();
        return document.has("metadata", "name") || document.has("spec");
    }

    private static Rulebook.Unread unread(Assessed policy, boolean telling) {
        var document = policy.document();
        boolean clear = telling && policy.selectsClearly(DocumentKind.POLICY);
        return new Rulebook.Unread(
                clear ? Optional.of(SelectorFields.read(document, policy.within())) : Optional.empty(),
                policy.within(),
                document.at(List.of()));
    }

    private void refuseDuplicates(DocumentKind kind, String name, List<Assessed> documents) {
        for (var document : documents) {
            var here = document.document().at(List.of("metadata", "name"));
            var other = documents.stream()
                    .map(d -> d.document().at(List.of("metadata", "name")))
                    .filter(place -> !place.equals(here))
                    .findFirst();
            violations.add(Violation.of(
                    "duplicate-policy",
                    here,
                    "The " + kind.title() + " " + Shown.quoted(name) + " is also described at "
                            + Objects.requireNonNull(
                                    other.map(Location::toString).orElse("another place"))
                            + "; none of these is used, because it is unknown which one applies.",
                    "Give each its own name."));
        }
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }
}
