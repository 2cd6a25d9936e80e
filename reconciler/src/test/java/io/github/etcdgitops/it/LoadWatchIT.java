package io.github.etcdgitops.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchResponse;
import io.github.etcdgitops.certificate.Authority;
import io.github.etcdgitops.certificate.Leaf;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadWatchIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String VERSION = "3.5.16";
    private static final ClusterRef ORDERS = new ClusterRef("db", "orders");

    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.23", "3.5.30", "3.7.1"})
    void isShownEachWriteOnceWhileEveryVoterDiesAndComesBack(String version) {
        try (var ring = EtcdRing.start(EtcdBinaries.require(version), 3)) {
            var watch = LoadWatch.start(ring::endpoints, () -> ClientAccess.PLAIN);
            awaitMore(watch, 300);
            for (var member : ring.members()) {
                member.kill();
                awaitMore(watch, 200);
                ring.restart(member);
                member.awaitReady();
                awaitMore(watch, 200);
            }

            var result = watch.stop();

            System.out.println("watch of " + version + ": " + result.line() + "; resumed " + result.resumed());
            assertThat(result.isWhole()).as(result.line()).isTrue();
            assertThat(result.writes().lost()).isEmpty();
            assertThat(result.events().shown())
                    .isGreaterThanOrEqualTo(result.writes().acked());
            assertThat(result.resumed()).isPositive();
            assertThat(result.line()).endsWith(" events, 0 missed, 0 doubled; lease kept");
        }
    }

    /// A member that stands still keeps its connections, and shows nothing.
    @Test
    void goesOnAtAnotherMemberWhenNothingIsShown() {
        try (var ring = EtcdRing.start(EtcdBinaries.require(VERSION), 3)) {
            var watch = LoadWatch.start(ring::endpoints, () -> ClientAccess.PLAIN);
            awaitLaterEvents(watch);
            for (var member : ring.members()) {
                member.pause();
                awaitLaterEvents(watch);
                member.resume();
            }

            var result = watch.stop();

            assertThat(result.isWhole()).as(result.line()).isTrue();
            assertThat(result.resumed()).isPositive();
        }
    }

    @Test
    void watchesOverTls(@TempDir Path folder) {
        var now = Instant.now();
        var ca = Authority.create(ORDERS, now, Duration.ofDays(1));
        var server = ca.issue(Leaf.SERVER, ORDERS, now, Duration.ofDays(1));
        byte[] trusted = ca.credential().certificatePem();
        var tls = ClientTls.of(trusted, ca.issue(Leaf.CLIENT, ORDERS, now, Duration.ofDays(1)), "orders.db.svc");
        var flags = new TlsFiles(folder).clients(server, trusted);
        try (var ring = EtcdRing.start(EtcdBinaries.require(VERSION), 1, flags)) {
            var watch = LoadWatch.start(ring::endpoints, () -> ClientAccess.of(Optional.of(tls)));
            awaitMore(watch, 100);

            var result = watch.stop();

            assertThat(result.isWhole()).as(result.line()).isTrue();
            assertThat(result.events().shown()).isGreaterThanOrEqualTo(100);
        }
    }

    @Test
    void noticesEventThatIsHidden() {
        var result = changed(answer -> with(
                answer,
                answer.getEventsList().stream().filter(e -> !isOf(e, 70)).toList()));

        assertThat(result.events().missed()).isEqualTo(1);
        assertThat(result.events().doubled()).isZero();
        assertThat(result.isWhole()).isFalse();
        assertThat(result.line()).contains(" 1 missed, 0 doubled; lease kept");
    }

    @Test
    void noticesEventThatIsShownTwice() {
        var result = changed(answer -> with(
                answer,
                answer.getEventsList().stream()
                        .flatMap(e -> isOf(e, 70) ? Stream.of(e, e) : Stream.of(e))
                        .toList()));

        assertThat(result.events().doubled()).isEqualTo(1);
        assertThat(result.events().missed()).isZero();
        assertThat(result.isWhole()).isFalse();
    }

    @Test
    void noticesLeaseThatIsRevoked() throws Exception {
        try (var ring = EtcdRing.start(EtcdBinaries.require(VERSION), 1);
                var client = client(ring)) {
            var watch = LoadWatch.start(ring::endpoints, () -> ClientAccess.PLAIN);
            awaitMore(watch, 50);
            client.getLeaseClient().revoke(watch.leaseId()).get(5, TimeUnit.SECONDS);

            var result = watch.stop();

            assertThat(result.lostLease()).isPresent();
            assertThat(result.events().troubles())
                    .singleElement()
                    .asString()
                    .startsWith("key lease was deleted at revision");
            assertThat(result.line()).contains("; lease lost: ");
            assertThat(result.isWhole()).isFalse();
        }
    }

    @Test
    void noticesStandstillThatIsLongerThanTheLease() {
        try (var ring = EtcdRing.start(EtcdBinaries.require(VERSION), 1)) {
            var watch = LoadWatch.start(
                    ring::endpoints, () -> ClientAccess.PLAIN, UnaryOperator.identity(), Duration.ofSeconds(2));
            awaitMore(watch, 50);
            ring.member(0).pause();
            long paused = System.nanoTime();
            EtcdProcess.await("four seconds", LONG, () -> System.nanoTime() - paused > 4_000_000_000L);
            ring.member(0).resume();
            awaitMore(watch, 50);

            var result = watch.stop();

            assertThat(result.lostLease()).isPresent();
            assertThat(result.events().missed()).isZero();
            assertThat(result.writes().lost()).isEmpty();
        }
    }

    /// What is compacted before it was shown is never shown.
    @Test
    void noticesWatchThatIsTooLate() throws Exception {
        try (var ring = EtcdRing.start(EtcdBinaries.require(VERSION), 1);
                var client = client(ring)) {
            var watch = LoadWatch.start(
                    ring::endpoints, () -> ClientAccess.PLAIN, answer -> with(answer, List.of()), KeptLease.LASTS);
            awaitMore(watch, 100);
            long now = client.getKVClient()
                    .put(WriteLoad.bytes("other"), WriteLoad.bytes(""))
                    .get(5, TimeUnit.SECONDS)
                    .getHeader()
                    .getRevision();
            client.getKVClient().compact(now).get(5, TimeUnit.SECONDS);
            ring.member(0).kill();
            ring.restart(ring.member(0));
            ring.member(0).awaitReady();

            var result = watch.stop();

            assertThat(result.events().troubles()).singleElement().asString().endsWith(": compacted at " + now);
            assertThat(result.events().missed()).isEqualTo(result.writes().acked());
        }
    }

    /// A ring of one, whose watch is shown what `change` makes of each answer.
    private static LoadWatch.Result changed(UnaryOperator<WatchResponse> change) {
        try (var ring = EtcdRing.start(EtcdBinaries.require(VERSION), 1)) {
            var watch = LoadWatch.start(ring::endpoints, () -> ClientAccess.PLAIN, change, KeptLease.LASTS);
            awaitMore(watch, 150);
            var result = watch.stop();
            assertThat(result.writes().lost()).isEmpty();
            return result;
        }
    }

    private static boolean isOf(Event event, int number) {
        return event.getKv().getValue().equals(ByteString.copyFromUtf8(Integer.toString(number)));
    }

    private static WatchResponse with(WatchResponse answer, List<Event> events) {
        return answer.toBuilder().clearEvents().addAllEvents(events).build();
    }

    private static Client client(EtcdRing ring) {
        return Client.builder().endpoints("http://" + ring.member(0).endpoint()).build();
    }

    /// Events of writes that nobody had made when this began.
    private static void awaitLaterEvents(LoadWatch watch) {
        long now = watch.revision();
        EtcdProcess.await("later events", LONG, () -> watch.shownUpTo() > now);
    }

    private static void awaitMore(LoadWatch watch, int more) {
        long before = watch.load().acknowledged();
        EtcdProcess.await(more + " more writes", LONG, () -> watch.load().acknowledged() >= before + more);
    }
}
