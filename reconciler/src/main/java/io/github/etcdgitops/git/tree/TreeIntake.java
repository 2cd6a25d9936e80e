package io.github.etcdgitops.git.tree;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads the documents of a tree, from any source. It refuses by name entries that could make us read
/// elsewhere, read too much or read one file as another, and reads the rest. Commits and work trees use the
/// same code, so that a check of a change sees what a run will see.
public final class TreeIntake {
    /// How many large files beside the documents are named.
    private static final int MOST_LARGE = 10;

    private final TreeLimits limits;
    private final Scope scope;
    private final SortedMap<String, byte[]> documents = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();
    private final List<String> large = new ArrayList<>();
    private final CaseCollisions collisions = new CaseCollisions();
    private final StraySearch strays;
    private final DocumentsAhead ahead;
    private long bytes;
    private int entries;

    TreeIntake(Scope scope, TreeLimits limits, DocumentsAhead ahead) {
        this.scope = scope;
        this.limits = limits;
        this.ahead = ahead;
        this.strays = new StraySearch(scope, limits, this::stray);
    }

    /// A whole repository, from its root.
    static SourceTree read(String commit, TreeEntry.Inside root, Scope scope, TreeLimits limits, DocumentsAhead ahead)
            throws IOException {
        var intake = new TreeIntake(scope, limits, ahead);
        intake.files(root);
        if (intake.walk(root, "", 0)) {
            intake.strays.elsewhere(root);
        }
        return intake.done(commit);
    }

    SourceTree done(String commit) {
        collisions.findings().forEach((path, violation) -> {
            documents.remove(path);
            violations.add(violation);
        });
        return new SourceTree(
                commit, documents, violations.stream().sorted().toList(), large, TreeDigest.of(documents));
    }

    /// The files of the root come first: they contain the rules, so they are read before other files can
    /// use up the limit.
    private void files(TreeEntry.Inside root) throws IOException {
        var inside = root.entries();
        while (inside.isPresent() && inside.get().hasNext()) {
            TreeEntry entry = inside.get().next();
            String path = UnsafeNames.shown(entry.name());
            if (isFile(path)) {
                take(entry, path, 0);
            }
        }
    }

    private boolean isFile(String path) {
        return path.indexOf('/') < 0 && (scope.isDocument(path) || scope.resembles(path));
    }

    /// False when the limit is reached. `above` is the path of the folder with a slash, or empty.
    boolean walk(TreeEntry.Inside folder, String above, int depth) throws IOException {
        var inside = folder.entries();
        if (inside.isEmpty()) {
            unreadable(above.isEmpty() ? "." : above.substring(0, above.length() - 1));
            return true;
        }
        while (inside.get().hasNext()) {
            if (++entries > limits.entries()) {
                refuse(
                        "too-many-entries",
                        ".",
                        "The tree has more than " + limits.entries() + " entries; the rest was not read.",
                        "Keep files that are not documents in another repository.");
                return false;
            }
            TreeEntry entry = inside.get().next();
            String path = above + UnsafeNames.shown(entry.name());
            boolean known = depth == 0 && above.isEmpty() && isFile(path);
            if (!known && scope.concerns(path) && !take(entry, path, depth)) {
                return false;
            }
        }
        return true;
    }

    /// A file or folder from a command line: a file is read whatever its name.
    boolean named(TreeEntry entry, String path) throws IOException {
        return switch (entry) {
            case TreeEntry.Folder folder -> walk(folder.inside(), path.endsWith("/") ? path : path + "/", 0);
            case TreeEntry.File file -> document(file, path);
            case TreeEntry.Other(String _, var what) -> {
                other(what, path, true);
                yield true;
            }
        };
    }

    private boolean take(TreeEntry entry, String path, int depth) throws IOException {
        var unsafe = UnsafeNames.violation(entry.name(), path);
        if (unsafe.isPresent()) {
            violations.add(unsafe.get());
            return true;
        }
        boolean document = scope.isDocument(path) || scope.resembles(path);
        return switch (entry) {
            case TreeEntry.Folder folder -> descend(folder, path, document, depth);
            case TreeEntry.Other(String _, var what) -> {
                other(what, path, document);
                yield true;
            }
            case TreeEntry.File file -> document ? document(file, path) : file(file, path);
        };
    }

    private boolean descend(TreeEntry.Folder folder, String path, boolean document, int depth) throws IOException {
        if (document) {
            refuse(
                    "not-a-regular-file",
                    path,
                    "A folder has the name of a document; its content is not read.",
                    "Rename the folder.");
            return true;
        }
        if (depth + 1 >= limits.depth()) {
            refuse(
                    "too-deep",
                    path,
                    "Folders are nested " + limits.depth() + " deep; what is deeper was not read.",
                    "Move it further up.");
            return true;
        }
        return walk(folder.inside(), path + "/", depth + 1);
    }

    private void other(TreeEntry.What what, String path, boolean document) {
        switch (what) {
            case LINK -> {
                collisions.add(path);
                refuse(
                        "symbolic-link",
                        path,
                        "This is a symbolic link; links are not followed, because they can lead out of the"
                                + " repository.",
                        "Put the file itself in its place.");
            }
            case SUBMODULE -> {
                collisions.add(path);
                refuse(
                        "submodule",
                        path,
                        "This is a submodule, or another repository; it is not read.",
                        "Put the files themselves in its place.");
            }
            case SPECIAL -> {
                if (document || scope.isFolder(path)) {
                    refuse(
                            "not-a-regular-file",
                            path,
                            "This is a device, a socket or a named pipe; it is not read.",
                            "Remove it.");
                }
            }
            case UNREADABLE -> unreadable(path);
        }
    }

    private boolean file(TreeEntry.File file, String path) throws IOException {
        if (scope.isFolder(path)) {
            refuse(
                    "not-a-folder",
                    path,
                    "This is a file; expected the folder " + path + "/ with documents.",
                    "Remove the file, or put the folder in its place.");
            return true;
        }
        if (Scope.isYamlLike(path)) {
            return strays.inside(file, path);
        }
        if (large.size() < MOST_LARGE && file.content().size() > SourceTree.LARGEST_FILE) {
            large.add(path);
        }
        return true;
    }

    private boolean document(TreeEntry.File file, String path) throws IOException {
        collisions.add(path);
        if (file.executable()) {
            refuse(
                    "not-a-regular-file",
                    path,
                    "The file is executable, which a document must not be; it is not read.",
                    "Run: git add --chmod=-x FILE");
            return true;
        }
        long size = file.content().size();
        if (size > limits.fileBytes()) {
            tooLarge(path, size);
            return true;
        }
        if (documents.size() >= limits.files()) {
            refuse(
                    "too-many-files",
                    ".",
                    "There are more than " + limits.files() + " documents; those from " + path + " on were not read.",
                    "Put several rings into one file, or use more than one repository.");
            return false;
        }
        // A file of a work tree may have grown since: reading one byte more than allowed detects that.
        var read = file.content().read((int) limits.fileBytes() + 1);
        if (read.isEmpty()) {
            unreadable(path);
            return true;
        }
        return read.get().length > limits.fileBytes() ? grown(path) : keep(path, read.get());
    }

    private boolean grown(String path) {
        tooLarge(path, limits.fileBytes() + 1);
        return true;
    }

    private boolean keep(String path, byte[] content) {
        bytes += content.length;
        if (bytes > limits.allBytes()) {
            refuse(
                    "documents-too-large",
                    ".",
                    "The documents have more than " + limits.allBytes() + " bytes in total; those from " + path
                            + " on were not read.",
                    "Use more than one repository.");
            return false;
        }
        documents.put(path, content);
        ahead.read(path, content);
        return true;
    }

    /// A file with another location or name that says that it is ours. It has no effect; it is among the
    /// documents so that their readers know which ring it is about.
    private boolean stray(String path, Optional<byte[]> content) {
        if (content.isEmpty()) {
            tooLarge(path, limits.fileBytes() + 1);
            return true;
        }
        return !scope.isOurs(content.get()) || keep(path, content.get());
    }

    private void tooLarge(String path, long size) {
        refuse(
                "file-too-large",
                path,
                "The file has " + (size == Long.MAX_VALUE ? "too many" : size) + " bytes; at most " + limits.fileBytes()
                        + " are read.",
                "Split it: each ring can have its own file.");
    }

    private void unreadable(String path) {
        refuse("unreadable-file", path, "The file or folder cannot be read.", "Check its permissions.");
    }

    void refuse(String code, String path, String message, String hint) {
        violations.add(Violation.of(code, Location.ofFile(path), message, hint));
    }
}
