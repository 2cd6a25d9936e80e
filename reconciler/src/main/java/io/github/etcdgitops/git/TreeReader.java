package io.github.etcdgitops.git;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.treewalk.TreeWalk;

/// Reads the documents of one commit out of the object store. What somebody may have put there to make us read
/// elsewhere, read too much or read one file as another is refused by its name; the rest is read.
final class TreeReader {
    /// Far above what a fleet needs, and low enough to hold all documents in memory.
    record Limits(int files, long fileBytes, long allBytes, int entries, int depth) {
        static final Limits STANDARD = new Limits(10_000, 256L << 10, 256L << 20, 500_000, 32);
    }

    private final Limits limits;
    private final Scope scope;
    private final SortedMap<String, byte[]> documents = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();
    private final CaseCollisions collisions = new CaseCollisions();
    private long bytes;
    private int entries;

    private TreeReader(Limits limits, Scope scope) {
        this.limits = limits;
        this.scope = scope;
    }

    static SourceTree read(Repository store, RevCommit commit, Scope scope, Limits limits) throws IOException {
        var reader = new TreeReader(limits, scope);
        reader.walk(store, commit);
        reader.collisions.findings().forEach((path, violation) -> {
            reader.documents.remove(path);
            reader.violations.add(violation);
        });
        var sorted = reader.violations.stream().sorted().toList();
        return new SourceTree(commit.name(), reader.documents, sorted, TreeDigest.of(reader.documents));
    }

    private void walk(Repository store, RevCommit commit) throws IOException {
        try (ObjectReader objects = store.newObjectReader();
                var walk = new TreeWalk(objects)) {
            TreeShape.check(objects, commit.getTree());
            walk.addTree(commit.getTree());
            while (walk.next()) {
                if (++entries > limits.entries()) {
                    refuse(
                            "too-many-entries",
                            "the tree has more than " + limits.entries() + " entries; the rest was not looked at");
                    return;
                }
                if (scope.concerns(walk.getPathString()) && !take(walk, objects)) {
                    return;
                }
            }
        }
    }

    /// False when enough was read.
    private boolean take(TreeWalk walk, ObjectReader objects) throws IOException {
        String path = walk.getPathString();
        FileMode mode = walk.getFileMode(0);
        var unsafe = UnsafeNames.violation(walk.getRawPath(), walk.getPathString());
        if (unsafe.isPresent()) {
            violations.add(unsafe.get());
        } else if (FileMode.TREE.equals(mode)) {
            descend(walk, objects, path);
        } else if (FileMode.SYMLINK.equals(mode)) {
            refuse("symbolic-link", path, "a symbolic link is not followed", "put the file itself in its place");
        } else if (FileMode.GITLINK.equals(mode)) {
            refuse("submodule", path, "a submodule is not read", "put the files themselves in its place");
        } else if (scope.isDocument(path)) {
            if (FileMode.REGULAR_FILE.equals(mode)) {
                return document(walk, objects, path);
            }
            refuse("not-a-regular-file", path, "a document is not an executable file", "run: git add --chmod=-x FILE");
        }
        return true;
    }

    private void descend(TreeWalk walk, ObjectReader objects, String path) throws IOException {
        if (walk.getDepth() + 1 >= limits.depth()) {
            refuse("too-deep", path, "folders are nested " + limits.depth() + " deep; what is below was not read", "");
        } else {
            TreeShape.check(objects, walk.getObjectId(0));
            walk.enterSubtree();
        }
    }

    private boolean document(TreeWalk walk, ObjectReader objects, String path) throws IOException {
        long size = objects.getObjectSize(walk.getObjectId(0), Constants.OBJ_BLOB);
        if (size > limits.fileBytes()) {
            refuse(
                    "file-too-large",
                    path,
                    "the file has " + size + " bytes; a document has at most " + limits.fileBytes(),
                    "");
            return true;
        }
        if (documents.size() >= limits.files()) {
            refuse("too-many-files", "there are more than " + limits.files() + " documents; the rest was not read");
            return false;
        }
        bytes += size;
        if (bytes > limits.allBytes()) {
            refuse(
                    "documents-too-large",
                    "the documents have more than " + limits.allBytes() + " bytes; the rest was not read");
            return false;
        }
        documents.put(
                path, objects.open(walk.getObjectId(0), Constants.OBJ_BLOB).getCachedBytes((int) limits.fileBytes()));
        collisions.add(path);
        return true;
    }

    private void refuse(String code, String message) {
        violations.add(Violation.of(code, Location.ofFile("."), message));
    }

    private void refuse(String code, String path, String message, String hint) {
        Location at = Location.ofFile(path);
        violations.add(hint.isEmpty() ? Violation.of(code, at, message) : Violation.of(code, at, message, hint));
    }
}
