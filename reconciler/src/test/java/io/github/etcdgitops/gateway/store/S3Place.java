package io.github.etcdgitops.gateway.store;

import io.github.etcdgitops.gateway.store.credential.AccessKey;
import io.github.etcdgitops.gateway.store.s3.CreateCondition;
import io.github.etcdgitops.gateway.store.s3.PartSizes;
import io.github.etcdgitops.gateway.store.s3.S3Clients;
import io.github.etcdgitops.gateway.store.s3.S3Requests;
import io.github.etcdgitops.gateway.store.s3.S3Store;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.spec.value.Destination;
import java.net.URI;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// A bucket of its own on the real S3 API, and stores on it by any way.
record S3Place(String bucket, PartSizes sizes) {
    private static final AtomicInteger COUNT = new AtomicInteger();

    /// The server refuses smaller ones, as S3 does.
    static final int PART = 5 << 20;

    static final AccessKey KEY = new AccessKey(S3Proxy.KEY_ID, S3Proxy.SECRET, Optional.empty(), Optional.empty());

    static S3Place make() {
        var place = new S3Place("bucket-" + COUNT.incrementAndGet(), new PartSizes(PART, 1000, 325));
        try (var client =
                S3Clients.open(place.destination(S3Proxy.shared().endpoint()), KEY, "us-east-1", Optional.empty())) {
            client.createBucket(r -> r.bucket(place.bucket()));
        }
        return place;
    }

    Destination.S3 destination(URI endpoint) {
        return new Destination.S3(
                bucket,
                "backups/",
                Optional.of(endpoint.toString()),
                Optional.empty(),
                true,
                Optional.empty(),
                Optional.empty());
    }

    S3Store open() {
        return open(S3Proxy.shared().endpoint(), KEY, InstantSource.system());
    }

    S3Store open(URI endpoint) {
        return open(endpoint, KEY, InstantSource.system());
    }

    S3Store open(URI endpoint, AccessKey key, InstantSource clock) {
        return open(endpoint, key, clock, CreateCondition.IF_NONE_MATCH);
    }

    S3Store open(URI endpoint, AccessKey key, InstantSource clock, CreateCondition condition) {
        var destination = destination(endpoint);
        var client = S3Clients.open(destination, key, "us-east-1", Optional.empty());
        var requests = new S3Requests(client, bucket, Optional.empty(), condition, 10);
        return new S3Store(requests, "backups/", destination.title(), clock, sizes);
    }
}
