package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.backup.SnapshotCheck;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.Filling;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What goes wrong in the middle of a stream, on a database larger than all that may be under way at once.
class SnapshotCallIT {
    private static final long SIZE = 48L << 20;
    private static final long SOME = 4L << 20;
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(500);

    private EtcdRing ring;
    private MemberAccess.Route route;

    @BeforeEach
    void fill() {
        ring = EtcdRing.start(EtcdBinaries.require("3.5.30"), 1, Filling.FLAGS);
        route = ring.member(0).route("m0.test");
        Filling.fill(ring.endpoints().getFirst(), SIZE);
    }

    @AfterEach
    void stop() {
        if (ring != null) {
            ring.close();
        }
    }

    @Test
    void memberThatDiesIsUnreachable() {
        var got = new AtomicLong();

        var broken = catchThrowableOfType(
                GatewayException.class,
                () -> new JetcdGateway().snapshot(route, PATIENT, piece -> {
                    if (got.addAndGet(piece.remaining()) > SOME
                            && ring.member(0).running()) {
                        ring.member(0).kill();
                    }
                }));

        assertThat(broken.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(broken.mayHaveHappened()).isFalse();
        assertThat(got).hasValueBetween(SOME, SIZE);
    }

    @Test
    void streamThatStallsTimesOut() throws IOException {
        try (var relay = new Relay(route, SOME)) {
            var got = new AtomicLong();

            var stalled = catchThrowableOfType(
                    GatewayException.class,
                    () -> new JetcdGateway().snapshot(relay, SHORT, piece -> got.addAndGet(piece.remaining())));

            assertThat(stalled.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(stalled).hasMessageContaining("500 ms");
            assertThat(got).hasValueBetween(1L, SOME);
        }
    }

    @Test
    void countsNoTimeOfSink() throws IOException {
        var waited = new AtomicBoolean();
        var digest = new SnapshotCheck();

        new JetcdGateway().snapshot(route, SHORT, piece -> {
            if (!waited.getAndSet(true)) {
                long end = System.nanoTime() + SHORT.multipliedBy(3).toNanos();
                EtcdProcess.await("longer than the limit", PATIENT, () -> System.nanoTime() > end);
            }
            digest.update(piece);
        });

        assertThat(digest.finish().fault()).isEmpty();
    }

    @Test
    void sinkThatFailsHangsUp() throws Exception {
        try (var relay = new Relay(route, Long.MAX_VALUE)) {
            var full = new IOException("no space left");

            var heard = catchThrowable(() -> new JetcdGateway().snapshot(relay, PATIENT, _ -> {
                throw full;
            }));

            assertThat(heard).isSameAs(full);
            assertThat(relay.clientGone().await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void interruptEndsIt() throws IOException {
        try (var relay = new Relay(route, SOME)) {
            var self = Thread.currentThread();

            var ended = catchThrowableOfType(
                    GatewayException.class, () -> new JetcdGateway().snapshot(relay, PATIENT, _ -> self.interrupt()));

            assertThat(ended.kind()).isEqualTo(Kind.TIMEOUT);
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
