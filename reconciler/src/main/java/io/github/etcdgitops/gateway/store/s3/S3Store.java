package io.github.etcdgitops.gateway.store.s3;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.call.Call;
import io.github.etcdgitops.gateway.store.call.Network;
import io.github.etcdgitops.gateway.store.call.ObjectKey;
import io.github.etcdgitops.gateway.store.call.Paging;
import io.github.etcdgitops.gateway.store.call.StoredStream;
import io.github.etcdgitops.gateway.store.credential.Credentials;
import io.github.etcdgitops.spec.value.Destination;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/// A bucket of S3, or of a compatible store.
public final class S3Store implements BackupStore {
    private static final String DEFAULT_REGION = "us-east-1";

    private final S3Requests requests;
    private final String prefix;
    private final String title;
    private final InstantSource clock;
    private final PartSizes sizes;
    private final String hint;

    public S3Store(S3Requests requests, String prefix, String title, InstantSource clock, PartSizes sizes) {
        this(requests, prefix, title, clock, sizes, "");
    }

    private S3Store(
            S3Requests requests, String prefix, String title, InstantSource clock, PartSizes sizes, String hint) {
        this.requests = requests;
        this.prefix = ObjectKey.requirePrefix(prefix);
        this.title = title;
        this.clock = clock;
        this.sizes = sizes;
        this.hint = hint;
    }

    public static S3Store open(Destination.S3 destination, Credentials credentials, InstantSource clock) {
        return open(destination, destination.title(), CreateCondition.IF_NONE_MATCH, credentials, clock);
    }

    /// Google Cloud Storage by its XML API, which equals S3's except for the condition.
    public static S3Store openGoogle(Destination.S3 asS3, String title, Credentials credentials, InstantSource clock) {
        return open(asS3, title, CreateCondition.IF_GENERATION_MATCH, credentials, clock);
    }

    private static S3Store open(
            Destination.S3 destination,
            String title,
            CreateCondition condition,
            Credentials credentials,
            InstantSource clock) {
        var key = credentials.requireAccessKey(destination.credentials(), title);
        String region = destination
                .region()
                .or(key::region)
                .or(() -> credentials.variable("AWS_REGION"))
                .or(() -> credentials.variable("AWS_DEFAULT_REGION"))
                .orElse(DEFAULT_REGION);
        var client = S3Clients.open(destination, key, region, credentials.trusted(destination.credentials()));
        var requests = new S3Requests(client, destination.bucket(), destination.encryption(), condition, 1000);
        return new S3Store(requests, destination.prefix(), title, clock, PartSizes.STANDARD, hint(destination));
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Upload create(String key) {
        return begin(key);
    }

    private S3Upload begin(String key) {
        var call = changing("writing " + key + " to " + title);
        return asked(call, () -> {
            var object = requests.creation(name(key));
            if (object.existing().isPresent()) {
                throw call.refused(Kind.CONFLICT, "it already exists");
            }
            return new S3Upload(call, object, sizes, clock);
        });
    }

    @Override
    public void create(String key, byte[] content) {
        try (var upload = begin(key)) {
            upload.write(content);
            upload.complete();
        } catch (IOException e) {
            throw Call.cause(e);
        }
    }

    @Override
    public Optional<byte[]> read(String key, int limit) {
        var call = reading("reading " + key + " from " + title);
        return asked(call, () -> {
            try (var in = stream(call, requests.get(name(key)))) {
                byte[] bytes = in.readNBytes(limit + 1);
                if (bytes.length > limit) {
                    throw call.refused(Kind.REJECTED, "it has more than the expected " + limit + " bytes");
                }
                return Optional.of(bytes);
            } catch (NoSuchKeyException _) {
                return Optional.empty();
            } catch (IOException e) {
                throw Call.cause(e);
            }
        });
    }

    @Override
    public InputStream open(String key) {
        var call = reading("reading " + key + " from " + title);
        return asked(call, () -> stream(call, requests.get(name(key))));
    }

    private static InputStream stream(Call call, ResponseInputStream<GetObjectResponse> response) {
        return new StoredStream(response, call, response.response().contentLength(), response::abort, Network::words);
    }

    @Override
    public void list(String below, Consumer<Entry> each) {
        var call = reading("listing " + title + below);
        asked(call, () -> {
            var paging = new Paging(call);
            for (var page : requests.list(prefix + below)) {
                page.contents().forEach(object -> each.accept(entry(object)));
                paging.turned(
                        Optional.ofNullable(page.nextContinuationToken()).orElse(""),
                        page.contents().isEmpty());
            }
            return below;
        });
    }

    private Entry entry(S3Object object) {
        return new Entry(object.key().substring(prefix.length()), object.size(), object.lastModified());
    }

    @Override
    public void delete(String key) {
        var call = changing("deleting " + key + " from " + title);
        asked(call, () -> {
            try {
                requests.delete(name(key));
            } catch (S3Exception e) {
                throw S3Lock.holding(requests, name(key), e)
                        .map(lock -> call.refused(Kind.REJECTED, lock))
                        .orElseGet(() -> S3Errors.translate(call, e, clock));
            }
            return key;
        });
    }

    @Override
    public int abandon(String below, Duration age) {
        Instant before = clock.instant().minus(age);
        var call = changing("giving up old uploads in " + title + below);
        return asked(call, () -> {
            var old = new ArrayList<MultipartUpload>();
            var paging = new Paging(call);
            for (var page : requests.uploads(prefix + below)) {
                page.uploads().stream()
                        .filter(upload -> upload.initiated().isBefore(before))
                        .limit(MOST_OF_ONE_BACKUP - old.size())
                        .forEach(old::add);
                paging.turned(page.nextKeyMarker() + "/" + page.nextUploadIdMarker(), old.isEmpty());
            }
            old.forEach(upload -> requests.abort(upload.key(), upload.uploadId()));
            return old.size();
        });
    }

    private Call reading(String what) {
        return Call.reading(what).hinting(hint);
    }

    private Call changing(String what) {
        return Call.changing(what).hinting(hint);
    }

    private static String hint(Destination.S3 destination) {
        return destination.endpoint().isPresent() && !destination.pathStyle()
                ? "without `pathStyle: true` the bucket is part of the host name, which most stores other than AWS"
                        + " do not support"
                : "";
    }

    private String name(String key) {
        return prefix + ObjectKey.require(key);
    }

    private <T> T asked(Call call, java.util.function.Supplier<T> asking) {
        try {
            return asking.get();
        } catch (RuntimeException e) {
            throw S3Errors.translate(call, e, clock);
        }
    }

    @Override
    public void close() {
        requests.close();
    }
}
