package io.github.etcdgitops.receive;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicLong;

/// Copies the data directory of a member that does not run, to look into the copy. Only reads what is there.
public final class Copying {
    /// Of the machine's disk must be left after it: the kubelet drives pods out when a tenth is.
    private static final int LEFT = 8;

    private Copying() {}

    /// `copy` must not be there. What fails leaves a part of it, which goes with its pod.
    public static Outcome copy(Path data, Path copy) {
        try {
            Path member = data.resolve("member");
            if (!Files.isDirectory(member, LinkOption.NOFOLLOW_LINKS)) {
                return new Outcome.Failed("there is no data of a member on the volume: no " + member.getFileName()
                        + " in " + data.getFileName());
            }
            Files.createDirectory(copy);
            long size = size(member);
            var disk = Files.getFileStore(copy);
            if (disk.getUsableSpace() - size < disk.getTotalSpace() / LEFT) {
                return new Outcome.Failed(
                        "the machine has no room for a copy of " + size + " bytes beside what runs there");
            }
            copyTree(member, copy.resolve("member"));
            return new Outcome.Done(size + " bytes are copied");
        } catch (IOException e) {
            return new Outcome.Failed("copying failed (" + e.getClass().getSimpleName() + "): " + e.getMessage());
        }
    }

    private static long size(Path tree) throws IOException {
        var size = new AtomicLong();
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                size.addAndGet(attributes.size());
                return FileVisitResult.CONTINUE;
            }
        });
        return size.get();
    }

    private static void copyTree(Path tree, Path copy) throws IOException {
        Files.walkFileTree(tree, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Files.createDirectory(copy.resolve(tree.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!attributes.isRegularFile()) {
                    throw new IOException(tree.relativize(file) + " is no file, nor a folder");
                }
                Files.copy(file, copy.resolve(tree.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
