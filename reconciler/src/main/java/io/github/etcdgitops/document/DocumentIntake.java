package io.github.etcdgitops.document;

import io.github.etcdgitops.document.field.Folder;
import io.github.etcdgitops.document.yaml.YamlDocuments;
import io.github.etcdgitops.git.tree.Scope;
import io.github.etcdgitops.git.tree.SourceTree;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/// The documents of a tree, each checked alone, and the unreadable parts of the tree: these count as
/// invalid, never as absent.
final class DocumentIntake {
    private static final Pattern PLAIN_ENDING = Pattern.compile("(?i)\\.(ya?ml|json)$");

    private final boolean inFolders;
    private final List<Violation> violations = new ArrayList<>();
    private final List<Assessed> assessed = new ArrayList<>();
    private final List<Location> rings = new ArrayList<>();
    private final List<Location> restores = new ArrayList<>();
    private final List<Location> policies = new ArrayList<>();
    private boolean fleetUnread;
    private boolean policiesUnread;

    private DocumentIntake(boolean inFolders) {
        this.inFolders = inFolders;
    }

    static DocumentIntake of(SourceTree tree, boolean inFolders, ReadFiles files) {
        var intake = new DocumentIntake(inFolders);
        tree.violations().forEach(violation -> intake.remember(violation, tree));
        intake.readAll(tree, files);
        return intake;
    }

    List<Violation> violations() {
        return violations;
    }

    List<Assessed> assessed() {
        return assessed;
    }

    /// Locations that may hold documents of rings and are unreadable, or do not show which ring they are
    /// about.
    List<Location> rings() {
        return rings.stream()
                .filter(at -> at.line() == 0 || !rings.contains(Location.ofFile(at.file())))
                .distinct()
                .sorted()
                .toList();
    }

    /// Locations that may hold restores, in the same way.
    List<Location> restores() {
        return restores;
    }

    /// Locations that may hold policies, in the same way.
    List<Location> policies() {
        return policies;
    }

    /// Whether intended settings may not have been read.
    boolean fleetUnread() {
        return fleetUnread;
    }

    boolean policiesUnread() {
        return policiesUnread;
    }

    /// Whether documents of this kind are never read from the file's location.
    boolean misplaced(Assessed document) {
        return inFolders && Folder.of(document.file()).isEmpty();
    }

    /// Records what the tree itself could not provide.
    private void remember(Violation unread, SourceTree tree) {
        var at = unread.at();
        violations.add(unread);
        policiesUnread = true;
        fleetUnread |= at.file().equals(Folder.FLEET_FILE) || misnamesFleet(at.file(), tree);
        if (!inFolders || Folder.CLUSTERS.holds(at.file())) {
            rings.add(at);
            restores.add(at);
        }
        if (!inFolders || Folder.POLICIES.holds(at.file())) {
            policies.add(at);
        }
    }

    private boolean misnamesFleet(String file, SourceTree tree) {
        return inFolders
                && Scope.STANDARD.resembles(file)
                && (PLAIN_ENDING.matcher(file).find() || !tree.documents().containsKey(Folder.FLEET_FILE));
    }

    /// Files are read in parallel, because each is checked alone first. A list is divided into halves; a tree is not.
    private void readAll(SourceTree tree, ReadFiles known) {
        var files = List.copyOf(tree.documents().entrySet()).parallelStream()
                .map(entry -> known.read(entry.getKey(), entry.getValue(), inFolders))
                .toList();
        for (var file : files) {
            switch (file) {
                case ReadFile.Misnamed(String name) -> misnamed(name, tree);
                case ReadFile.Elsewhere(String name) ->
                    misplaced(name, Objects.requireNonNull(tree.documents().get(name)));
                case ReadFile.Documents documents -> read(documents);
            }
        }
        if (violations.isEmpty() && files.stream().noneMatch(ReadFile.Documents.class::isInstance)) {
            violations.add(Violation.of(
                    "nothing-to-read",
                    Location.ofFile("."),
                    "No document was found: neither " + Folder.FLEET_FILE + " nor a YAML file below clusters/.",
                    "Is this the root of a config repository?"));
        }
    }

    private void misnamed(String file, SourceTree tree) {
        violations.add(Violation.of(
                "misnamed-file",
                Location.ofFile(file),
                "The settings of a repository are in " + Folder.FLEET_FILE + "; this file is not read.",
                "Rename it to " + Folder.FLEET_FILE + ", or remove it."));
        fleetUnread |= misnamesFleet(file, tree);
    }

    private void read(ReadFile.Documents file) {
        violations.addAll(file.unread());
        fleetUnread |= file.in(Folder.ROOT) && !file.unread().isEmpty();
        boolean ringsLiveHere = file.folder().isEmpty() || file.in(Folder.CLUSTERS);
        for (var document : file.documents()) {
            assessed.add(document);
            violations.addAll(document.violations());
            fleetUnread |= file.in(Folder.ROOT) && !document.good();
            if (ringsLiveHere && document.mayBeAnyRing()) {
                rings.add(document.document().at(List.of()));
            }
        }
        if (file.brokenOff() && file.in(Folder.POLICIES)) {
            policiesUnread = true;
            if (!file.empty()) {
                policies.add(Location.ofFile(file.file()));
            }
        }
        if (file.brokenOff() && ringsLiveHere) {
            rings.add(Location.ofFile(file.file()));
            long restoring =
                    file.documents().stream().filter(Assessed::mayRestore).count();
            if (file.restores() > restoring) {
                restores.add(Location.ofFile(file.file()));
            }
        }
    }

    /// A file that says that it has documents of ours, at a location or with a name that is not read. It
    /// has no effect, except that the rings it names are known and not touched.
    private void misplaced(String file, byte[] bytes) {
        if (!Scope.STANDARD.isOurs(bytes)) {
            return;
        }
        var yaml = YamlDocuments.read(file, bytes);
        boolean brokenOff = !yaml.violations().isEmpty();
        int before = violations.size();
        for (var document : yaml.documents()) {
            brokenOff |= !document.whole();
            if (Misplaced.isOurs(document)) {
                var result = Misplaced.of(document);
                assessed.add(result);
                violations.addAll(result.violations());
                if (result.mayBeAnyRing()) {
                    rings.add(document.at(List.of()));
                }
            }
        }
        if (brokenOff) {
            rings.add(Location.ofFile(file));
            policiesUnread = true;
            policies.add(Location.ofFile(file));
            if (ReadFile.mentionsOfRestores(bytes) > 0) {
                restores.add(Location.ofFile(file));
            }
            if (violations.size() == before) {
                violations.add(Misplaced.file(file));
            }
        }
    }
}
