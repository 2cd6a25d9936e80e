package io.github.etcdgitops.gateway.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/// Every regular file below a folder. Symbolic links are passed over, and so is what others delete
/// meanwhile.
final class DirectoryWalk {
    private DirectoryWalk() {}

    @FunctionalInterface
    interface Found {
        void file(Path file, BasicFileAttributes attributes);
    }

    static void below(Path start, Found found) throws IOException {
        Files.walkFileTree(start, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    found.file(file, attributes);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException && !file.equals(start)) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
    }
}
