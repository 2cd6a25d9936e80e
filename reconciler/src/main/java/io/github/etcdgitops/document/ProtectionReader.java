package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.kind.BackupRequestReader;
import io.github.etcdgitops.document.kind.RestoreReader;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.spec.BackupRequest;
import io.github.etcdgitops.spec.Protection;
import io.github.etcdgitops.spec.RejectedPolicy;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/// Reads backups and restores from all documents together. An invalid policy or backup takes no ring out of
/// the run. An invalid restore does, because a ring that is created empty instead accepts writes that the
/// restored one will not have.
///
/// `whole` says that all documents of a repository were read: only then a missing one does not exist.
final class ProtectionReader {
    private final List<Assessed> assessed;
    private final boolean whole;
    private final boolean policiesRead;
    private final Unsure unsure;
    private final PolicyBook policies;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Location> unclear = new ArrayList<>();

    /// `policiesRead` says that every policy was read, so that a ring can be told that a policy does not
    /// exist. Otherwise one cause would give as many violations as rings.
    ProtectionReader(List<Assessed> assessed, boolean whole, boolean policiesRead, Unsure unsure) {
        this.assessed = assessed;
        this.whole = whole;
        this.policiesRead = policiesRead;
        this.unsure = unsure;
        policies = new PolicyBook(assessed);
        unclear.addAll(unsure.restores());
    }

    /// Locations with unknown contents: maybe a restore, or a policy.
    record Unsure(List<Location> restores, List<Location> policies) {}

    /// An absent Fleet means an untrusted one. Moves rings with an invalid restore from `rings` to
    /// `rejected`.
    Protection read(
            Optional<Fleet> fleet, SortedMap<ClusterRef, EtcdClusterSpec> rings, SortedSet<ClusterRef> rejected) {
        var described = new HashSet<>(rings.keySet());
        described.addAll(rejected);
        policies.check(fleet.filter(_ -> whole), rings.values());
        policies.checkDrills(described);
        if (policiesRead) {
            assessed.stream()
                    .filter(a -> a.ring()
                            .map(ref -> rings.get(ref))
                            .flatMap(ring -> ring.declaration().backupPolicy())
                            .isPresent())
                    .forEach(a -> policies.checkRing(a.document()));
        }
        var requests = requests(described);
        assessed.stream()
                .filter(a -> a.is(DocumentKind.TOMBSTONE) && a.good())
                .forEach(a -> policies.trouble(a.document(), List.of("spec", "policy"), whole)
                        .ifPresent(violations::add));
        var restores = new TreeMap<ClusterRef, RestoreRequest>();
        claims().forEach((ref, documents) -> {
            boolean known = described.contains(ref);
            var restore = known ? restore(ref, documents) : stray(ref, documents);
            restore.filter(_ -> rings.containsKey(ref)).ifPresent(r -> restores.put(ref, r));
            if (restore.isEmpty()) {
                rings.remove(ref);
                rejected.add(ref);
            }
        });
        return new Protection(policies.policies(), requests, restores, unclear, rejected(fleet.orElse(Fleet.DEFAULT)));
    }

    /// If a file is partly unreadable, the file's own entry covers the documents that were read.
    private List<RejectedPolicy> rejected(Fleet fleet) {
        var rejected = new ArrayList<RejectedPolicy>();
        unsure.policies()
                .forEach(at -> rejected.add(
                        new RejectedPolicy(Optional.empty(), Optional.empty(), fleet.namespacesOf(at.file()), at)));
        policies.rejected().stream()
                .filter(p -> unsure.policies().stream()
                        .noneMatch(at -> at.file().equals(p.source().file())))
                .forEach(rejected::add);
        return rejected;
    }

    private List<BackupRequest> requests(Collection<ClusterRef> described) {
        var requests = new TreeMap<String, BackupRequest>();
        var seen = new TreeMap<String, Location>();
        for (var document : assessed) {
            if (!document.is(DocumentKind.ETCD_BACKUP) || !document.good()) {
                continue;
            }
            var request = BackupRequestReader.read(document.document());
            String key = request.name() + " " + request.cluster();
            var earlier = Optional.ofNullable(seen.putIfAbsent(key, request.source()));
            earlier.ifPresent(at -> violations.add(Violation.of(
                    "duplicate-backup",
                    document.document().at(List.of("metadata", "name")),
                    "The backup " + Shown.quoted(request.name()) + " of " + request.cluster()
                            + " is already requested at " + at + ".",
                    "To take another backup, use another name.")));
            var trouble = policies.trouble(document.document(), List.of("spec", "policy"), whole)
                    .or(() -> ringless(document, request.cluster(), described));
            trouble.ifPresent(violations::add);
            if (trouble.isEmpty() && earlier.isEmpty()) {
                requests.put(key, request);
            }
        }
        return List.copyOf(requests.values());
    }

    private Optional<Violation> ringless(Assessed document, ClusterRef ring, Collection<ClusterRef> described) {
        return whole && !described.contains(ring)
                ? Optional.of(UnknownRing.named(document, ring, "there is nothing to back up.", described))
                : Optional.empty();
    }

    /// By the ring that each names. Documents that name none are unclear.
    private SortedMap<ClusterRef, List<Assessed>> claims() {
        var claims = new TreeMap<ClusterRef, List<Assessed>>();
        for (var document : assessed) {
            if (document.mayRestore()) {
                document.concerned()
                        .ifPresentOrElse(
                                ref -> claims.computeIfAbsent(ref, _ -> new ArrayList<>())
                                        .add(document),
                                () -> unclear.add(document.document().at(List.of())));
            }
        }
        return claims;
    }

    /// A name without a ring may be a typing error for an existing ring: it is unknown which one.
    private Optional<RestoreRequest> stray(ClusterRef ref, List<Assessed> documents) {
        for (var document : documents) {
            unclear.add(document.document().at(List.of()));
            if (whole && document.good()) {
                var rings = assessed.stream().flatMap(a -> a.ring().stream()).toList();
                violations.add(UnknownRing.named(document, ref, "it is not known what to restore.", rings));
            }
        }
        return Optional.empty();
    }

    private Optional<RestoreRequest> restore(ClusterRef ref, List<Assessed> documents) {
        if (documents.size() > 1) {
            refuseDuplicates(ref, documents);
            return Optional.empty();
        }
        var document = documents.getFirst();
        if (!document.good()) {
            return Optional.empty();
        }
        var trouble = policies.trouble(document.document(), List.of("spec", "from", "policy"), whole)
                .or(() -> secondSource(ref, document));
        trouble.ifPresent(violations::add);
        return trouble.isEmpty() ? Optional.of(RestoreReader.read(document.document())) : Optional.empty();
    }

    private void refuseDuplicates(ClusterRef ref, List<Assessed> documents) {
        for (var document : documents) {
            var here = document.document().at(List.of("spec", "cluster"));
            var other = documents.stream()
                    .map(d -> d.document().at(List.of("spec", "cluster")))
                    .filter(place -> !place.equals(here))
                    .findFirst()
                    .orElseThrow();
            violations.add(Violation.of(
                    "duplicate-restore",
                    here,
                    "The source for the restore of the ring " + ref + " is also named at " + other
                            + "; the ring is left alone, because it is unknown which one applies.",
                    "Keep one document of kind EtcdRestore for the ring."));
        }
    }

    private Optional<Violation> secondSource(ClusterRef ref, Assessed document) {
        return assessed.stream()
                .filter(a -> a.ring().filter(ref::equals).isPresent())
                .map(Assessed::document)
                .filter(ring -> ring.has("spec", "restoreFrom"))
                .findFirst()
                .map(ring -> Violation.of(
                        "two-sources",
                        ring.atKey(List.of("spec", "restoreFrom")),
                        "`spec.restoreFrom` of the ring " + ref + " conflicts with the EtcdRestore for it, at "
                                + document.document().at(List.of()) + ".",
                        "Remove `restoreFrom`; the EtcdRestore is sufficient."));
    }

    List<Violation> violations() {
        var all = new ArrayList<>(policies.violations());
        all.addAll(violations);
        return all;
    }
}
