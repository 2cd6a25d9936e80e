package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.DocumentKind;
import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.kind.ApprovalReader;
import io.github.etcdgitops.document.kind.FleetReader;
import io.github.etcdgitops.document.kind.TombstoneReader;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.spec.Authorship;
import io.github.etcdgitops.spec.Decisions;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.OfRules;
import io.github.etcdgitops.spec.Rulebook;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.SharedRing;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads a tree of files into the desired state. An invalid document takes only its own ring out of the
/// run: the ring is named in `rejected`, if it is known. An invalid Fleet takes out all rings, because the
/// defaults may be less strict than the intended settings.
public final class SpecLoader {
    private static final int DUPLICATES_NAMED = 5;

    private final DocumentIntake intake;
    private final List<Assessed> assessed;
    private final List<Violation> violations;
    private final List<Location> unreadPolicies;
    private final Set<SharedRing> unclearShares = new LinkedHashSet<>();
    private final SharedParts shared = new SharedParts();

    private SpecLoader(DocumentIntake intake) {
        this.intake = intake;
        this.assessed = intake.assessed();
        this.violations = new ArrayList<>(intake.violations());
        this.unreadPolicies = new ArrayList<>(intake.policies());
    }

    /// A whole repository: every kind of document in its own folder.
    public static DesiredState load(SourceTree tree) {
        return load(tree, new ReadFiles());
    }

    /// The same; a file that another revision shares with this one is not read again.
    public static DesiredState load(SourceTree tree, ReadFiles files) {
        return load(tree, true, Optional.empty(), files);
    }

    /// A repository whose documents must respect the limits of its own Fleet and these ones; both apply
    /// from then on.
    public static DesiredState load(SourceTree tree, Fleet.Sharing also) {
        return load(tree, true, Optional.of(also), new ReadFiles());
    }

    /// A repository whose author must not choose the rules that judge it: policies and Fleet come from
    /// `judge`. Errors in its own ones are still reported.
    public static DesiredState load(SourceTree tree, SourceTree judge) {
        var documents = new TreeMap<String, byte[]>();
        tree.documents().forEach((file, bytes) -> put(documents, file, bytes, !Folder.isRule(file)));
        judge.documents().forEach((file, bytes) -> put(documents, file, bytes, Folder.isRule(file)));
        var unread = Stream.concat(
                        tree.violations().stream().filter(v -> !Folder.isRule(v.at().file())),
                        judge.violations().stream().filter(v -> Folder.isRule(v.at().file())))
                .toList();
        var files = new ReadFiles();
        var own = load(tree, files).violations().stream()
                .filter(v -> Folder.isRule(v.at().file()))
                .toList();
        return load(new SourceTree(tree.commit(), documents, unread, tree.large(), tree.digest()), files)
                .with(own);
    }

    /// Only the Fleet and the policies.
    public static DesiredState rules(SourceTree tree) {
        var documents = new TreeMap<String, byte[]>();
        tree.documents().forEach((file, bytes) -> put(documents, file, bytes, Folder.isRule(file)));
        return load(new SourceTree(tree.commit(), documents, List.of(), tree.digest()));
    }

    /// Whether a file contains rules: the Fleet, one of the policies, or the catalogue of releases.
    public static boolean isRule(String file) {
        return Folder.isRule(file);
    }

    private static void put(Map<String, byte[]> documents, String file, byte[] bytes, boolean wanted) {
        if (wanted) {
            documents.put(file, bytes);
        }
    }

    /// Files named on a command line: folders do not matter.
    public static DesiredState loadLoose(SourceTree tree) {
        return load(tree, false, Optional.empty(), new ReadFiles());
    }

    private static DesiredState load(SourceTree tree, boolean folders, Optional<Fleet.Sharing> also, ReadFiles files) {
        return load(DocumentIntake.of(tree, folders, files), tree, folders, also);
    }

    private static DesiredState load(
            DocumentIntake intake, SourceTree tree, boolean inFolders, Optional<Fleet.Sharing> also) {
        var loader = new SpecLoader(intake);
        var own = loader.fleet();
        var fleet = own.map(f -> also.map(f::with).orElse(f));
        var rejected = new TreeSet<ClusterRef>();
        var strays = loader.fences(own, fleet, inFolders);
        var catalog = CatalogChoice.of(loader.assessed, loader.violations);
        var rings = loader.rings(fleet.orElse(Fleet.DEFAULT), catalog, rejected);
        var unsure = new ProtectionReader.Unsure(intake.restores(), loader.unreadPolicies);
        var reader = new ProtectionReader(loader.assessed, inFolders, inFolders && !intake.policiesUnread(), unsure);
        var protection = reader.read(fleet, rings, rejected);
        loader.violations.addAll(reader.violations());
        loader.beside(fleet.orElse(Fleet.DEFAULT), rings, rejected, inFolders);
        var rulebook = new RulebookReader(loader.assessed, loader.unreadPolicies, inFolders);
        var rules = rulebook.read(fleet.filter(_ -> inFolders));
        loader.violations.addAll(rulebook.violations());
        var buried = loader.tombstones().stream().map(Tombstone::cluster).toList();
        strays.stream()
                .filter(ref -> !rings.containsKey(ref) && !buried.contains(ref))
                .forEach(rejected::add);
        rings.replaceAll((_, ring) -> loader.leaving(ring, rules));
        if (fleet.isEmpty()) {
            rejected.addAll(rings.keySet());
            rings.clear();
        }
        return new DesiredState(
                fleet.orElse(Fleet.DEFAULT),
                Collections.unmodifiableSortedMap(rings),
                new Decisions(
                        loader.approvals(ApprovalReader::read),
                        loader.tombstones(),
                        rules,
                        Authorship.NONE,
                        new OfRules(loader.approvals(ApprovalReader::ofRules), List.of())),
                protection,
                new DesiredState.Refused(
                        Collections.unmodifiableSortedSet(rejected), intake.rings(), loader.violations, tree.large()),
                tree.digest());
    }

    private EtcdClusterSpec leaving(EtcdClusterSpec ring, Rulebook rules) {
        var drift = rules.drift(ring);
        return drift.isEmpty() ? ring : shared.of(ring.leaving(drift));
    }

    /// Empty when there is an untrusted Fleet; the defaults when there is none at all.
    private Optional<Fleet> fleet() {
        var fleets = assessed.stream().filter(a -> a.is(DocumentKind.FLEET)).toList();
        var good = fleets.stream().filter(Assessed::good).toList();
        if (good.size() > 1) {
            for (var fleet : good) {
                violations.add(Violation.of(
                        "duplicate-fleet",
                        fleet.document().at(List.of()),
                        "There are " + good.size() + " documents of kind Fleet; a repository can have only one.",
                        "Keep one of them."));
            }
            return Optional.empty();
        }
        if (intake.fleetUnread() || (good.isEmpty() && !fleets.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(
                good.isEmpty()
                        ? Fleet.DEFAULT
                        : FleetReader.read(good.getFirst().document()));
    }

    /// Adds to the specs what documents beside those of the rings ask for.
    private void beside(
            Fleet fleet, SortedMap<ClusterRef, EtcdClusterSpec> rings, Set<ClusterRef> rejected, boolean inFolders) {
        var requests = new RepairRequests(assessed, inFolders);
        requests.read(rings, rejected);
        violations.addAll(requests.violations());
        var auth = new AuthDocuments(assessed, inFolders, fleet, intake.rings());
        auth.hold(unclearShares);
        auth.read(rings, rejected);
        violations.addAll(auth.violations());
    }

    /// The limits of the repository's own Fleet, and the additional ones.
    private Set<ClusterRef> fences(Optional<Fleet> own, Optional<Fleet> besides, boolean inFolders) {
        var strays = new TreeSet<>(fence(own, inFolders));
        if (!own.equals(besides)) {
            strays.addAll(fence(besides, inFolders));
        }
        return strays;
    }

    /// Leaves out documents about foreign rings, and reports what others must not ask for. An untrusted
    /// Fleet sets no limits; then no ring is carried out anyway. Without folders, no file belongs to a
    /// tenant.
    private Set<ClusterRef> fence(Optional<Fleet> fleet, boolean inFolders) {
        if (!inFolders) {
            assessed.replaceAll(a -> {
                var trouble = SafeDefaults.trouble(a, Optional.empty());
                violations.addAll(trouble);
                return a.inside(a.within(), trouble);
            });
            return Set.of();
        }
        var held = fleet.map(f -> Fences.hold(f, assessed));
        held.ifPresent(h -> {
            violations.addAll(h.violations());
            assessed.clear();
            assessed.addAll(h.inside());
            unreadPolicies.addAll(h.unread());
            unclearShares.addAll(h.unclear());
        });
        return held.map(Fences.Held::strays).orElse(Set.of());
    }

    private SortedMap<ClusterRef, EtcdClusterSpec> rings(Fleet fleet, Catalog catalog, Set<ClusterRef> rejected) {
        var claims = new TreeMap<ClusterRef, List<Assessed>>();
        for (var document : assessed) {
            document.ring()
                    .ifPresent(ref ->
                            claims.computeIfAbsent(ref, _ -> new ArrayList<>()).add(document));
        }
        var alone = new TreeMap<ClusterRef, Assessed>();
        claims.forEach((ref, claiming) -> {
            // A document at another location does not take a ring from its own document.
            var inPlace = claiming.stream().filter(d -> !intake.misplaced(d)).toList();
            var documents = inPlace.isEmpty() ? claiming : inPlace;
            if (documents.size() > 1) {
                refuseDuplicates(ref, documents);
                rejected.add(ref);
            } else {
                alone.put(ref, documents.getFirst());
            }
        });
        var rings = new TreeMap<ClusterRef, EtcdClusterSpec>();
        List.copyOf(alone.entrySet()).parallelStream()
                .map(entry -> RingRead.of(entry.getKey(), entry.getValue(), fleet, catalog, shared))
                .toList()
                .forEach(read -> {
                    violations.addAll(read.trouble());
                    read.spec().ifPresentOrElse(s -> rings.put(read.ref(), s), () -> rejected.add(read.ref()));
                });
        return rings;
    }

    private void refuseDuplicates(ClusterRef ref, List<Assessed> documents) {
        var places = documents.stream()
                .map(d -> d.document().at(List.of("metadata", "name")))
                .toList();
        for (var here : places) {
            var others = places.stream()
                    .filter(place -> !place.equals(here))
                    .limit(DUPLICATES_NAMED)
                    .map(Location::toString)
                    .collect(Collectors.joining(", "));
            int more = places.size() - 1 - DUPLICATES_NAMED;
            violations.add(Violation.of(
                    "duplicate-ring",
                    here,
                    "The ring " + ref + " is also described at " + others
                            + (more > 0 ? " and " + more + " more places" : "")
                            + "; none of these is carried out, because it is unknown which one applies.",
                    "Keep one document for the ring."));
        }
    }

    private <T> List<T> approvals(Function<YamlDocument, Optional<T>> reader) {
        return assessed.stream()
                .filter(a -> a.is(DocumentKind.APPROVAL) && a.good())
                .flatMap(a -> reader.apply(a.document()).stream())
                .toList();
    }

    private List<Tombstone> tombstones() {
        return assessed.stream()
                .filter(a -> a.is(DocumentKind.TOMBSTONE) && a.good())
                .map(a -> TombstoneReader.read(a.document()))
                .toList();
    }
}
