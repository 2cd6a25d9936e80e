package io.github.etcdgitops.git.cache;

import io.github.etcdgitops.git.repository.GitException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A folder with one bare repository in it, which one owner uses alone until it closes. The first process
/// gets the shared folder, filled by the previous run; another one at the same time gets a private folder
/// that is deleted at the end. So no process waits, and none sees another's half-written files.
public final class CacheDirectory implements AutoCloseable {
    private static final String PRIVATE = "private-";
    private static final String LOCK = "lock";

    /// The system drops a process's lock when that process closes any channel to the file, so a locked file
    /// must not even be opened again here.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final Lock lock;
    private final boolean isPrivate;

    private CacheDirectory(Path folder, Lock lock, boolean isPrivate) {
        this.folder = folder;
        this.lock = lock;
        this.isPrivate = isPrivate;
    }

    public static CacheDirectory open(Path cacheDir, String key) {
        try {
            Path shared = cacheDir.toAbsolutePath().normalize().resolve(key);
            createOwn(shared);
            Optional<Lock> lock = Lock.tryTake(shared.resolve(LOCK));
            if (lock.isPresent()) {
                deleteAbandoned(shared);
                return new CacheDirectory(shared, lock.get(), false);
            }
            Path own = Files.createTempDirectory(shared, PRIVATE);
            Lock ownLock = Lock.tryTake(own.resolve(LOCK))
                    .orElseThrow(() -> new IOException("a new folder is locked already"));
            return new CacheDirectory(own, ownLock, true);
        } catch (IOException | UnsupportedOperationException e) {
            throw unusable(e);
        }
    }

    public Path repository() {
        return folder.resolve("repository.git");
    }

    public boolean isPrivate() {
        return isPrivate;
    }

    /// Deletes the contents. The repository must be closed.
    public void clear() {
        try {
            delete(repository());
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /// For more history than the repository has.
    public Path history() {
        return folder.resolve("history.git");
    }

    public void clearHistory() {
        try {
            delete(history());
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    @Override
    public void close() {
        try {
            if (isPrivate) {
                delete(folder);
            }
        } catch (IOException _) {
            // The next owner of the shared folder deletes it.
        } finally {
            lock.close();
        }
    }

    /// Whoever can write here decides what a run reads, so only we have access to the folder.
    private static void createOwn(Path shared) throws IOException {
        Files.createDirectories(shared.getParent());
        if (!Files.exists(shared, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(
                        shared, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (java.nio.file.FileAlreadyExistsException _) {
                // Another process was faster, which is fine.
            }
        }
        if (!Files.isDirectory(shared, LinkOption.NOFOLLOW_LINKS)
                || PosixFilePermissions.toString(Files.getPosixFilePermissions(shared, LinkOption.NOFOLLOW_LINKS))
                        .substring(3)
                        .contains("w")) {
            throw new GitException(
                    GitException.Kind.CACHE,
                    "the Git cache " + shared + " is a link, or others can write to it: remove it");
        }
    }

    private static void deleteAbandoned(Path shared) throws IOException {
        List<Path> folders;
        try (var entries = Files.list(shared)) {
            folders = entries.filter(p -> p.getFileName().toString().startsWith(PRIVATE))
                    .toList();
        }
        for (Path abandoned : folders) {
            Path lockFile = abandoned.resolve(LOCK);
            // Without a lock file, its owner is about to create one.
            if (Files.exists(lockFile)) {
                Optional<Lock> lock = Lock.tryTake(lockFile);
                if (lock.isPresent()) {
                    try (var _ = lock.get()) {
                        delete(abandoned);
                    }
                }
            }
        }
    }

    private static void delete(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.deleteIfExists(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static GitException unusable(Exception e) {
        return new GitException(
                GitException.Kind.CACHE,
                "the folder for the Git cache cannot be used: is it writable, and not full?",
                e);
    }

    private record Lock(Path file, FileChannel channel) implements AutoCloseable {
        static Optional<Lock> tryTake(Path file) throws IOException {
            if (!HELD.add(file)) {
                return Optional.empty();
            }
            boolean taken = false;
            FileChannel channel = null;
            try {
                channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock();
                taken = lock != null;
                return taken ? Optional.of(new Lock(file, channel)) : Optional.empty();
            } finally {
                if (!taken) {
                    if (channel != null) {
                        channel.close();
                    }
                    HELD.remove(file);
                }
            }
        }

        @Override
        public void close() {
            try {
                channel.close();
            } catch (IOException _) {
                // The system releases it at the latest when the process ends.
            } finally {
                HELD.remove(file);
            }
        }
    }
}
