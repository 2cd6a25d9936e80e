package io.github.etcdgitops.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.BackupStoreContract;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.store.credential.ServiceAccountFile;
import io.github.etcdgitops.gateway.store.gcs.GcsApi;
import io.github.etcdgitops.gateway.store.gcs.GcsStore;
import io.github.etcdgitops.gateway.store.gcs.GcsUpload;
import io.github.etcdgitops.it.Relay;
import io.github.etcdgitops.it.Relay.Direction;
import io.github.etcdgitops.spec.value.Destination;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GcsStoreTest extends BackupStoreContract {
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private FakeGoogle google;

    @Override
    protected BackupStore openEmpty() {
        google = new FakeGoogle("bucket", now::get);
        return store(google.endpoint(), "bucket");
    }

    @Override
    protected BackupStore openAnHourLater() {
        now.updateAndGet(t -> t.plus(Duration.ofHours(1)));
        return store(google.endpoint(), "bucket");
    }

    @Override
    protected int part() {
        return 512 << 10;
    }

    @Override
    protected boolean findsUnfinished() {
        return false;
    }

    @AfterEach
    void stop() {
        google.close();
    }

    /// The token service is the fake itself, also where the storage is behind a relay.
    private GcsStore store(URI endpoint, String bucket) {
        var json = Keys.serviceAccount(google.endpoint().resolve("/token"));
        var account = ServiceAccountFile.parse(json, Path.of("service-account.json"));
        var api = new GcsApi(endpoint, account, Optional.empty(), now::get, _ -> {});
        return new GcsStore(
                new Destination.Gcs(bucket, "backups/", Optional.of(endpoint.toString()), Optional.empty()),
                api,
                part());
    }

    @Test
    void aTokenServesUntilShortlyBeforeItExpires() {
        store().create("a", content(1));
        store().create("b", content(1));
        assertThat(google.tokensGiven()).isEqualTo(1);

        now.updateAndGet(t -> t.plus(Duration.ofMinutes(59)));
        store().list("");

        assertThat(google.tokensGiven()).isEqualTo(2);
    }

    @Test
    void aTokenThatIsNoLongerAcceptedIsReplacedOnce() {
        store().create("a", content(1));
        google.revokeTokens();

        assertThat(store().list("")).hasSize(1);
        google.refuse(401, "authError");
        assertThat(failure(() -> store().list("")).kind()).isEqualTo(Kind.UNAUTHORIZED);
    }

    @Test
    void aWrongClockIsSaidWithItsSkew() {
        var late = new GcsApi(
                google.endpoint(),
                ServiceAccountFile.parse(
                        Keys.serviceAccount(google.endpoint().resolve("/token")), Path.of("service-account.json")),
                Optional.empty(),
                () -> now.get().minus(Duration.ofHours(2)),
                _ -> {});
        try (var store =
                new GcsStore(new Destination.Gcs("bucket", "", Optional.empty(), Optional.empty()), late, part())) {
            var refused = failure(() -> store.list(""));

            assertThat(refused.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(refused).hasMessageMatching(".*clock is 7[12]\\d\\d seconds behind.*");
        }
    }

    @Test
    void aBucketThatIsGoneIsSaidSo() {
        try (var store = store(google.endpoint(), "other")) {
            assertThat(failure(() -> store.list("")).kind()).isEqualTo(Kind.NOT_FOUND);
            assertThat(failure(() -> store.read("a", 1)).kind()).isEqualTo(Kind.NOT_FOUND);
            assertThat(failure(() -> store.delete("a")).kind()).isEqualTo(Kind.NOT_FOUND);
            assertThat(failure(() -> store.create("a", content(1))).kind()).isEqualTo(Kind.NOT_FOUND);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "403, forbidden, UNAUTHORIZED, role",
        "403, retentionPolicyNotMet, REJECTED, retention policy",
        "403, quotaExceeded, REJECTED, quota",
        "429, rateLimitExceeded, UNREACHABLE, overloaded",
        "503, backendError, UNREACHABLE, overloaded",
        "400, somethingNew, REJECTED, status 400 (somethingNew)",
    })
    void aRefusalIsInOurWords(int status, String reason, Kind kind, String words) {
        store().create("a", content(1));
        google.refuse(status, reason);

        var failure = failure(() -> store().delete("a"));

        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessageContaining(words).hasMessageNotContaining("words of the server");
    }

    @Test
    void bytesThatTheStoreDidNotTakeAreSentAgain() throws IOException {
        google.takeOnly(1);

        write(store(), "large", content(3 * part() + 7));

        assertThat(store().read("large", 1 << 22))
                .hasValueSatisfying(b -> assertThat(b).isEqualTo(content(3 * part() + 7)));
    }

    @Test
    void anObjectThatCameOutDamagedIsNotKept() {
        google.damage();

        var failure = streamFailure(() -> write(store(), "large", content(part() + 7)));

        assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(failure).hasMessageContaining("damaged");
        assertThat(google.names()).isEmpty();
    }

    @Test
    void anUploadHoldsTwoBuffersAndItsSessionIsEnded() throws IOException {
        try (var upload = (GcsUpload) store().create("large")) {
            for (int i = 0; i < 10; i++) {
                upload.write(content(part()));
            }
            assertThat(upload.buffers()).isEqualTo(2);
        }

        assertThat(google.openSessions()).isZero();
        assertThat(google.names()).isEmpty();
    }

    /// The server names the address of a session after the host it was asked as, so that it is behind the
    /// relay too.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void anUploadThatIsCutOnceStillArrives(int tenths) throws IOException {
        byte[] content = content(3 * part() + 7);
        try (var relay = new Relay(google.endpoint());
                var store = store(relay.endpoint(), "bucket")) {
            relay.cutAfter(Direction.TO_SERVER, (long) content.length * tenths / 10, false);

            write(store, "large", content);
        }

        assertThat(store().read("large", 1 << 22))
                .hasValueSatisfying(b -> assertThat(b).isEqualTo(content));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void anUploadThatIsCutForGoodFailsAndNothingIsSeen(int tenths) {
        byte[] content = content(3 * part() + 7);
        try (var relay = new Relay(google.endpoint());
                var store = store(relay.endpoint(), "bucket")) {
            relay.cutAfter(Direction.TO_SERVER, (long) content.length * tenths / 10, true);

            var failure = catchThrowable(() -> write(store, "large", content));

            var known = failure instanceof IOException ? failure.getCause() : failure;
            assertThat(known)
                    .isInstanceOfSatisfying(
                            GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
        }
        assertThat(google.names()).isEmpty();
    }

    @Test
    void lostAnswerIsNoOtherWriter() {
        for (int cut = 0; cut < 2000; cut += 100) {
            String key = "ring/" + cut;
            try (var relay = new Relay(google.endpoint());
                    var store = store(relay.endpoint(), "bucket")) {
                relay.cutAfter(Direction.TO_CLIENT, cut, false);

                store.create(key, content(10));
            }
            assertThat(store().read(key, 100))
                    .hasValueSatisfying(b -> assertThat(b).isEqualTo(content(10)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void aDownloadThatIsCutNeverLooksWhole(int tenths) throws IOException {
        write(store(), "large", content(3 * part()));
        try (var relay = new Relay(google.endpoint());
                var store = store(relay.endpoint(), "bucket")) {
            relay.cutAfter(Direction.TO_CLIENT, 3L * part() * tenths / 10, false);

            try (var in = store.open("large")) {
                assertThat(in.readAllBytes()).isEqualTo(content(3 * part()));
                assertThat(tenths).isZero();
            } catch (IOException e) {
                assertThat(((GatewayException) e.getCause()).kind()).isEqualTo(Kind.UNREACHABLE);
            }
        }
    }

    @Test
    void refusedConnectionIsUnreachable() {
        store().list("");
        google.close();

        assertThat(failure(() -> store().list("")))
                .hasMessageContaining("accepts no connection")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
    }
}
