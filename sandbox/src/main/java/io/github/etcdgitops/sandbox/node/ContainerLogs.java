package io.github.etcdgitops.sandbox.node;

import io.github.etcdgitops.sandbox.etcd.Folders;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// What a container wrote: a file for each time it was started, of which the last two are kept.
final class ContainerLogs {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int TAIL_BYTES = 2048;
    private static final int TAIL_LINES = 80;

    private final Path folder;
    private volatile int latest = -1;

    ContainerLogs(Path folder) {
        this.folder = folder;
    }

    /// The file of the start that comes now.
    Path next() throws IOException {
        int number = latest + 1;
        Path file = Files.createDirectories(folder).resolve(number + ".log");
        Files.deleteIfExists(file);
        Files.createFile(file);
        latest = number;
        Folders.delete(folder.resolve((number - 2) + ".log"));
        return file;
    }

    /// Of the latest start. With `follow` it ends when `ended` says that nothing more is written.
    Optional<InputStream> open(boolean follow, BooleanSupplier ended) throws IOException {
        int number = latest;
        if (number < 0) {
            return Optional.empty();
        }
        InputStream file = Files.newInputStream(folder.resolve(number + ".log"));
        return Optional.of(follow ? new Followed(file, () -> latest > number || ended.getAsBoolean()) : file);
    }

    /// The end of the latest start's: what fits into a status.
    String tail() {
        try (var file = FileChannel.open(folder.resolve(latest + ".log"))) {
            long from = Math.max(0, file.size() - TAIL_BYTES);
            var bytes = ByteBuffer.allocate(TAIL_BYTES);
            file.position(from);
            while (bytes.hasRemaining() && file.read(bytes) >= 0) {}
            List<String> lines = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException _) {
            return "";
        }
    }

    private static final class Followed extends FilterInputStream {
        private final BooleanSupplier ended;

        Followed(InputStream file, BooleanSupplier ended) {
            super(file);
            this.ended = ended;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            while (true) {
                boolean last = ended.getAsBoolean();
                int read = super.read(into, offset, length);
                if (read >= 0 || last) {
                    return read;
                }
                try {
                    Thread.sleep(PAUSE);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted while following a log");
                }
            }
        }
    }
}
