package io.github.etcdgitops.gateway.store;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.spec.Destination;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Opens a place by its kind. The S3 client is four thousand classes: they are loaded where a place of that
/// kind is opened, and nowhere before.
public final class Stores implements BackupStores {
    private static final String GOOGLE = "https://storage.googleapis.com";

    private final Credentials credentials;
    private final InstantSource clock;
    private final Consumer<Duration> pause;

    /// `pause` waits between two tries.
    public Stores(Map<String, String> environment, InstantSource clock, Consumer<Duration> pause) {
        this.credentials = new Credentials(environment);
        this.clock = clock;
        this.pause = pause;
    }

    @Override
    public BackupStore open(Destination destination) {
        return switch (destination) {
            case Destination.Directory directory -> new DirectoryStore(directory, clock, Disk.REAL);
            case Destination.S3 s3 -> S3Store.open(s3, credentials, clock);
            case Destination.Gcs gcs -> open(gcs);
        };
    }

    private BackupStore open(Destination.Gcs gcs) {
        var account = credentials.serviceAccount(gcs.credentials());
        if (account.isPresent()) {
            URI endpoint = HttpEndpoint.parse(gcs.endpoint().orElse(GOOGLE), gcs.title());
            var api = new GcsApi(endpoint, account.get(), credentials.trusted(gcs.credentials()), clock, pause);
            return new GcsStore(gcs, api, GcsStore.CHUNK);
        }
        if (credentials.accessKey(gcs.credentials()).isEmpty()) {
            throw credentials.missingForGoogle(gcs.title(), gcs.credentials());
        }
        var asS3 = new Destination.S3(
                gcs.bucket(),
                gcs.prefix(),
                Optional.of(gcs.endpoint().orElse(GOOGLE)),
                Optional.of("auto"),
                true,
                gcs.credentials(),
                Optional.empty());
        return S3Store.openGoogle(asS3, gcs.title(), credentials, clock);
    }
}
