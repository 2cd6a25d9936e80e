package io.github.etcdgitops.receive;

import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.state.underway.ReceivingVolume;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/// One connection to the receiver.
final class SnapshotConnection {
    /// The longest wait for one chunk. A sender whose node is gone sends nothing more, and the next one
    /// waits behind it.
    private static final int STALL_MILLIS = 120_000;

    private static final int PARTING_MILLIS = 5_000;
    private static final int CHUNK = 256 * 1024;

    private final Socket socket;
    private final SnapshotDigest wanted;
    private final Path file;
    private final Disk disk;
    private final Consumer<String> log;

    SnapshotConnection(Socket socket, SnapshotDigest wanted, Path file, Disk disk, Consumer<String> log) {
        this.socket = socket;
        this.wanted = wanted;
        this.file = file;
        this.disk = disk;
        this.log = log;
    }

    /// Whether the file is there now.
    boolean brought() {
        try {
            socket.setSoTimeout(STALL_MILLIS);
            String refusal = refusal(Protocol.content(Protocol.line(socket.getInputStream())));
            if (!refusal.isEmpty()) {
                refuse(refusal);
                return false;
            }
            Protocol.say(socket.getOutputStream(), Protocol.GO);
            return taken();
        } catch (PartFile.Trouble e) {
            refuse("the volume accepts no more data (" + e.getMessage() + "), " + free() + " bytes are free on it");
        } catch (IOException e) {
            log.accept("a connection ended before all data had arrived ("
                    + e.getClass().getSimpleName() + ")");
        }
        return false;
    }

    private String refusal(Optional<SnapshotDigest> offered) {
        if (offered.isEmpty()) {
            return "this does not follow the protocol of the sender";
        }
        if (!offered.get().equals(wanted)) {
            return "another snapshot is expected here: " + wanted.size() + " bytes with the SHA-256 " + wanted.sha256();
        }
        long free = free();
        long needed = ReceivingVolume.needed(wanted.size());
        return free >= needed
                ? ""
                : "the volume is too small: " + free + " bytes are free on it, and " + needed
                        + " are needed for the snapshot, its restored copy and a write-ahead log";
    }

    private boolean taken() throws IOException {
        String digest = received();
        if (!digest.equals(wanted.sha256())) {
            refuse("the bytes are not the announced ones: their SHA-256 is " + digest);
            return false;
        }
        sayLast(Protocol.OK);
        return true;
    }

    /// The digest of the received data. If it is wrong, the data is deleted before the sender gets an
    /// answer.
    private String received() throws IOException {
        try (var part = PartFile.create(file, disk)) {
            InputStream in = socket.getInputStream();
            var chunk = new byte[CHUNK];
            for (long left = wanted.size(); left > 0; ) {
                int n = in.read(chunk, 0, Math.toIntExact(Math.min(chunk.length, left)));
                if (n < 0) {
                    throw new EOFException(left + " bytes are missing");
                }
                part.write(chunk, n);
                left -= n;
            }
            String digest = part.digest();
            if (digest.equals(wanted.sha256())) {
                part.keep();
            }
            return digest;
        }
    }

    private void refuse(String reason) {
        log.accept("refused: " + reason);
        sayLast(Protocol.NO + reason);
    }

    /// Closing with unread bytes would discard the last answer on the other side. Only the answer is lost
    /// here; the sender finds out in another way.
    private void sayLast(String answer) {
        try {
            socket.setSoTimeout(PARTING_MILLIS);
            Protocol.say(socket.getOutputStream(), answer);
            InputStream in = socket.getInputStream();
            var chunk = new byte[CHUNK];
            long left = wanted.size();
            for (int n = in.read(chunk); n >= 0 && left > 0; n = in.read(chunk)) {
                left -= n;
            }
        } catch (IOException _) {
            // It is already gone.
        }
    }

    private long free() {
        try {
            return disk.free(Disk.folderOf(file));
        } catch (IOException _) {
            return 0;
        }
    }
}
