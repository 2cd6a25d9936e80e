package io.github.etcdgitops.sandbox.etcd;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// Folders with all that is in them. No symbolic link is followed.
public final class Folders {
    private Folders() {}

    /// Nothing to delete is fine.
    public static void delete(Path root) throws IOException {
        if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            delete(root, true);
        }
    }

    public static void empty(Path root) throws IOException {
        delete(root, false);
    }

    private static void delete(Path root, boolean itself) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failed) throws IOException {
                if (failed != null) {
                    throw failed;
                }
                if (itself || !folder.equals(root)) {
                    Files.delete(folder);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
