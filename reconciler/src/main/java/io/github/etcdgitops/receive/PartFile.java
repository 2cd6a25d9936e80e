package io.github.etcdgitops.receive;

import io.github.etcdgitops.digest.Digests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;

/// A file that is written under another name, and gets its own only when it is complete and synced. Closing
/// it before that leaves nothing behind. Every method throws [Trouble] for problems of the disk, not of the
/// sender.
final class PartFile implements AutoCloseable {
    static final String SUFFIX = ".part";

    static final class Trouble extends IOException {
        private static final long serialVersionUID = 1L;

        Trouble(IOException cause) {
            super(cause.getClass().getSimpleName(), cause);
        }
    }

    private final Path target;
    private final Path part;
    private final FileChannel channel;
    private final MessageDigest digest = Digests.sha256();

    private PartFile(Path target, Path part, FileChannel channel) {
        this.target = target;
        this.part = part;
        this.channel = channel;
    }

    static PartFile create(Path target, Disk disk) throws Trouble {
        Path part = target.resolveSibling(target.getFileName() + SUFFIX);
        try {
            Files.deleteIfExists(part);
            return new PartFile(target, part, disk.create(part));
        } catch (IOException e) {
            throw new Trouble(e);
        }
    }

    void write(byte[] bytes, int length) throws Trouble {
        digest.update(bytes, 0, length);
        var buffer = ByteBuffer.wrap(bytes, 0, length);
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            throw new Trouble(e);
        }
    }

    /// The digest of everything written. Completes the digest.
    String digest() {
        return HexFormat.of().formatHex(digest.digest());
    }

    void keep() throws Trouble {
        try {
            channel.force(true);
            channel.close();
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
            Disk.sync(Disk.folderOf(target));
        } catch (IOException e) {
            throw new Trouble(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            Files.deleteIfExists(part);
        } catch (IOException _) {
            // The next attempt uses the same name.
        }
    }
}
