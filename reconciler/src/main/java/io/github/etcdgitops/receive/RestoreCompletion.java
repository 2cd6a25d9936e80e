package io.github.etcdgitops.receive;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;

/// The final check of a restored data directory: that a member can start on it, that it is synced, and that
/// the snapshot no longer uses space beside it.
public final class RestoreCompletion {
    private RestoreCompletion() {}

    /// Safe to repeat after a crash at any point.
    public static Outcome settle(Path received, Path data) {
        try {
            Path database = data.resolve("member").resolve("snap").resolve("db");
            if (!full(database)) {
                return new Outcome.Failed("there is no " + database + ": the restore did not write a member's data");
            }
            Path log = data.resolve("member").resolve("wal");
            if (!hasLog(log)) {
                return new Outcome.Failed("there is no write-ahead log in " + log + ": the restore did not finish");
            }
            sync(data);
            Files.deleteIfExists(received);
            removeIfEmpty(Disk.folderOf(received));
            Disk.sync(Disk.folderOf(data));
            return new Outcome.Done("the data directory " + data + " is complete, " + Files.size(database)
                    + " bytes in its database, and the received snapshot is removed");
        } catch (IOException e) {
            return new Outcome.Failed("the volume failed (" + e.getClass().getSimpleName() + "): " + e.getMessage());
        }
    }

    private static boolean full(Path file) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) > 0;
    }

    private static boolean hasLog(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                if (file.toString().endsWith(".wal") && full(file)) {
                    return true;
                }
            }
            return false;
        }
    }

    private static void sync(Path tree) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    Disk.sync(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @org.jspecify.annotations.Nullable IOException e)
                    throws IOException {
                if (e != null) {
                    throw e;
                }
                Disk.sync(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void removeIfEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException _) {
            // It contains other files: we must not delete it.
        }
    }
}
