package io.github.etcdgitops.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStoreContract;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.credential.AccessKey;
import io.github.etcdgitops.gateway.store.s3.CreateCondition;
import io.github.etcdgitops.gateway.store.s3.S3Upload;
import io.github.etcdgitops.it.S3Proxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class S3StoreIT extends BackupStoreContract {
    private S3Place place;

    @Override
    protected BackupStore openEmpty() {
        place = S3Place.make();
        return place.open();
    }

    @Override
    protected BackupStore openAnHourLater() {
        return place.open(
                S3Proxy.shared().endpoint(),
                S3Place.KEY,
                InstantSource.offset(InstantSource.system(), Duration.ofHours(1)));
    }

    @Override
    protected int part() {
        return S3Place.PART;
    }

    private GatewayException refusedWith(AccessKey key) {
        try (var store = place.open(S3Proxy.shared().endpoint(), key, InstantSource.system())) {
            var listed = failure(() -> store.list(""));
            var read = failure(() -> store.read("a", 1));
            var small = failure(() -> store.create("a", content(1)));
            var large = streamFailure(() -> write(store, "a", content(part() + 1)));
            assertThat(listed.kind())
                    .isEqualTo(read.kind())
                    .isEqualTo(small.kind())
                    .isEqualTo(large.kind());
            assertThat(listed).hasMessageNotContainingAny(key.id(), key.secret());
            return listed;
        }
    }

    @Test
    void reportsWrongKeyOrSecret() {
        var wrongKey = refusedWith(new AccessKey("nobody", S3Proxy.SECRET, Optional.empty(), Optional.empty()));
        var wrongSecret = refusedWith(new AccessKey(S3Proxy.KEY_ID, "wrong", Optional.empty(), Optional.empty()));

        assertThat(wrongKey.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(wrongKey).hasMessageContaining("does not know the access key id");
        assertThat(wrongSecret.kind()).isEqualTo(Kind.UNAUTHORIZED);
        assertThat(wrongSecret).hasMessageContaining("secret access key does not belong");
    }

    @Test
    void reportsMissingBucket() {
        try (var store = new S3Place("never-made", place.sizes()).open()) {
            var failures = List.of(
                    failure(() -> store.list("")),
                    failure(() -> store.read("a", 1)),
                    failure(() -> store.open("a")),
                    failure(() -> store.create("a", content(1))),
                    streamFailure(() -> write(store, "a", content(part() + 1))));

            assertThat(failures).extracting(GatewayException::kind).containsOnly(Kind.NOT_FOUND);
            assertThat(failures).allSatisfy(e -> assertThat(e).hasMessageContaining("bucket does not exist"));
        }
    }

    @Test
    void refusedConnectionIsUnreachable() throws IOException {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = socket.getLocalPort();
        }
        try (var store = place.open(URI.create("http://127.0.0.1:" + port))) {
            var refused = failure(() -> store.create("a", content(1)));

            assertThat(refused.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(refused.mayHaveHappened()).isFalse();
            assertThat(refused).hasMessageContaining("connection refused");
        }
        try (var store = place.open(URI.create("http://store.invalid:80"))) {
            assertThat(failure(() -> store.list("")))
                    .hasMessageContaining("host name store.invalid is not known")
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
        }
    }

    @Test
    void holdsAtMostThreeBuffersPerUpload() throws IOException {
        try (var upload = (S3Upload) store().create("large")) {
            for (int i = 0; i < 10; i++) {
                upload.write(content(part()));
            }
            upload.complete();

            assertThat(upload.buffers()).isBetween(2, 3);
        }

        assertThat(store().list(""))
                .singleElement()
                .satisfies(e -> assertThat(e.size()).isEqualTo(10L * part()));
    }

    /// Google's XML API as far as another server goes: that the header with the condition is signed, and
    /// the looks before writing. That Google heeds the condition is not proven here.
    @Test
    void withTheConditionOfGoogleASecondWriterIsStillRefused() throws IOException {
        try (var google = place.open(
                S3Proxy.shared().endpoint(),
                S3Place.KEY,
                InstantSource.system(),
                CreateCondition.IF_GENERATION_MATCH)) {
            write(google, "small", content(10));
            write(google, "large", content(part() + 1));

            assertThat(failure(() -> google.create("small", content(11))).kind())
                    .isEqualTo(Kind.CONFLICT);
            assertThat(streamFailure(() -> {
                                try (var first = google.create("other");
                                        var second = google.create("other")) {
                                    first.write(content(part() + 1));
                                    second.write(content(5));
                                    second.complete();
                                    first.complete();
                                }
                            })
                            .kind())
                    .isEqualTo(Kind.CONFLICT);
            assertThat(google.list("")).hasSize(3);
        }
    }
}
