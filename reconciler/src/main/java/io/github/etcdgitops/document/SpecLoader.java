package io.github.etcdgitops.document;

import io.github.etcdgitops.git.SourceTree;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Decisions;
import io.github.etcdgitops.spec.DesiredState;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.Fleet;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A tree of files to the desired state. A bad document takes its own ring out of the run and no other:
/// the ring is named in `rejected`, where it can be named. A bad Fleet takes out all, because its
/// defaults may be laxer than what it was meant to say.
public final class SpecLoader {
    private static final int DUPLICATES_NAMED = 5;
    private static final Pattern RESTORE = Pattern.compile("kind\\W{1,8}\\w*restor", Pattern.CASE_INSENSITIVE);

    private final List<Violation> violations = new ArrayList<>();
    private final List<Assessed> assessed = new ArrayList<>();
    private final List<Location> unclear = new ArrayList<>();
    private final List<Location> unreadPolicies = new ArrayList<>();
    private boolean fleetUnreadable;
    private boolean policiesUnread;

    private SpecLoader() {}

    /// A whole repository: every kind of document in its own folder, files elsewhere are not looked at.
    public static DesiredState load(SourceTree tree) {
        return load(tree, true);
    }

    /// A repository whose author is not to decide by which rules it is judged: policies and Fleet are those
    /// of `judge`. What is wrong with its own ones is said all the same.
    public static DesiredState load(SourceTree tree, SourceTree judge) {
        var documents = new TreeMap<String, byte[]>();
        tree.documents().forEach((file, bytes) -> put(documents, file, bytes, !Folder.isRule(file)));
        judge.documents().forEach((file, bytes) -> put(documents, file, bytes, Folder.isRule(file)));
        var unread = Stream.concat(
                        tree.violations().stream().filter(v -> !Folder.isRule(v.at().file())),
                        judge.violations().stream().filter(v -> Folder.isRule(v.at().file())))
                .toList();
        var own = load(tree).violations().stream()
                .filter(v -> Folder.isRule(v.at().file()))
                .toList();
        return load(new SourceTree(tree.commit(), documents, unread, tree.digest()))
                .with(own);
    }

    private static void put(Map<String, byte[]> documents, String file, byte[] bytes, boolean wanted) {
        if (wanted) {
            documents.put(file, bytes);
        }
    }

    /// Files from anywhere, as somebody names them on a command line: folders do not matter.
    public static DesiredState loadLoose(SourceTree tree) {
        return load(tree, false);
    }

    private static DesiredState load(SourceTree tree, boolean inFolders) {
        var loader = new SpecLoader();
        loader.remember(tree.violations(), inFolders);
        loader.readAll(tree, inFolders);
        var fleet = loader.fleet();
        var rejected = new TreeSet<ClusterRef>();
        var rings = loader.rings(fleet.orElse(Fleet.DEFAULT), rejected);
        var unsure = new ProtectionReader.Unsure(loader.unclear, loader.unreadPolicies);
        var reader = new ProtectionReader(loader.assessed, inFolders, inFolders && !loader.policiesUnread, unsure);
        var protection = reader.read(fleet, rings, rejected);
        loader.violations.addAll(reader.violations());
        var requests = new RepairRequests(loader.assessed, inFolders);
        requests.read(rings, rejected);
        loader.violations.addAll(requests.violations());
        var rulebook = new RulebookReader(loader.assessed, loader.unreadPolicies, inFolders);
        var rules = rulebook.read(fleet.filter(_ -> inFolders));
        loader.violations.addAll(rulebook.violations());
        rings.replaceAll((_, ring) -> ring.leaving(rules.drift(ring)));
        if (fleet.isEmpty()) {
            rejected.addAll(rings.keySet());
            rings.clear();
        }
        return new DesiredState(
                fleet.orElse(Fleet.DEFAULT),
                Collections.unmodifiableSortedMap(rings),
                new Decisions(loader.approvals(), loader.tombstones(), rules),
                protection,
                Collections.unmodifiableSortedSet(rejected),
                loader.violations,
                tree.digest());
    }

    /// What the tree itself could not give.
    private void remember(List<Violation> unread, boolean inFolders) {
        violations.addAll(unread);
        policiesUnread = !unread.isEmpty();
        for (var at : unread.stream().map(Violation::at).toList()) {
            fleetUnreadable |= at.file().equals(Folder.FLEET_FILE);
            if (!inFolders || Folder.CLUSTERS.holds(at.file())) {
                unclear.add(at);
            }
            if (!inFolders || Folder.POLICIES.holds(at.file())) {
                unreadPolicies.add(at);
            }
        }
    }

    private void readAll(SourceTree tree, boolean inFolders) {
        boolean nothing = true;
        for (var entry : tree.documents().entrySet()) {
            String file = entry.getKey();
            var folder = Folder.of(file);
            if (inFolders && file.equals("etcd-gitops.yml")) {
                violations.add(Violation.of(
                        "misnamed-file",
                        Location.ofFile(file),
                        "The settings of a repository stand in " + Folder.FLEET_FILE + "; this file is not read.",
                        "Rename it to " + Folder.FLEET_FILE + "."));
                fleetUnreadable = true;
            }
            if (inFolders && folder.isEmpty()) {
                continue;
            }
            nothing = false;
            read(file, entry.getValue(), inFolders ? folder : Optional.empty());
        }
        if (nothing && violations.isEmpty()) {
            violations.add(Violation.of(
                    "nothing-to-read",
                    Location.ofFile("."),
                    "No document was found: neither " + Folder.FLEET_FILE + " nor a YAML file below clusters/.",
                    "Is this the root of a config repository?"));
        }
    }

    private void read(String file, byte[] bytes, Optional<Folder> folder) {
        var yaml = YamlDocuments.read(file, bytes);
        violations.addAll(yaml.violations());
        boolean ofFleet = folder.filter(f -> f == Folder.ROOT).isPresent();
        fleetUnreadable |= ofFleet && !yaml.violations().isEmpty();
        int restores = 0;
        boolean brokenOff = !yaml.violations().isEmpty();
        for (var document : yaml.documents()) {
            var result = Assessed.of(document, folder);
            assessed.add(result);
            violations.addAll(result.violations());
            fleetUnreadable |= ofFleet && !result.good();
            brokenOff |= !document.whole();
            restores += result.mayRestore() ? 1 : 0;
        }
        if (brokenOff && folder.filter(f -> f == Folder.POLICIES).isPresent()) {
            policiesUnread = true;
            if (yaml.violations().stream().noneMatch(v -> v.code().equals("empty-file"))) {
                unreadPolicies.add(Location.ofFile(file));
            }
        }
        boolean ringsLiveHere = folder.isEmpty() || folder.get() == Folder.CLUSTERS;
        if (brokenOff && ringsLiveHere && mentionsOfRestores(bytes) > restores) {
            unclear.add(Location.ofFile(file));
        }
    }

    /// How many documents of a file that cannot be read to its end say that they are an EtcdRestore, in
    /// whatever encoding.
    private static long mentionsOfRestores(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1).replace("\0", "");
        return RESTORE.matcher(text).results().count();
    }

    /// Nothing when there is a Fleet that cannot be trusted; the defaults when there is none at all.
    private Optional<Fleet> fleet() {
        var fleets = assessed.stream().filter(a -> a.is(DocumentKind.FLEET)).toList();
        var good = fleets.stream().filter(Assessed::good).toList();
        if (good.size() > 1) {
            for (var fleet : good) {
                violations.add(Violation.of(
                        "duplicate-fleet",
                        fleet.document().at(List.of()),
                        "There are " + good.size() + " documents of kind Fleet; a repository has one at most.",
                        "Keep one of them."));
            }
            return Optional.empty();
        }
        if (fleetUnreadable || (good.isEmpty() && !fleets.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(
                good.isEmpty()
                        ? Fleet.DEFAULT
                        : FleetReader.read(good.getFirst().document()));
    }

    private SortedMap<ClusterRef, EtcdClusterSpec> rings(Fleet fleet, Set<ClusterRef> rejected) {
        var claims = new TreeMap<ClusterRef, List<Assessed>>();
        for (var document : assessed) {
            document.ring()
                    .ifPresent(ref ->
                            claims.computeIfAbsent(ref, _ -> new ArrayList<>()).add(document));
        }
        var rings = new TreeMap<ClusterRef, EtcdClusterSpec>();
        claims.forEach((ref, documents) -> {
            if (documents.size() > 1) {
                refuseDuplicates(ref, documents);
                rejected.add(ref);
            } else {
                ring(ref, documents.getFirst(), fleet).ifPresentOrElse(s -> rings.put(ref, s), () -> rejected.add(ref));
            }
        });
        return rings;
    }

    private Optional<EtcdClusterSpec> ring(ClusterRef ref, Assessed document, Fleet fleet) {
        var environment = new EnvironmentCheck(fleet, document.document());
        var trouble = environment.violations().stream()
                .filter(v -> document.document().whole() && document.notWrongAt(v.at()))
                .toList();
        violations.addAll(trouble);
        return document.good() && trouble.isEmpty()
                ? Optional.of(ClusterReader.read(
                        ref, document.document(), environment.name(), fleet.defaultsIn(environment.name())))
                : Optional.empty();
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
                            + "; none of these is carried out, since nobody can tell which one counts.",
                    "Keep one document for the ring."));
        }
    }

    private List<Approval> approvals() {
        return assessed.stream()
                .filter(a -> a.is(DocumentKind.APPROVAL) && a.good())
                .map(a -> ApprovalReader.read(a.document()))
                .toList();
    }

    private List<Tombstone> tombstones() {
        return assessed.stream()
                .filter(a -> a.is(DocumentKind.TOMBSTONE) && a.good())
                .map(a -> TombstoneReader.read(a.document()))
                .toList();
    }
}
