package io.github.etcdgitops.document;

import io.github.etcdgitops.document.RingAuth.PasswordSecret;
import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.spec.auth.OwnSecrets;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.SharedRing;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Reads the users and roles of all rings from all documents together. Where not all of a ring's are
/// valid, nobody asks for users and roles of this ring, so that none of them is touched: a user that could
/// not be read is not absent. Everything else of the ring goes on. Where a tenant's documents about a ring of somebody
/// else are not all valid, this concerns the users and roles of that tenant alone.
final class AuthDocuments {
    private final List<Assessed> assessed;
    private final boolean whole;
    private final Fleet fleet;
    private final SortedMap<ClusterRef, List<Assessed>> byRing = new TreeMap<>();
    private final Map<SharedRing, List<Assessed>> shared = new LinkedHashMap<>();
    private final Set<SharedRing> unclearShares = new LinkedHashSet<>();
    private final Set<ClusterRef> unsettled = new HashSet<>();
    private final List<Location> unclear = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>();

    /// `whole` says that all documents of a repository were read: only then a missing one does not exist.
    /// `unread` are locations that may hold documents of any ring and are unreadable.
    AuthDocuments(List<Assessed> assessed, boolean whole, Fleet fleet, List<Location> unread) {
        this.assessed = assessed;
        this.whole = whole;
        this.fleet = fleet;
        unclear.addAll(unread);
    }

    /// Puts users and roles into the specs of the rings.
    void read(SortedMap<ClusterRef, EtcdClusterSpec> rings, Collection<ClusterRef> rejected) {
        assessed.forEach(this::sort);
        var asking = new TreeMap<ClusterRef, EtcdClusterSpec>();
        rings.forEach((ref, ring) -> {
            if (ring.auth().isPresent()) {
                asking.put(ref, ring);
            }
        });
        hold(asking.keySet());
        misses(rings, rejected);
        if (asking.isEmpty()) {
            return;
        }
        var merging = merging(asking);
        merging.forEach((ref, ring) -> {
            if (ring.settle()) {
                admit(ref, ring);
            }
            violations.addAll(ring.violations());
        });
        var described = new HashSet<>(rings.keySet());
        described.addAll(rejected);
        secrets(merging, described);
        merging.forEach((ref, users) -> rings.computeIfPresent(
                ref, (_, ring) -> ring.with(users.merged().filter(_ -> !unsettled.contains(ref)))));
    }

    private void admit(ClusterRef ref, RingAuth ring) {
        var of = new LinkedHashSet<>(shared.keySet());
        of.addAll(unclearShares);
        of.stream()
                .filter(share -> share.ring().equals(ref))
                .forEach(share ->
                        ring.admit(share, shared.getOrDefault(share, List.of()), !unclearShares.contains(share)));
    }

    /// A document of an unknown kind may be meant as one of a user.
    private void sort(Assessed document) {
        boolean of = document.is(DocumentKind.ETCD_USER) || document.is(DocumentKind.ETCD_ROLE);
        boolean maybe = document.kind().isEmpty() && document.document().has("spec", "cluster");
        if (!of && !maybe) {
            return;
        }
        var ring = document.concerned();
        var share = ring.filter(_ -> whole).flatMap(ref -> fleet.sharedWith(document.file(), ref));
        if (ring.isEmpty()) {
            unclear.add(Location.ofFile(document.file()));
        } else if (share.isPresent()) {
            shared.computeIfAbsent(share.get(), _ -> new ArrayList<>()).add(document);
            if (!document.good()) {
                unclearShares.add(share.get());
            }
        } else if (document.good()) {
            byRing.computeIfAbsent(ring.get(), _ -> new ArrayList<>()).add(document);
        } else {
            unsettled.add(ring.get());
        }
    }

    /// Not all documents that may be about these were read.
    void hold(Set<SharedRing> unread) {
        unclearShares.addAll(unread);
    }

    private void hold(Collection<ClusterRef> asking) {
        unclear.forEach(at -> unclearShares.addAll(fleet.sharedAt(at.file())));
        unclear.stream()
                .map(at -> fleet.namespacesOf(at.file()))
                .distinct()
                .forEach(about -> asking.stream()
                        .filter(ref -> about.contains(ref.namespace()))
                        .forEach(unsettled::add));
    }

    /// Documents about a ring that does not exist, or that does not ask for authentication.
    private void misses(SortedMap<ClusterRef, EtcdClusterSpec> rings, Collection<ClusterRef> rejected) {
        var described = new TreeSet<>(rings.keySet());
        described.addAll(rejected);
        var all = new TreeMap<ClusterRef, List<Assessed>>();
        byRing.forEach((ref, documents) -> all.put(ref, new ArrayList<>(documents)));
        shared.forEach((share, documents) ->
                all.computeIfAbsent(share.ring(), _ -> new ArrayList<>()).addAll(documents));
        all.forEach((ref, documents) -> {
            var ring = Optional.ofNullable(rings.get(ref));
            if (ring.isEmpty() && whole && !described.contains(ref)) {
                documents.forEach(document -> violations.add(
                        UnknownRing.named(document, ref, "there is nobody to give access to.", described)));
            } else if (ring.filter(r -> r.auth().isEmpty()).isPresent()) {
                documents.forEach(document -> violations.add(Violation.of(
                        "auth-not-asked",
                        document.document().at(List.of("spec", "cluster", "name")),
                        "The document of the ring " + ref + " has no `spec.auth`; a user or a role alone does not"
                                + " switch authentication on.",
                        "Add `auth: {}` to the spec of the ring, or delete this document.")));
            }
        });
    }

    private SortedMap<ClusterRef, RingAuth> merging(SortedMap<ClusterRef, EtcdClusterSpec> asking) {
        var merging = new TreeMap<ClusterRef, RingAuth>();
        asking.forEach((ref, ring) -> merging.put(ref, new RingAuth(ring, whole && !unsettled.contains(ref))));
        for (var document : assessed) {
            document.ring()
                    .filter(_ -> document.good())
                    .flatMap(ref -> Optional.ofNullable(merging.get(ref)))
                    .ifPresent(ring -> ring.addOwn(document.document()));
        }
        merging.forEach((ref, ring) -> byRing.getOrDefault(ref, List.of()).forEach(ring::add));
        return merging;
    }

    /// The names of two rings, or of a ring and a user, can make the same name of a Secret.
    private void secrets(SortedMap<ClusterRef, RingAuth> merging, Set<ClusterRef> described) {
        record Owner(ClusterRef ring, PasswordSecret secret) {}
        var owners = new TreeMap<ClusterRef, List<Owner>>();
        merging.forEach((ref, ring) -> ring.merged()
                .map(ring::secrets)
                .orElse(List.of())
                .forEach(secret -> {
                    var name = new ClusterRef(ref.namespace(), secret.name());
                    reserved(name, secret, described).ifPresent(violation -> {
                        violations.add(violation);
                        leaveAside(ring, ref, secret);
                    });
                    if (secret.user().generated()) {
                        owners.computeIfAbsent(name, _ -> new ArrayList<>()).add(new Owner(ref, secret));
                    }
                }));
        owners.forEach((name, of) -> {
            var guests = of.stream().filter(o -> o.secret().by().isPresent()).toList();
            for (var owner : of.size() == 1 ? List.<Owner>of() : guests.isEmpty() ? of : guests) {
                var other =
                        of.stream().filter(o -> !o.ring().equals(owner.ring())).findFirst();
                violations.add(Violation.of(
                        "duplicate-secret",
                        owner.secret().at(),
                        "The password of this user of the ring " + owner.ring() + " is generated into the Secret "
                                + name.name() + ", as is that of a user of another ring, at "
                                + other.map(o -> o.secret().at().toString()).orElse("another place") + ".",
                        "Choose another name for one of the two users."));
                Optional.ofNullable(merging.get(owner.ring()))
                        .ifPresent(ring -> leaveAside(ring, owner.ring(), owner.secret()));
            }
        });
    }

    private void leaveAside(RingAuth ring, ClusterRef ref, PasswordSecret secret) {
        secret.by().ifPresentOrElse(ring::expel, () -> unsettled.add(ref));
    }

    private static Optional<Violation> reserved(
            ClusterRef name, PasswordSecret secret, Collection<ClusterRef> described) {
        return OwnSecrets.ENDS.stream()
                .filter(end -> name.name().endsWith(end))
                .map(end -> name.name().substring(0, name.name().length() - end.length()))
                .map(ring -> new ClusterRef(name.namespace(), ring))
                .filter(described::contains)
                .findFirst()
                .map(ring -> Violation.of(
                        "reserved-secret",
                        secret.at(),
                        "The password of the user " + Shown.quoted(secret.user().name()) + " is in the Secret "
                                + Shown.plain(name.name()) + ", which is one of the ring " + ring + " itself.",
                        secret.user().generated() ? "Choose another name for the user." : "Choose another Secret."));
    }

    List<Violation> violations() {
        return violations;
    }
}
