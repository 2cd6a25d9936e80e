package io.github.etcdgitops.gateway.store;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStores;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.credential.Credentials;
import io.github.etcdgitops.gateway.store.credential.HttpEndpoint;
import io.github.etcdgitops.gateway.store.credential.PlaceFiles;
import io.github.etcdgitops.gateway.store.directory.DirectoryStore;
import io.github.etcdgitops.gateway.store.directory.Disk;
import io.github.etcdgitops.gateway.store.directory.RealDirectories;
import io.github.etcdgitops.gateway.store.s3.S3Store;
import io.github.etcdgitops.place.AllowedPlace;
import io.github.etcdgitops.place.AllowedPlaces;
import io.github.etcdgitops.spec.value.Destination;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/// Opens a location by its kind, where the operator allows its credentials there: that is checked before a
/// credential is read and a connection is made. The S3 client has four thousand classes: they load only
/// when a location of that kind is opened.
public final class Stores implements BackupStores {
    private static final String GOOGLE = "https://storage.googleapis.com";

    private final Credentials credentials;
    private final PlaceFiles places;
    private final StoreAddresses addresses;
    private final InstantSource clock;

    public Stores(Map<String, String> environment, InstantSource clock) {
        this(environment, StoreAddresses.byDns(), clock);
    }

    Stores(Map<String, String> environment, StoreAddresses addresses, InstantSource clock) {
        this.credentials = new Credentials(environment);
        this.places = new PlaceFiles(environment);
        this.addresses = addresses;
        this.clock = clock;
    }

    @Override
    public BackupStore open(Destination destination) {
        return switch (destination) {
            case Destination.Directory directory -> open(directory);
            case Destination.S3 s3 -> open(s3);
            case Destination.Gcs gcs -> open(gcs);
        };
    }

    private BackupStore open(Destination.Directory directory) {
        var allowed = places.of(Optional.empty());
        RealDirectories.requireBelow(directory, require(allowed, directory));
        return new DirectoryStore(directory, clock, Disk.REAL);
    }

    private BackupStore open(Destination.S3 s3) {
        s3.endpoint().ifPresent(text -> HttpEndpoint.parse(text, s3.title()));
        var place = require(places.of(s3.credentials()), s3);
        requireAddress(place, s3.pathStyle() ? "" : s3.bucket() + ".", s3.title());
        return S3Store.open(s3, credentials, clock);
    }

    /// Google Cloud Storage supports S3 with an HMAC key.
    private BackupStore open(Destination.Gcs gcs) {
        gcs.endpoint().ifPresent(text -> HttpEndpoint.parse(text, gcs.title()));
        requireAddress(require(places.of(gcs.credentials()), gcs), "", gcs.title());
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

    private static AllowedPlace require(AllowedPlaces allowed, Destination destination) {
        return allowed.allowing(destination)
                .orElseThrow(() -> new GatewayException(
                        Kind.UNAUTHORIZED, false, allowed.refusal(destination).orElseThrow()));
    }

    private void requireAddress(AllowedPlace place, String bucket, String title) {
        var endpoint = place.endpoint().orElseThrow();
        boolean literal = endpoint.address().isPresent();
        addresses.require(endpoint, (literal ? "" : bucket) + endpoint.host(), place.linkLocal(), title);
    }
}
