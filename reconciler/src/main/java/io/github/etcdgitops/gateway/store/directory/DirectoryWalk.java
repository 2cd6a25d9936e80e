package io.github.etcdgitops.gateway.store.directory;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Predicate;

/// Every regular file below a folder. It skips symbolic links, and files that others delete at the same
/// time. It does not read other folders: the root of a volume may have unreadable ones, such as
/// `lost+found`.
public final class DirectoryWalk {
    private DirectoryWalk() {}

    @FunctionalInterface
    public interface Found {
        void file(Path file, BasicFileAttributes attributes);
    }

    public static void below(Path start, Predicate<Path> asked, Found found) throws IOException {
        Files.walkFileTree(start, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return folder.equals(start) || asked.test(folder)
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    found.file(file, attributes);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (!file.equals(start) && (e instanceof NoSuchFileException || !asked.test(file))) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
    }
}
