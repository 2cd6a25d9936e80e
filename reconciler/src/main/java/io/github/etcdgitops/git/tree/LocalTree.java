package io.github.etcdgitops.git.tree;

import io.github.etcdgitops.git.repository.LocalRepository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/// Documents from a folder on disk, by the rules for a commit.
public final class LocalTree {
    private LocalTree() {}

    /// Whether the folder is the root of a repository, so that its files can be compared with commits.
    public static boolean isRoot(Path folder) {
        return LocalRepository.at(folder.toAbsolutePath().normalize()).isPresent();
    }

    /// A folder with the layout of a config repository.
    public static SourceTree repository(Path root) {
        return repository(root, DocumentsAhead.NOTHING);
    }

    /// The same; `ahead` gets each document before the next one is read.
    public static SourceTree repository(Path root, DocumentsAhead ahead) {
        return repository(root, TreeLimits.STANDARD, ahead);
    }

    public static SourceTree repository(Path root, TreeLimits limits) {
        return repository(root, limits, DocumentsAhead.NOTHING);
    }

    private static SourceTree repository(Path root, TreeLimits limits, DocumentsAhead ahead) {
        if (!Files.isDirectory(root)) {
            var intake = new TreeIntake(Scope.STANDARD, limits, ahead);
            intake.refuse(
                    "not-found", shown(root), "There is no such folder.", "Name the root of a config repository.");
            return intake.done("");
        }
        var index = WorkTreeIndex.of(root, Scope.STANDARD);
        try {
            return TreeIntake.read("", new DiskFolder(root, "", index), Scope.STANDARD, limits, ahead);
        } catch (IOException e) {
            throw new UncheckedIOException("what cannot be read on disk is a violation", e);
        }
    }

    /// Files and folders from a command line. A file named here is read whatever its name; a folder gives
    /// its YAML files.
    public static SourceTree files(List<Path> paths) {
        var intake = new TreeIntake(Scope.NAMED, TreeLimits.STANDARD, DocumentsAhead.NOTHING);
        for (Path path : paths) {
            try {
                if (!named(intake, path)) {
                    break;
                }
            } catch (IOException e) {
                throw new UncheckedIOException("what cannot be read on disk is a violation", e);
            }
        }
        return intake.done("");
    }

    private static boolean named(TreeIntake intake, Path path) throws IOException {
        String shown = shown(path);
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            intake.refuse("not-found", shown, "There is no such file or folder.", "Check the path.");
            return true;
        }
        var index = WorkTreeIndex.around(path);
        return intake.named(DiskFolder.entry(path, DiskFolder.bytes(path), shown, index), shown);
    }

    private static String shown(Path path) {
        var shown = new StringBuilder(path.isAbsolute() ? "/" : "");
        for (Path name : path.normalize()) {
            shown.append(shown.isEmpty() || shown.charAt(shown.length() - 1) == '/' ? "" : "/")
                    .append(UnsafeNames.shown(DiskFolder.bytes(name)));
        }
        return shown.toString();
    }
}
