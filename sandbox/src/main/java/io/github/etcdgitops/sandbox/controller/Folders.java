package io.github.etcdgitops.sandbox.controller;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// The folders behind the volumes that were made here, all below one.
record Folders(Path root) {
    Path create(String name) throws IOException {
        return Files.createDirectories(root.resolve(name));
    }

    /// Whatever a volume says about where it is, nothing outside is ever deleted.
    void delete(Path folder) throws IOException {
        if (!root.equals(folder.getParent()) || !Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException why) throws IOException {
                if (why instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw why;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException why) throws IOException {
                if (why != null) {
                    throw why;
                }
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
