package io.github.etcdgitops.receive;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/// Copies the data directory of a member that does not run, for an inspection of the copy. Only reads the
/// original.
public final class Copying {
    /// The part of the node's disk that must stay free after the copy: the kubelet evicts pods when a tenth
    /// is left.
    private static final int LEFT = 8;

    private Copying() {}

    /// The last snapshot that a leader sent the member, by its log in this folder.
    public interface Log {
        OptionalLong sent(Path folder) throws IOException;
    }

    /// `copy` must not exist. A failure leaves a part of it, which is deleted with its pod.
    public static Outcome copy(Path data, Path copy) {
        try {
            Path member = data.resolve("member");
            if (!Files.isDirectory(member, LinkOption.NOFOLLOW_LINKS)) {
                return new Outcome.Failed("the volume has no data of a member: there is no " + member.getFileName()
                        + " in " + data.getFileName());
            }
            Files.createDirectory(copy);
            long size = size(member);
            var disk = Files.getFileStore(copy);
            if (disk.getUsableSpace() - size < disk.getTotalSpace() / LEFT) {
                return new Outcome.Failed(
                        "the node has no space for a copy of " + size + " bytes in addition to what runs there");
            }
            copyTree(member, copy.resolve("member"));
            return new Outcome.Done(size + " bytes are copied");
        } catch (IOException e) {
            return new Outcome.Failed("copying failed (" + e.getClass().getSimpleName() + "): " + e.getMessage());
        }
    }

    /// The same where the member's data must not be a copy of a leader's data: it got no snapshot after it
    /// had its own entries.
    public static Outcome copyOwn(Path data, Path copy, Log log) {
        var copied = copy(data, copy);
        if (!(copied instanceof Outcome.Done)) {
            return copied;
        }
        try {
            var sent = log.sent(copy.resolve("member").resolve("wal"));
            return sent.isPresent()
                    ? new Outcome.Failed("a leader sent the member a snapshot (entry " + sent.getAsLong()
                            + "), so its data may be a copy")
                    : copied;
        } catch (IOException e) {
            return new Outcome.Failed(
                    "the member's log cannot be read (" + e.getClass().getSimpleName() + "): " + e.getMessage());
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
                    throw new IOException(tree.relativize(file) + " is neither a file nor a folder");
                }
                Files.copy(file, copy.resolve(tree.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
