package io.github.etcdgitops.gateway.store.directory;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Differences between volumes: how much fits, and whether there are hard links.
public interface Disk {
    Disk REAL = new Disk() {};

    /// A new file.
    default OutputStream create(Path file) throws IOException {
        return Channels.newOutputStream(FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    default void link(Path link, Path existing) throws IOException {
        Files.createLink(link, existing);
    }

    /// Syncs content or directory to the disk itself.
    default void sync(Path path, StandardOpenOption how) throws IOException {
        try (var channel = FileChannel.open(path, how)) {
            channel.force(true);
        }
    }

    default long free(Path path) throws IOException {
        return Files.getFileStore(path).getUsableSpace();
    }
}
