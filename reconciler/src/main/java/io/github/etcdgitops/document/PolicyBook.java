package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.SelectorFields;
import io.github.etcdgitops.document.kind.BackupPolicyReader;
import io.github.etcdgitops.document.kind.DestinationReader;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.Suggestion;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.PolicySelection;
import io.github.etcdgitops.spec.RejectedPolicy;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The backup policies of a repository, by name: the valid ones, and the locations of all that have a name,
/// valid or not. An invalid one takes no ring out of the run, only its own backups.
final class PolicyBook {
    private final List<Assessed> assessed;
    private final SortedMap<String, List<Assessed>> written = new TreeMap<>();
    private final SortedMap<String, BackupPolicy> good = new TreeMap<>();
    private final Set<String> ofUnknownEnvironments = new HashSet<>();
    private final List<Violation> violations = new ArrayList<>();

    PolicyBook(List<Assessed> assessed) {
        this.assessed = assessed;
        for (var document : assessed) {
            if (document.is(DocumentKind.BACKUP_POLICY)) {
                document.document()
                        .text("metadata", "name")
                        .ifPresent(name -> written.computeIfAbsent(name, _ -> new ArrayList<>())
                                .add(document));
            }
        }
    }

    /// Checks that need all documents together. Without a Fleet, environments are not checked.
    void check(Optional<Fleet> fleet, Collection<EtcdClusterSpec> rings) {
        written.forEach((name, documents) -> {
            if (documents.size() > 1) {
                refuseDuplicates(name, documents);
            } else if (documents.getFirst().good()) {
                if (fleet.map(f -> environmentsKnown(documents.getFirst(), f)).orElse(true)) {
                    good.put(
                            name,
                            BackupPolicyReader.read(
                                    documents.getFirst().document(),
                                    documents.getFirst().within()));
                } else {
                    ofUnknownEnvironments.add(name);
                }
            }
        });
        refuseSharedPlaces(rings);
        written.keySet().stream().filter(name -> !good.containsKey(name)).forEach(name -> countRings(name, rings));
    }

    private void refuseDuplicates(String name, List<Assessed> documents) {
        for (var document : documents) {
            var here = document.document().at(List.of("metadata", "name"));
            var others = documents.stream()
                    .map(d -> d.document().at(List.of("metadata", "name")))
                    .filter(place -> !place.equals(here))
                    .map(Location::toString)
                    .toList();
            violations.add(Violation.of(
                    "duplicate-policy",
                    here,
                    "The BackupPolicy " + Shown.quoted(name) + " is also described at " + Suggestion.some(others)
                            + "; none of these is carried out, because it is unknown which one applies.",
                    "Give each policy its own name."));
        }
    }

    private boolean environmentsKnown(Assessed policy, Fleet fleet) {
        var unknown = SelectorFields.unknownEnvironments(policy.document(), fleet);
        violations.addAll(unknown);
        return unknown.isEmpty();
    }

    /// Each of them would delete the other's backups.
    private void refuseSharedPlaces(Collection<EtcdClusterSpec> rings) {
        var places = good.values().stream()
                .collect(Collectors.groupingBy(
                        p -> DestinationReader.place(p.destination()), TreeMap::new, Collectors.toList()));
        places.values().stream().filter(policies -> policies.size() > 1).forEach(policies -> {
            var shared = new TreeMap<String, SortedMap<String, ClusterRef>>();
            for (var ring : rings) {
                var both = PolicySelection.of(ring, policies);
                both.forEach(one -> both.stream()
                        .filter(other -> !other.equals(one) && yields(one, other))
                        .forEach(other -> shared.computeIfAbsent(one.name(), _ -> new TreeMap<>())
                                .putIfAbsent(other.name(), ring.ref())));
            }
            shared.forEach(this::refuseShared);
        });
    }

    /// If a tenant's policy conflicts with one of the owners, the owners' policy stays.
    private boolean yields(BackupPolicy one, BackupPolicy other) {
        return isTenants(one) || !isTenants(other);
    }

    private static boolean isTenants(BackupPolicy policy) {
        return !policy.rings().within().equals(Namespaces.ALL);
    }

    private void refuseShared(String name, SortedMap<String, ClusterRef> others) {
        var policy = Objects.requireNonNull(good.remove(name));
        violations.add(Violation.of(
                "shared-destination",
                document(name).at(List.of("spec", "destination")),
                "The policies " + Shown.quoted(name) + " and " + Shown.quoted(others.firstKey()) + " both apply to "
                        + others.get(others.firstKey()) + " and store its backups in the same place, "
                        + Shown.plain(policy.destination().title())
                        + "; each would delete backups of the other, so neither is used.",
                "Give one of them another bucket or prefix, or let only one of them apply to a ring."));
    }

    /// A drill creates and deletes rings: no ring of the fleet may be in its namespace, whatever its name.
    /// Only the drill is left out.
    void checkDrills(Collection<ClusterRef> rings) {
        good.replaceAll((name, policy) -> {
            var inTheWay = policy.drill().stream()
                    .flatMap(drill ->
                            rings.stream().filter(ring -> ring.namespace().equals(drill.namespace())))
                    .min(Comparator.naturalOrder());
            inTheWay.ifPresent(ring -> violations.add(Violation.of(
                    "drill-among-rings",
                    document(name).at(List.of("spec", "drill", "namespace")),
                    "`spec.drill.namespace` is " + Shown.quoted(ring.namespace()) + ", the namespace of the ring "
                            + ring + "; a drill creates and deletes a ring, so no drill runs there.",
                    "Choose a namespace that is only for drills.")));
            return inTheWay.isPresent() ? policy.withoutDrill() : policy;
        });
    }

    private YamlDocument document(String name) {
        return Objects.requireNonNull(written.get(name)).getFirst().document();
    }

    /// One violation for all rings: they may be thousands.
    private void countRings(String name, Collection<EtcdClusterSpec> rings) {
        var naming = rings.stream()
                .filter(ring ->
                        ring.declaration().backupPolicy().filter(name::equals).isPresent())
                .map(ring -> ring.ref().toString())
                .toList();
        if (!naming.isEmpty()) {
            violations.add(Violation.of(
                    "rings-without-backup",
                    where(name).orElseThrow(),
                    "The policy " + Shown.quoted(name) + " takes no backups while its document is invalid; "
                            + (naming.size() == 1 ? "this ring names it: " : naming.size() + " rings name it: ")
                            + Suggestion.some(naming) + ".",
                    "Fix the policy first."));
        }
    }

    /// What is wrong with naming this policy; empty where it is valid. `ifUnknown` says whether all
    /// documents were read, so that a missing one does not exist.
    Optional<Violation> trouble(YamlDocument document, List<String> place, boolean ifUnknown) {
        return named(document, place)
                .filter(name -> !good.containsKey(name))
                .flatMap(this::where)
                .map(at -> Violation.of(
                        "policy-is-wrong",
                        document.at(place),
                        field(document, place) + ", a BackupPolicy that is itself invalid: " + at + ".",
                        "Fix the policy first."))
                .or(() -> ifUnknown ? unknown(document, place) : Optional.empty());
    }

    private Optional<Violation> unknown(YamlDocument document, List<String> place) {
        return named(document, place)
                .filter(name -> !good.containsKey(name) && where(name).isEmpty())
                .map(name -> Violation.of(
                        "unknown-policy",
                        document.at(place),
                        field(document, place) + "; there is no BackupPolicy of this name.",
                        Suggestion.hint(name, good.keySet(), "Policies: ")));
    }

    private static Optional<String> named(YamlDocument document, List<String> place) {
        return document.text(place.toArray(String[]::new)).filter(name -> !name.isEmpty());
    }

    private static String field(YamlDocument document, List<String> place) {
        return "`" + Shown.path(place) + "` is "
                + Shown.quoted(named(document, place).orElseThrow());
    }

    /// A ring runs without the policy that it names.
    void checkRing(YamlDocument ring) {
        unknown(ring, List.of("spec", "backup", "policy")).ifPresent(violations::add);
    }

    private Optional<Location> where(String name) {
        return Optional.ofNullable(written.get(name))
                .map(documents -> documents.getFirst().document().at(List.of("metadata", "name")));
    }

    /// All documents that are, or may be, a policy and are not valid.
    List<RejectedPolicy> rejected() {
        return assessed.stream()
                .filter(Assessed::mayBePolicy)
                .flatMap(document -> rejected(document).stream())
                .toList();
    }

    private Optional<RejectedPolicy> rejected(Assessed policy) {
        var document = policy.document();
        var name = document.text("metadata", "name");
        if (policy.is(DocumentKind.BACKUP_POLICY) && good.containsKey(name.orElse(""))) {
            return Optional.empty();
        }
        boolean clear = policy.selectsClearly(DocumentKind.BACKUP_POLICY)
                && name.filter(ofUnknownEnvironments::contains).isEmpty();
        return Optional.of(new RejectedPolicy(
                name,
                clear ? Optional.of(SelectorFields.read(document, policy.within())) : Optional.empty(),
                policy.within(),
                document.at(List.of())));
    }

    List<BackupPolicy> policies() {
        return List.copyOf(good.values());
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }
}
