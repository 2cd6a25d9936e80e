package io.github.etcdgitops.backup;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.ObjectEncoding;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.LongConsumer;

/// Reads backups, and trusts only what it has checked.
public final class SnapshotReader {
    private static final int PIECE = 128 * 1024;

    private final ObjectEncoding encodings;

    public SnapshotReader(ObjectEncoding encodings) {
        this.encodings = encodings;
    }

    /// A backup that does not match its manifest. The message is safe to print.
    public static final class Damaged extends Exception {
        private static final long serialVersionUID = 1L;

        public Damaged(String message) {
            super(message);
        }
    }

    /// The manifest of a backup. NOT_FOUND when there is none.
    public static Manifest manifest(BackupStore store, BackupKey key) throws Damaged {
        var bytes = store.read(key.file(BackupKey.MANIFEST), ManifestFile.LIMIT);
        if (bytes.isEmpty()) {
            throw new GatewayException(
                    GatewayException.Kind.NOT_FOUND,
                    false,
                    store.title() + " has no manifest of backup " + key.id() + " of " + key.ring()
                            + ": without a manifest it is not a backup");
        }
        try {
            var manifest = ManifestFile.read(bytes.get());
            foreign(key, manifest).ifPresent(why -> {
                throw new IllegalArgumentException(why);
            });
            return manifest;
        } catch (IllegalArgumentException e) {
            throw new Damaged(key.file(BackupKey.MANIFEST) + ": " + e.getMessage());
        }
    }

    /// Whether a manifest was copied to a location that is not its own.
    private static Optional<String> foreign(BackupKey key, Manifest manifest) {
        var source = manifest.source();
        var own = new BackupKey(source.environment(), source.ring(), source.clusterId(), manifest.id());
        return own.equals(key) && manifest.stored().key().startsWith(key.prefix())
                ? Optional.empty()
                : Optional.of("the manifest belongs to another backup (" + own.prefix() + ")");
    }

    /// Streams the snapshot to `target` as etcd sent it, and verifies every byte. `moved` receives the
    /// number of bytes read. What was written before [Damaged] is thrown must not be used.
    public void read(BackupStore store, Manifest manifest, OutputStream target, LongConsumer moved)
            throws Damaged, IOException {
        var stored = manifest.stored();
        var check = new SnapshotCheck();
        try (var plain = open(store, stored)) {
            copy(plain, check, target, moved);
        } catch (IOException e) {
            throw damagedOr(stored.key(), e);
        }
        var result = sound(stored.key(), check);
        var content = manifest.content();
        if (result.size() != content.size() || !result.sha256().equals(content.sha256())) {
            throw new Damaged(stored.key() + ": it has " + result.size() + " bytes and the SHA-256 " + result.sha256()
                    + "; the manifest says " + content.size() + " and " + content.sha256());
        }
    }

    /// The same for an object without a manifest, as etcd sent it. Returns its properties.
    public static SnapshotCheck.Result readBare(BackupStore store, String key, LongConsumer moved)
            throws Damaged, IOException {
        var check = new SnapshotCheck();
        try (var plain = store.open(key)) {
            copy(plain, check, OutputStream.nullOutputStream(), moved);
        }
        return sound(key, check);
    }

    private static void copy(InputStream from, SnapshotCheck check, OutputStream to, LongConsumer moved)
            throws IOException {
        byte[] piece = new byte[PIECE];
        for (int n = from.read(piece); n >= 0; n = from.read(piece)) {
            moved.accept(n);
            check.update(ByteBuffer.wrap(piece, 0, n));
            to.write(piece, 0, n);
        }
    }

    private static SnapshotCheck.Result sound(String key, SnapshotCheck check) throws Damaged {
        var result = check.finish();
        if (result.fault().isPresent()) {
            throw new Damaged(key + ": " + result.fault().get());
        }
        return result;
    }

    /// The snapshot as etcd sent it, decoded and not verified. Close the result, which closes the object.
    public InputStream open(BackupStore store, Manifest.Stored stored) throws Damaged, IOException {
        var object = store.open(stored.key());
        try {
            return decode(object, stored);
        } catch (Damaged | RuntimeException e) {
            object.close();
            throw e;
        }
    }

    private InputStream decode(InputStream object, Manifest.Stored stored) throws Damaged {
        try {
            return encodings.decode(object, stored.zstd(), stored.recipient().isPresent());
        } catch (GatewayException e) {
            if (e.kind() == GatewayException.Kind.REJECTED) {
                throw new Damaged(stored.key() + ": " + e.getMessage());
            }
            throw e;
        }
    }

    /// Data that cannot be decoded is damaged; a broken connection does not mean damage.
    private static IOException damagedOr(String key, IOException e) throws Damaged {
        if (e.getCause() instanceof GatewayException known && known.kind() == GatewayException.Kind.REJECTED) {
            throw new Damaged(key + ": " + known.getMessage());
        }
        return e;
    }
}
