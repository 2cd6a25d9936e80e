package io.github.etcdgitops.receive;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.gateway.SnapshotDigest;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Waits in the pod of a restore for the ordered content. One connection at a time; any other content is
/// refused, and the wait continues.
public final class Receiver {
    /// The folder of `file` belongs to the receiver. `patience` is how long it waits without a connection
    /// before it stops.
    public record Order(SnapshotDigest content, Path file, Duration patience) {}

    private static final int CHUNK = 1024 * 1024;

    private final Order order;
    private final Disk disk;
    private final Consumer<String> log;

    public Receiver(Order order, Consumer<String> log) {
        this(order, Disk.REAL, log);
    }

    Receiver(Order order, Disk disk, Consumer<String> log) {
        this.order = order;
        this.disk = disk;
        this.log = log;
    }

    public Outcome receive(int port) {
        try (var server = new ServerSocket(port)) {
            return receive(server);
        } catch (IOException e) {
            return new Outcome.Failed("cannot listen on port " + port + " (" + e.getMessage() + ")");
        }
    }

    Outcome receive(ServerSocket server) throws IOException {
        try {
            if (prepared()) {
                return new Outcome.Done("the snapshot is already here and complete");
            }
        } catch (IOException e) {
            return new Outcome.Failed("cannot write to " + folder() + " on the volume (" + name(e) + ")");
        }
        log.accept("waiting on port " + server.getLocalPort() + " for "
                + order.content().size() + " bytes");
        server.setSoTimeout(Math.toIntExact(order.patience().toMillis()));
        while (true) {
            try (Socket socket = server.accept()) {
                if (new SnapshotConnection(socket, order.content(), order.file(), disk, log).brought()) {
                    return new Outcome.Done(
                            "received " + order.content().size() + " bytes, and their SHA-256 is correct");
                }
            } catch (SocketTimeoutException _) {
                return new Outcome.GaveUp(
                        "no snapshot arrived within " + order.patience().toSeconds()
                                + " seconds: the run that should send it has ended, or cannot reach this pod");
            }
        }
    }

    /// Whether the file is already there: a restarted pod keeps what it has received. Files of earlier
    /// restores in the folder are deleted: they are copies, and use space that is needed.
    private boolean prepared() throws IOException {
        Files.createDirectories(folder());
        if (there()) {
            return true;
        }
        List<Path> old;
        try (Stream<Path> files = Files.list(folder())) {
            old = files.filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS))
                    .filter(f -> f.toString().endsWith(".db") || f.toString().endsWith(PartFile.SUFFIX))
                    .toList();
        }
        for (Path file : old) {
            Files.deleteIfExists(file);
        }
        return false;
    }

    private boolean there() throws IOException {
        Path file = order.file();
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                || Files.size(file) != order.content().size()) {
            return false;
        }
        MessageDigest digest = Digests.sha256();
        try (InputStream in = Files.newInputStream(file)) {
            var chunk = new byte[CHUNK];
            for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                digest.update(chunk, 0, n);
            }
        }
        return HexFormat.of().formatHex(digest.digest()).equals(order.content().sha256());
    }

    private Path folder() {
        return Disk.folderOf(order.file());
    }

    private static String name(IOException e) {
        return e.getClass().getSimpleName();
    }
}
