package io.github.etcdgitops.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.backup.Verification.Result;
import io.github.etcdgitops.fake.FakeStore;
import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.codec.Encoded;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerificationTest {
    private static final BackupKey KEY = Manifests.key("20260102T030405Z");
    private static final String MANIFEST = KEY.file(BackupKey.MANIFEST);

    private final FakeStore store = new FakeStore("the store", () -> Instant.EPOCH);

    private static Result verify(BackupStore store) {
        return new Verification(new Encoded(List::of)).verify(store, KEY, _ -> _ -> {});
    }

    @Test
    void reportsBackupWithLostSnapshotAsDamaged() {
        store.create(MANIFEST, ManifestFile.write(Manifests.manifest(KEY.id())));

        assertThat(verify(store))
                .isEqualTo(new Result.Damaged(
                        KEY.file("snapshot.db.zst.age") + ": it is missing, although the manifest lists it"));
    }

    @Test
    void reportsBackupDeletedMeanwhileAsNotFound() {
        store.create(MANIFEST, ManifestFile.write(Manifests.manifest(KEY.id())));

        assertThatThrownBy(() -> verify(prunedBeforeOpening()))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND));
    }

    @Test
    void snapshotWithoutManifestIsNoBackup() {
        assertThatThrownBy(() -> verify(store)).hasMessageContaining("without a manifest it is not a backup");
    }

    /// Whoever has no key to it can tell whether it lies there as it was written, and nothing more.
    @Test
    void comparesUndecodableBackupAsStored() throws Exception {
        byte[] stored = "nobody here can read this".getBytes(StandardCharsets.UTF_8);
        var manifest = Manifests.manifest(KEY.id());
        var digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(stored));
        var own = new Manifest.Stored(
                manifest.stored().key(),
                stored.length,
                digest,
                true,
                manifest.stored().recipient());
        var whole = new Manifest(
                manifest.id(), manifest.source(), manifest.content(), own, manifest.operationId(), manifest.tool());
        store.create(MANIFEST, ManifestFile.write(whole));
        store.put(own.key(), stored);

        assertThat(new Verification(new Encoded(List::of)).verifyStored(store, KEY, _ -> _ -> {}))
                .isEqualTo(new Result.Sound(whole));

        store.corrupt(own.key());
        assertThat(new Verification(new Encoded(List::of)).verifyStored(store, KEY, _ -> _ -> {}))
                .isInstanceOf(Result.Damaged.class);
    }

    private BackupStore prunedBeforeOpening() {
        return (BackupStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {BackupStore.class}, (_, method, arguments) -> {
                    if (method.getReturnType().equals(InputStream.class)) {
                        store.delete(MANIFEST);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
