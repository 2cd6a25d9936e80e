package io.github.etcdgitops.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every place that keeps backups does alike.
public abstract class BackupStoreContract {
    /// A limit that no test reaches.
    private static final int LARGE = 1 << 28;

    private BackupStore store;

    /// A place with nothing in it, each time another one.
    protected abstract BackupStore openEmpty() throws IOException;

    /// The same place as the one opened last, an hour later.
    protected abstract BackupStore openAnHourLater() throws IOException;

    /// What is sent at once: sizes around it are where mistakes are.
    protected abstract int part();

    /// Whether what an upload left unfinished can be found.
    protected boolean findsUnfinished() {
        return true;
    }

    @BeforeEach
    void open() throws IOException {
        store = openEmpty();
    }

    @AfterEach
    void close() {
        store.close();
    }

    protected final BackupStore store() {
        return store;
    }

    /// Not compressible, and the same for the same number.
    protected static byte[] content(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    protected static void write(BackupStore store, String key, byte[] content) throws IOException {
        try (var upload = store.create(key)) {
            upload.write(content);
            upload.complete();
        }
    }

    protected static GatewayException failure(ThrowingCallable call) {
        var failure = catchThrowableOfType(GatewayException.class, call);
        assertThat(failure).as("a refusal").isNotNull();
        return failure;
    }

    /// The one inside the IOException that a stream throws.
    protected static GatewayException streamFailure(ThrowingCallable call) {
        var failure = catchThrowableOfType(IOException.class, call);
        assertThat(failure).as("a failure").isNotNull().hasCauseInstanceOf(GatewayException.class);
        return (GatewayException) failure.getCause();
    }

    @Test
    void readsObjectOfAnySizeAsWritten() throws IOException {
        for (int size : List.of(0, 1, part() - 1, part(), part() + 1, 2 * part(), 3 * part() + 7)) {
            write(store, "sizes/" + size, content(size));

            try (var in = store.open("sizes/" + size)) {
                assertThat(in.readAllBytes()).as("of %d bytes", size).isEqualTo(content(size));
            }
        }
    }

    @Test
    void piecesOfAnySizeAreWrittenOneAfterTheOther() throws IOException {
        byte[] content = content(part() + 70_001);

        try (var upload = store.create("pieces")) {
            upload.write(content[0]);
            for (int at = 1, piece = 1; at < content.length; at += piece, piece = piece * 3 + 1) {
                upload.write(content, at, Math.min(piece, content.length - at));
            }
            upload.complete();
        }

        assertThat(store.read("pieces", LARGE))
                .hasValueSatisfying(b -> assertThat(b).isEqualTo(content));
    }

    @Test
    void showsObjectOnlyWhenComplete() throws IOException {
        try (var upload = store.create("ring/one")) {
            upload.write(content(2 * part() + 1));

            assertThat(store.list("")).isEmpty();
            assertThat(store.read("ring/one", LARGE)).isEmpty();
            assertThat(failure(() -> store.open("ring/one")).kind()).isEqualTo(Kind.NOT_FOUND);
            upload.complete();
        }

        assertThat(store.list("")).extracting(BackupStore.Entry::key).containsExactly("ring/one");
    }

    @Test
    void leavesNothingOfIncompleteUpload() throws IOException {
        for (int size : List.of(1, 2 * part() + 1)) {
            try (var upload = store.create("ring/one")) {
                upload.write(content(size));
            }
        }

        assertThat(store.list("")).isEmpty();
        try (var later = openAnHourLater()) {
            assertThat(later.abandon("", Duration.ZERO)).isZero();
        }
    }

    @Test
    void neverReplacesObject() throws IOException {
        store.create("ring/manifest", content(10));

        var small = failure(() -> store.create("ring/manifest", content(20)));
        var streamed = failure(() -> write(store, "ring/manifest", content(part() + 1)));

        assertThat(List.of(small, streamed)).extracting(GatewayException::kind).containsOnly(Kind.CONFLICT);
        assertThat(List.of(small, streamed)).noneMatch(GatewayException::mayHaveHappened);
        assertThat(store.read("ring/manifest", 100))
                .hasValueSatisfying(b -> assertThat(b).isEqualTo(content(10)));
    }

    @Test
    void ofTwoUploadsOfOneKeyTheFirstToCompleteWins() throws IOException {
        for (int size : List.of(5, part() + 5)) {
            String key = "ring/" + size;
            try (var first = store.create(key);
                    var second = store.create(key)) {
                first.write(content(size));
                second.write(content(size + 1));
                second.complete();

                assertThat(streamFailure(first::complete).kind()).isEqualTo(Kind.CONFLICT);
            }

            assertThat(store.read(key, LARGE))
                    .hasValueSatisfying(b -> assertThat(b).isEqualTo(content(size + 1)));
        }
    }

    @Test
    void ofTwoWritersAtTheSameMomentOneIsBelieved() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 10; round++) {
                String key = "race/" + round;
                var barrier = new CyclicBarrier(2);

                var writers = IntStream.of(1, 2)
                        .mapToObj(size -> race(threads, barrier, key, size))
                        .toList();

                // Of both: what stopped one of them before the barrier is why the other one waits in vain.
                assertThat(writers).allSatisfy(writer -> assertThat(writer).succeedsWithin(Duration.ofMinutes(2)));
                var believed = writers.stream().map(Future::resultNow).toList();
                byte[] kept = store.read(key, 100).orElseThrow();
                assertThat(believed).as(key).containsExactlyInAnyOrder(0, kept.length);
                assertThat(kept).isEqualTo(content(kept.length));
            }
        }
    }

    /// How many bytes this one is believed to have written.
    private Future<Integer> race(ExecutorService threads, CyclicBarrier barrier, String key, int size) {
        return threads.submit(() -> {
            try (var upload = store.create(key)) {
                upload.write(content(size));
                barrier.await(1, TimeUnit.MINUTES);
                upload.complete();
                return size;
            } catch (IOException e) {
                assertThat(((GatewayException) e.getCause()).kind()).isEqualTo(Kind.CONFLICT);
                return 0;
            }
        });
    }

    @Test
    void listsEveryObjectBelowPrefixOverAllPages() throws IOException {
        var keys = IntStream.range(0, 25)
                .mapToObj(i -> "one/%02d/manifest".formatted(i))
                .toList();
        keys.forEach(key -> store.create(key, content(3)));
        store.create("two/manifest", content(4));

        assertThat(store.list("one/")).extracting(BackupStore.Entry::key).containsExactlyInAnyOrderElementsOf(keys);
        assertThat(store.list("one/1")).hasSize(10);
        assertThat(store.list("two/")).singleElement().satisfies(entry -> {
            assertThat(entry.key()).isEqualTo("two/manifest");
            assertThat(entry.size()).isEqualTo(4);
            assertThat(entry.modified()).isAfter(Instant.EPOCH);
        });
        assertThat(store.list("")).hasSize(26);
        assertThat(store.list("three/")).isEmpty();
    }

    @Test
    void readsSmallObjectOnlyWithinLimit() {
        store.create("small", content(100));

        assertThat(store.read("small", 100))
                .hasValueSatisfying(b -> assertThat(b).hasSize(100));
        assertThat(failure(() -> store.read("small", 99)).kind()).isEqualTo(Kind.REJECTED);
        assertThat(store.read("missing", 99)).isEmpty();
    }

    @Test
    void deletingIsDoneOnceAndWellEachTime() {
        store.create("ring/a/snapshot", content(10));
        store.create("ring/b/snapshot", content(10));

        store.delete("ring/a/snapshot");
        store.delete("ring/a/snapshot");
        store.delete("never/was");

        assertThat(store.list("")).extracting(BackupStore.Entry::key).containsExactly("ring/b/snapshot");
        store.create("ring/a/snapshot", content(11));
        assertThat(store.list("ring/a/")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/etc/passwd", "../up", "a/../../up", "a/./b", "a//b", "a/", "a\\..\\b"})
    void refusesUnsafeKey(String key) {
        assertThat(failure(() -> store.create(key, content(1))).kind()).isEqualTo(Kind.REJECTED);
        assertThat(failure(() -> store.create(key)).kind()).isEqualTo(Kind.REJECTED);
        assertThat(failure(() -> store.read(key, 1)).kind()).isEqualTo(Kind.REJECTED);
        assertThat(failure(() -> store.open(key)).kind()).isEqualTo(Kind.REJECTED);
        assertThat(failure(() -> store.delete(key)).kind()).isEqualTo(Kind.REJECTED);
    }

    @Test
    void readingMayStopHalfWay() throws IOException {
        write(store, "large", content(2 * part()));

        for (int i = 0; i < 5; i++) {
            try (var in = store.open("large")) {
                assertThat(in.readNBytes(1000)).isEqualTo(Arrays.copyOf(content(2 * part()), 1000));
            }
        }

        assertThat(store.list("")).hasSize(1);
    }

    @Test
    void abandonsOnlyOldUnfinishedUploads() throws IOException {
        store.create("ring/kept", content(5));
        var dying = store.create("ring/dying");
        dying.write(content(2 * part() + 1));
        int expected = findsUnfinished() ? 1 : 0;

        assertThat(store.abandon("", Duration.ofMinutes(30))).isZero();
        try (var later = openAnHourLater()) {
            assertThat(later.abandon("other/", Duration.ofMinutes(30))).isZero();
            assertThat(later.abandon("ring/", Duration.ofMinutes(30))).isEqualTo(expected);
            assertThat(later.abandon("ring/", Duration.ofMinutes(30))).isZero();
            assertThat(later.list("")).extracting(BackupStore.Entry::key).containsExactly("ring/kept");
        }
        dying.close();
    }

    @Test
    void messagesNameThePlaceAndTheObject() {
        store.create("ring/manifest", content(10));

        assertThat(failure(() -> store.create("ring/manifest", content(20))))
                .hasMessageContaining(store.title())
                .hasMessageContaining("ring/manifest");
        assertThat(failure(() -> store.open("ring/missing")))
                .hasMessageContaining(store.title())
                .hasMessageContaining("ring/missing");
    }
}
