package io.github.etcdgitops.backup;

import io.github.etcdgitops.digest.Digests;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.ObjectEncoding;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.time.Instant;
import java.util.HexFormat;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/// Reads every byte of a backup again, and marks a damaged one, so that it no longer counts.
public final class Verification {
    private static final int PIECE = 128 * 1024;

    private final ObjectEncoding encodings;

    public Verification(ObjectEncoding encodings) {
        this.encodings = encodings;
    }

    public sealed interface Result {
        record Sound(Manifest manifest) implements Result {}

        /// `reason` is safe to print.
        record Damaged(String reason) implements Result {}
    }

    /// `meter` gets the size of the snapshot in bytes; its result receives the number of bytes read. Throws
    /// [GatewayException] where the backup could not be read: that says nothing about the backup.
    public Result verify(BackupStore store, BackupKey key, LongFunction<LongConsumer> meter) {
        try {
            var manifest = SnapshotReader.manifest(store, key);
            return read(store, key, manifest, meter.apply(manifest.content().size()));
        } catch (SnapshotReader.Damaged e) {
            return new Result.Damaged(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            if (e.getCause() instanceof GatewayException known) {
                throw known;
            }
            throw new GatewayException(
                    GatewayException.Kind.UNREACHABLE,
                    false,
                    "reading backup " + key.id() + " of " + key.ring() + " from " + store.title() + " was interrupted",
                    e);
        }
    }

    /// The same for a backup that cannot be decoded here: checks that it is stored as it was written.
    public Result verifyStored(BackupStore store, BackupKey key, LongFunction<LongConsumer> meter) {
        try {
            var manifest = SnapshotReader.manifest(store, key);
            var stored = manifest.stored();
            var moved = meter.apply(stored.size());
            var digest = Digests.sha256();
            try (var object = new DigestInputStream(store.open(stored.key()), digest)) {
                byte[] piece = new byte[PIECE];
                for (int n = object.read(piece); n >= 0; n = object.read(piece)) {
                    moved.accept(n);
                }
            }
            return HexFormat.of().formatHex(digest.digest()).equals(stored.sha256())
                    ? new Result.Sound(manifest)
                    : new Result.Damaged(stored.key() + ": its SHA-256 is not the one in the manifest");
        } catch (SnapshotReader.Damaged e) {
            return new Result.Damaged(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new GatewayException(
                    GatewayException.Kind.UNREACHABLE,
                    false,
                    "reading backup " + key.id() + " of " + key.ring() + " from " + store.title() + " was interrupted",
                    e);
        }
    }

    private Result read(BackupStore store, BackupKey key, Manifest manifest, LongConsumer moved)
            throws SnapshotReader.Damaged, IOException {
        try {
            new SnapshotReader(encodings).read(store, manifest, OutputStream.nullOutputStream(), moved);
            return new Result.Sound(manifest);
        } catch (GatewayException e) {
            // Deleting a backup deletes its manifest first.
            boolean lost = e.kind() == GatewayException.Kind.NOT_FOUND
                    && store.read(key.file(BackupKey.MANIFEST), ManifestFile.LIMIT)
                            .isPresent();
            if (!lost) {
                throw e;
            }
            return new Result.Damaged(manifest.stored().key() + ": it is missing, although the manifest lists it");
        }
    }

    /// From now on the backup counts as damaged. Marking it twice is no error.
    public static void mark(BackupStore store, BackupKey key, String reason, Instant now) {
        String note =
                "{\"found\": \"" + now + "\", \"reason\": \"" + reason.replaceAll("[^ -!#-\\[\\]-~]", "?") + "\"}\n";
        try {
            store.create(key.file(BackupKey.DAMAGED), note.getBytes(StandardCharsets.UTF_8));
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.CONFLICT) {
                throw e;
            }
        }
    }
}
