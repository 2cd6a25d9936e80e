package io.github.etcdgitops.git.tree;

import io.github.etcdgitops.git.repository.IsolatedReader;
import io.github.etcdgitops.git.repository.LocalRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;

/// What Git knows about a work tree and the file system does not show: a submodule that was not checked out
/// is an empty folder there, and some file systems have neither links nor executable bits. Without an
/// index, or with one that JGit cannot read, only the file system counts.
record WorkTreeIndex(Map<String, FileMode> special, boolean trustsModes) {
    private static final WorkTreeIndex NONE = new WorkTreeIndex(Map.of(), true);
    private static final long LARGEST = 64L << 20;

    WorkTreeIndex {
        special = Map.copyOf(special);
    }

    static WorkTreeIndex of(Path root, Scope scope) {
        try {
            var repository = LocalRepository.at(root);
            return repository.isEmpty() ? NONE : read(repository.get(), scope);
        } catch (IOException | ConfigInvalidException | RuntimeException _) {
            return NONE;
        }
    }

    /// For the work tree of a path: only whether the file system's modes are meaningful there, without
    /// entries.
    static WorkTreeIndex around(Path path) {
        try {
            var repository = LocalRepository.enclosing(path);
            return repository.isEmpty() ? NONE : new WorkTreeIndex(Map.of(), trustsModes(repository.get()));
        } catch (IOException | ConfigInvalidException | RuntimeException _) {
            return NONE;
        }
    }

    private static boolean trustsModes(LocalRepository repository) throws IOException, ConfigInvalidException {
        IsolatedReader.install();
        var config = new FileBasedConfig(repository.gitDir().resolve("config").toFile(), FS.DETECTED);
        config.load();
        return config.getBoolean("core", "filemode", true);
    }

    private static WorkTreeIndex read(LocalRepository repository, Scope scope)
            throws IOException, ConfigInvalidException {
        boolean trusts = trustsModes(repository);
        Path index = repository.head().resolveSibling("index");
        if (!Files.isRegularFile(index) || Files.size(index) > LARGEST) {
            return new WorkTreeIndex(Map.of(), trusts);
        }
        var special = new HashMap<String, FileMode>();
        var entries = DirCache.read(index.toFile(), FS.DETECTED);
        for (int i = 0; i < entries.getEntryCount(); i++) {
            var entry = entries.getEntry(i);
            if (!FileMode.REGULAR_FILE.equals(entry.getRawMode()) && scope.concerns(entry.getPathString())) {
                special.put(entry.getPathString(), entry.getFileMode());
            }
        }
        return new WorkTreeIndex(special, trusts);
    }

    /// The index entry of a path, where it overrides the file system.
    Optional<TreeEntry.What> instead(String path) {
        var mode = special.get(path);
        if (FileMode.GITLINK.equals(mode)) {
            return Optional.of(TreeEntry.What.SUBMODULE);
        }
        return FileMode.SYMLINK.equals(mode) ? Optional.of(TreeEntry.What.LINK) : Optional.empty();
    }

    boolean executable(String path, boolean onDisk) {
        return trustsModes ? onDisk : FileMode.EXECUTABLE_FILE.equals(special.get(path));
    }
}
