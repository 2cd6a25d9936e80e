package io.github.etcdgitops.backup;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.ObjectEncoding;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.LongConsumer;

/// Streams a member's database into a store, and verifies on the way that it is complete. It stores nothing
/// on a disk of ours and only some pieces in memory.
public final class SnapshotWriter {
    /// How long a member may send nothing. It only reads its own disk, so a longer silence means a problem.
    private static final Duration STALL = Duration.ofMinutes(1);

    static final String FILE = "snapshot.db";

    private final EtcdGateway etcd;
    private final ObjectEncoding encodings;

    public SnapshotWriter(EtcdGateway etcd, ObjectEncoding encodings) {
        this.etcd = etcd;
        this.encodings = encodings;
    }

    /// What was written: the snapshot as etcd sent it, and the stored object.
    public record Written(SnapshotCheck.Result snapshot, Manifest.Stored stored) {}

    /// `moved` receives the size of every piece in bytes, before it is written; it may block, and its
    /// exceptions end the transfer. Throws [GatewayException]; then nothing is left under the key.
    public Written write(
            MemberAccess.Route route,
            BackupStore store,
            BackupKey key,
            BackupPolicy.Encoding encoding,
            LongConsumer moved) {
        String object = key.file(name(encoding));
        try (var upload = store.create(object)) {
            return write(route, upload, object, encoding, moved);
        } catch (IOException e) {
            if (e.getCause() instanceof GatewayException known) {
                throw known;
            }
            throw new GatewayException(
                    GatewayException.Kind.UNREACHABLE,
                    true,
                    "writing " + object + " to " + store.title() + " was interrupted",
                    e);
        }
    }

    private Written write(
            MemberAccess.Route route,
            BackupStore.Upload upload,
            String object,
            BackupPolicy.Encoding encoding,
            LongConsumer moved)
            throws IOException {
        boolean plain = !encoding.zstd() && encoding.recipient().isEmpty();
        var digest = new SnapshotCheck();
        var counted = new CountingDigest(upload, !plain);
        try (var encoded = encodings.encode(counted, encoding.zstd(), encoding.recipient())) {
            var blocks = new Blocks((bytes, length) -> {
                digest.update(ByteBuffer.wrap(bytes, 0, length));
                encoded.write(bytes, 0, length);
            });
            etcd.snapshot(route, STALL, piece -> {
                moved.accept(piece.remaining());
                blocks.add(piece);
            });
            blocks.finish();
            encoded.finish();
        }
        var snapshot = digest.finish();
        if (snapshot.fault().isPresent()) {
            throw new GatewayException(
                    GatewayException.Kind.REJECTED, false, snapshot.fault().get());
        }
        upload.complete();
        var stored = new Manifest.Stored(
                object,
                counted.size(),
                plain ? snapshot.sha256() : counted.sha256(),
                encoding.zstd(),
                encoding.recipient());
        return new Written(snapshot, stored);
    }

    /// The suffixes say how to read it without this program: `age -d`, then `zstd -d`.
    static String name(BackupPolicy.Encoding encoding) {
        return FILE + (encoding.zstd() ? ".zst" : "") + (encoding.recipient().isPresent() ? ".age" : "");
    }
}
