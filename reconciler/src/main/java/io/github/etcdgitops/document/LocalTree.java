package io.github.etcdgitops.document;

import io.github.etcdgitops.git.SourceTree;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// Documents from a folder on disk, by the rules that hold for a repository: only regular files, no symbolic link is
/// ever followed, and bounds on size and number. What is refused becomes a violation of the tree.
public final class LocalTree {
    static final int MOST_FILES = 10_000;

    private final SortedMap<String, byte[]> documents = new TreeMap<>();
    private final List<Violation> violations = new ArrayList<>();
    private int files;

    private LocalTree() {}

    /// A folder that is laid out as a config repository. Only the places where documents belong are looked at.
    public static SourceTree repository(Path root) {
        var tree = new LocalTree();
        if (!Files.isDirectory(root)) {
            tree.refuse(shown(root), "not-found", "There is no such folder.", "Name the root of a config repository.");
            return tree.done();
        }
        for (String name : List.of(Folder.FLEET_FILE, "etcd-gitops.yml")) {
            if (Files.exists(root.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                tree.walk(root, root.resolve(name), false);
            }
        }
        for (var folder : Folder.values()) {
            Path place = root.resolve(folder.path());
            if (folder != Folder.ROOT && folder.ofRepository() && Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
                tree.walk(root, place, false);
            }
        }
        return tree.done();
    }

    /// Files and folders from anywhere, for [SpecLoader#loadLoose]. A file named here is read whatever its name; a
    /// folder gives its YAML files.
    public static SourceTree files(List<Path> paths) {
        var tree = new LocalTree();
        for (Path path : paths) {
            if (Files.exists(path)) {
                tree.walk(Path.of(""), path, true);
            } else {
                tree.refuse(shown(path), "not-found", "There is no such file or folder.", "Check the path.");
            }
        }
        return tree.done();
    }

    private void walk(Path root, Path start, boolean named) {
        try {
            Files.walkFileTree(start, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    boolean asked = named && file.equals(start);
                    boolean read = visit(name(root, file), file, attributes, asked);
                    return read ? FileVisitResult.CONTINUE : FileVisitResult.TERMINATE;
                }

                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    boolean hidden = !folder.equals(start) && folder.endsWith(".git");
                    return hidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    unreadable(name(root, file));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException _) {
            unreadable(name(root, start));
        }
    }

    /// Returns false when enough is enough.
    private boolean visit(String name, Path file, BasicFileAttributes attributes, boolean asked) {
        if (attributes.isSymbolicLink()) {
            refuse(
                    name,
                    "symbolic-link",
                    "This is a symbolic link; links are not followed, since they can lead out of the repository.",
                    "Put the file itself here.");
            return true;
        }
        if (!asked && !Folder.isYaml(name)) {
            return true;
        }
        if (!attributes.isRegularFile()) {
            refuse(name, "not-a-regular-file", "This is not a regular file; it is not read.", "Remove it.");
            return true;
        }
        if (++files > MOST_FILES) {
            refuse(
                    name,
                    "too-many-files",
                    "There are more than " + MOST_FILES + " YAML files; those from this one on were not read.",
                    "Put several rings into one file, or use more than one repository.");
            return false;
        }
        if (name.chars().anyMatch(c -> Character.isISOControl(c) || c == '\\')) {
            refuse(
                    Shown.plain(name),
                    "bad-file-name",
                    "The file's name holds a control character or a backslash.",
                    "Use letters, digits, dots and dashes.");
            return true;
        }
        read(name, file, attributes.size());
        return true;
    }

    private void read(String name, Path file, long size) {
        if (size > YamlBytes.LIMIT) {
            violations.add(YamlBytes.tooLarge(name, size));
            return;
        }
        // The file may have grown since: one byte more than allowed is enough to notice.
        try (var stream = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            documents.put(name, stream.readNBytes(YamlBytes.LIMIT + 1));
        } catch (IOException _) {
            unreadable(name);
        }
    }

    private void unreadable(String name) {
        refuse(name, "unreadable-file", "The file cannot be read.", "Check its permissions.");
    }

    private void refuse(String name, String code, String message, String hint) {
        violations.add(Violation.of(code, Location.ofFile(Shown.plain(name)), message, hint));
    }

    private SourceTree done() {
        refuseCaseCollisions();
        return new SourceTree("", Collections.unmodifiableSortedMap(documents), List.copyOf(violations), digest());
    }

    private void refuseCaseCollisions() {
        var byFoldedName = new TreeMap<String, List<String>>();
        for (String name : documents.keySet()) {
            byFoldedName
                    .computeIfAbsent(name.toLowerCase(Locale.ROOT), _ -> new ArrayList<>())
                    .add(name);
        }
        byFoldedName.values().stream()
                .filter(names -> names.size() > 1)
                .flatMap(Collection::stream)
                .forEach(name -> {
                    documents.remove(name);
                    refuse(
                            name,
                            "case-collision",
                            "Another file's name differs from this one in upper and lower case only; neither is read.",
                            "Rename one of them: on many machines only one of the two can exist.");
                });
    }

    /// Over names and contents, each with its length, so that nothing can be moved from one into the other.
    private String digest() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            documents.forEach((name, content) -> {
                for (byte[] part : List.of(name.getBytes(StandardCharsets.UTF_8), content)) {
                    digest.update(
                            ByteBuffer.allocate(Long.BYTES).putLong(part.length).flip());
                    digest.update(part);
                }
            });
            return "sha256:" + HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static String name(Path root, Path file) {
        return shown(root.toString().isEmpty() ? file : root.relativize(file));
    }

    private static String shown(Path path) {
        return path.normalize().toString().replace(File.separatorChar, '/');
    }
}
