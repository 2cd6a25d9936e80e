package io.github.etcdgitops.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.s3.S3Store;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.spec.value.Destination;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoresTest {
    @TempDir
    private Path folder;

    private Stores stores() {
        return stores(StoreAddresses.byDns());
    }

    private Stores stores(StoreAddresses addresses) {
        var environment = Map.of("ETCD_GITOPS_CREDENTIALS_DIR", folder.toString());
        return new Stores(environment, addresses, InstantSource.system());
    }

    private void file(String name, String content) throws IOException {
        Files.createDirectories(folder.resolve("set"));
        Files.writeString(folder.resolve("set").resolve(name), content);
    }

    private static Destination.Gcs gcs(String endpoint) {
        return new Destination.Gcs("bucket", "", Optional.of(endpoint), Optional.of("set"));
    }

    @Test
    void opensGoogleWithHmacKey() throws IOException {
        file("places", "gs://bucket/");
        file("service-account.json", "{}");
        var missing = catchThrowableOfType(
                GatewayException.class, () -> stores().open(gcs("https://storage.googleapis.com")));
        assertThat(missing.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(missing).hasMessageContaining("gs://bucket/").hasMessageContaining("access-key-id");

        file("access-key-id", "GOOG1");
        file("secret-access-key", "secret");
        try (var google = stores().open(gcs("https://storage.googleapis.com"))) {
            assertThat(google).isInstanceOf(S3Store.class);
            assertThat(google.title()).isEqualTo("gs://bucket/");
        }
    }

    @Test
    void refusesInvalidEndpoint() throws IOException {
        file("access-key-id", "A");
        file("secret-access-key", "secret");

        for (String endpoint : new String[] {"file:///etc", "minio:9000", "http://user:pw@host/", "http://"}) {
            var refused = catchThrowableOfType(GatewayException.class, () -> stores().open(gcs(endpoint)));
            assertThat(refused).as(endpoint).isNotNull().hasMessageNotContaining("pw");
            assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
        }
    }

    @Test
    void writesAndListsInBucketOfDocument() throws IOException {
        file("access-key-id", S3Proxy.KEY_ID);
        file("secret-access-key", S3Proxy.SECRET);
        var place = S3Place.make();
        file(
                "places",
                "s3://" + place.bucket() + "/team endpoint=" + S3Proxy.shared().endpoint());
        var destination = new Destination.S3(
                place.bucket(),
                "team/",
                Optional.of(S3Proxy.shared().endpoint().toString()),
                Optional.empty(),
                true,
                Optional.of("set"),
                Optional.empty());

        try (var store = stores().open(destination)) {
            store.create("a", new byte[] {1});
            assertThat(store.list("")).extracting(BackupStore.Entry::key).containsExactly("a");
        }
        try (var whole = place.open()) {
            assertThat(whole.list("")).isEmpty();
        }
    }

    /// Our classes, and the libraries without those for S3 and zstd.
    private static URL[] withoutClients() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(path -> !path.contains("awssdk") && !path.contains("zstd") && !path.contains("jagged"))
                .map(path -> {
                    try {
                        return Path.of(path).toUri().toURL();
                    } catch (MalformedURLException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .toArray(URL[]::new);
    }

    @Test
    void opensDirectoryWithoutS3Client() throws Exception {
        try (var loader = new URLClassLoader(withoutClients(), ClassLoader.getPlatformClassLoader())) {
            Class<?> stores = loader.loadClass(Stores.class.getName());
            Class<?> destination = loader.loadClass(Destination.class.getName());
            Object opener = stores.getConstructor(Map.class, InstantSource.class)
                    .newInstance(Map.of("ETCD_GITOPS_PLACES", "file://" + folder), InstantSource.system());
            Object directory = loader.loadClass(Destination.Directory.class.getName())
                    .getConstructor(String.class, String.class)
                    .newInstance(folder.toString(), "");

            Object store = loader.loadClass(BackupStores.class.getName())
                    .getMethod("open", destination)
                    .invoke(opener, directory);
            loader.loadClass(BackupStore.class.getName())
                    .getMethod("create", String.class, byte[].class)
                    .invoke(store, "a", new byte[] {1});
        }

        assertThat(folder.resolve("a")).hasBinaryContent(new byte[] {1});
    }
}
