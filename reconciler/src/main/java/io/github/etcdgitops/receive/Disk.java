package io.github.etcdgitops.receive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/// The volume as the receiver needs it, so that tests can simulate a full one.
public interface Disk {
    Disk REAL = new Disk() {
        @Override
        public long free(Path folder) throws IOException {
            return Files.getFileStore(folder).getUsableSpace();
        }

        @Override
        public FileChannel create(Path file) throws IOException {
            return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
    };

    /// In bytes.
    long free(Path folder) throws IOException;

    FileChannel create(Path file) throws IOException;

    static Path folderOf(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent(), "the root is not a file");
    }

    /// A rename or a deletion is durable only once its folder is synced.
    static void sync(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
