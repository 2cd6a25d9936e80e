package io.github.etcdgitops.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.BackupStore;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.it.Relay;
import io.github.etcdgitops.it.Relay.Direction;
import io.github.etcdgitops.it.S3Proxy;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The connection to a real S3 API is cut at every tenth of an upload and of a download.
class CutConnectionsIT {
    private static final byte[] CONTENT = new byte[2 * S3Place.PART + 12_345];

    static {
        new Random(1).nextBytes(CONTENT);
    }

    private static final byte[] SMALL = {1, 2, 3};

    /// Bytes that have to pass in any case, which what once passed is not: a slow connection that the client
    /// gives up and opens again has sent more, and a cut measured by it may come after the end.
    private static long tenthsOfContent(int tenths) {
        return (long) CONTENT.length * tenths / 10;
    }

    private static void write(BackupStore store) throws IOException {
        try (var upload = store.create("large")) {
            upload.write(CONTENT);
            upload.complete();
        }
    }

    private static Optional<GatewayException> writing(BackupStore store) {
        try {
            write(store);
            return Optional.empty();
        } catch (GatewayException e) {
            return Optional.of(e);
        } catch (IOException e) {
            return Optional.of((GatewayException) e.getCause());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void completesUploadThatIsCutOnce(int tenths) {
        var place = S3Place.make();
        try (var relay = new Relay(S3Proxy.shared().endpoint());
                var store = place.open(relay.endpoint())) {
            relay.cutAfter(Direction.TO_SERVER, tenthsOfContent(tenths), false);

            assertThat(writing(store)).isEmpty();
            assertThat(store.read("large", CONTENT.length))
                    .hasValueSatisfying(b -> assertThat(b).isEqualTo(CONTENT));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void permanentlyCutUploadFailsAndShowsNothing(int tenths) {
        var place = S3Place.make();
        try (var relay = new Relay(S3Proxy.shared().endpoint());
                var store = place.open(relay.endpoint());
                var direct = place.open()) {
            relay.cutAfter(Direction.TO_SERVER, tenthsOfContent(tenths), true);

            assertThat(writing(store))
                    .hasValueSatisfying(e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
            assertThat(direct.list("")).isEmpty();
        }
    }

    /// The answer to the last request is lost, and the request asked again: what is in the way is our own
    /// object.
    @Test
    void lostAnswerIsNoOtherWriter() {
        var place = S3Place.make();
        try (var relay = new Relay(S3Proxy.shared().endpoint());
                var store = place.open(relay.endpoint())) {
            long answers = answersTo(store, relay);
            for (long cut = 1; cut <= 10; cut++) {
                relay.cutAfter(Direction.TO_CLIENT, answers * cut / 10 - 1, false);

                String key = "ring/" + cut;
                store.create(key, SMALL);
                assertThat(store.read(key, 100))
                        .hasValueSatisfying(b -> assertThat(b).isEqualTo(SMALL));
            }
        }
    }

    private static long answersTo(BackupStore store, Relay relay) {
        relay.cutAfter(Direction.TO_CLIENT, Long.MAX_VALUE, false);
        store.create("ring/0", SMALL);
        return relay.passed(Direction.TO_CLIENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void neverTakesCutDownloadForComplete(int tenths) throws IOException {
        var place = S3Place.make();
        try (var direct = place.open()) {
            write(direct);
        }
        try (var relay = new Relay(S3Proxy.shared().endpoint());
                var store = place.open(relay.endpoint())) {
            relay.cutAfter(Direction.TO_CLIENT, tenthsOfContent(tenths), false);

            try (var in = store.open("large")) {
                byte[] read = in.readAllBytes();
                // Cut before the answer began: asked again, and whole.
                assertThat(tenths).isZero();
                assertThat(read).isEqualTo(CONTENT);
            } catch (IOException e) {
                assertThat(((GatewayException) e.getCause()).kind()).isEqualTo(Kind.UNREACHABLE);
            }
        }
    }

    @Test
    void abandonsPartsOfCutUpload() {
        var place = S3Place.make();
        try (var relay = new Relay(S3Proxy.shared().endpoint());
                var store = place.open(relay.endpoint());
                var later = place.open(
                        S3Proxy.shared().endpoint(),
                        S3Place.KEY,
                        InstantSource.offset(InstantSource.system(), Duration.ofHours(1)))) {
            relay.cutAfter(Direction.TO_SERVER, CONTENT.length / 2, true);
            assertThat(writing(store)).isPresent();

            assertThat(later.abandon("", Duration.ofMinutes(30))).isEqualTo(1);
            assertThat(later.abandon("", Duration.ofMinutes(30))).isZero();
        }
    }
}
