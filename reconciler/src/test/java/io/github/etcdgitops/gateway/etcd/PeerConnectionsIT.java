package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What `connections` proves while a member goes over to TLS. Three members listen for peers in both
/// manners; the last one gives its plain URL up and is restarted with TLS alone.
@Execution(ExecutionMode.CONCURRENT)
class PeerConnectionsIT {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LOOKS = 20;

    /// As in PeerStreams.
    private static final Duration WINDOW = Duration.ofSeconds(16);

    private static final int NOTES = 2;

    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.16", "3.5.30"})
    void strictMemberCountsOncePeersConnectOverTls(String version, @TempDir Path folder) throws IOException {
        try (var ring = new Ring(version, folder, "ip:127.0.0.1,dns:localhost")) {
            ring.goStrict();

            ring.awaitPeers(0, Set.of(1, 2));
            ring.awaitPeers(1, Set.of(0, 2));
            ring.awaitPeers(2, Set.of(0, 1));
            ring.awaitCalls(0, 2, grown -> grown <= NOTES);
        }
    }

    /// The names leave out the address that members call from: whoever is strict refuses them, and goes
    /// on calling those that are not. The ring looks healthy meanwhile.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.16", "3.5.30"})
    void doesNotCountStrictMemberThatRefusesOthers(String version, @TempDir Path folder) throws IOException {
        try (var ring = new Ring(version, folder, "dns:*.orders-peer.shop.svc")) {
            ring.goStrict();
            EtcdProcess.await(
                    "it to refuse", PATIENCE, () -> ring.last().readLog().contains("rejected connection"));

            ring.awaitPeers(0, Set.of(1));
            ring.awaitPeers(1, Set.of(0));
            assertThat(ring.gateway
                            .probe(ring.last().route("m2"), LIMIT)
                            .status()
                            .leader())
                    .isPresent();
            for (int i = 0; i < LOOKS; i++) {
                assertThat(ring.peers(0)).isEqualTo(Set.of(1));
                assertThat(ring.peers(1)).isEqualTo(Set.of(0));
            }
            ring.awaitCalls(0, 2, grown -> grown > NOTES);
            ring.awaitCalls(2, 0, grown -> grown <= NOTES);
            assertThat(ring.peers(2)).isEqualTo(Set.of(0, 1));
        }
    }

    private static final class Ring implements AutoCloseable {
        private final JetcdGateway gateway = new JetcdGateway();
        private final List<EtcdProcess> members;
        private final List<String> tls;
        private final List<EtcdId> ids;

        /// `names` are those of the members' one certificate, besides the addresses that they listen on.
        Ring(String version, Path folder, String names) throws IOException {
            var binaries = EtcdBinaries.require(version);
            members = IntStream.range(0, 3)
                    .mapToObj(i -> new EtcdProcess(binaries, "m" + i, List.of()))
                    .toList();
            try {
                var addresses = members.stream().map(m -> "ip:" + m.address()).collect(Collectors.joining(","));
                var ca = Certificates.createCa(folder, "ring");
                tls = ca.servePeers(ca.issue("peers", names + "," + addresses));
                String founders = members.stream()
                        .flatMap(m -> urls(m).map(url -> m.name() + "=" + url))
                        .collect(Collectors.joining(","));
                members.forEach(m -> listen(m, urls(m)).start(founders, "new"));
                members.forEach(EtcdProcess::awaitReady);
                ids = members.stream()
                        .map(m -> gateway.probe(m.route(m.name()), LIMIT).self())
                        .toList();
            } catch (RuntimeException | IOException | Error e) {
                close();
                throw e;
            }
        }

        /// Its URL first, and the restart after that.
        void goStrict() {
            awaitPeers(0, Set.of(1, 2));
            awaitPeers(1, Set.of(0, 2));
            String strict = last().url("https", Door.PEER_TLS);
            gateway.updatePeerUrls(members.getFirst().route("m0"), ids.get(2), List.of(strict), LIMIT);
            for (var member : members) {
                EtcdProcess.await(
                        "the URL everywhere", PATIENCE, () -> listed(member).equals(List.of(strict)));
            }
            assertThat(peers(0)).as("what is open stays open").isEqualTo(Set.of(1, 2));
            last().kill();
            awaitPeers(0, Set.of(1));
            awaitPeers(1, Set.of(0));
            listen(last(), Stream.of(strict)).start("m2=" + strict, "existing").awaitReady();
        }

        EtcdProcess last() {
            return members.getLast();
        }

        /// The ordinals that a member says it is connected with.
        Set<Integer> peers(int ordinal) {
            var metrics = members.get(ordinal).route("m" + ordinal, Door.METRICS);
            return gateway.connections(metrics, LIMIT).orElseThrow().active().stream()
                    .map(ids::indexOf)
                    .collect(Collectors.toSet());
        }

        /// Waits until a window shows as many notes of calls from one to another as wanted.
        void awaitCalls(int from, int to, LongPredicate wanted) {
            var metrics = members.get(from).route("m" + from, Door.METRICS);
            var window = new long[] {probes(metrics, to), System.nanoTime()};
            EtcdProcess.await("m" + from + " calling m" + to, PATIENCE.multipliedBy(2), () -> {
                if (System.nanoTime() - window[1] < WINDOW.toNanos()) {
                    return false;
                }
                long probes = probes(metrics, to);
                boolean so = wanted.test(probes - window[0]);
                window[0] = probes;
                window[1] = System.nanoTime();
                return so;
            });
        }

        private long probes(Route metrics, int to) {
            return gateway.connections(metrics, LIMIT).orElseThrow().probesOf(ids.get(to));
        }

        void awaitPeers(int ordinal, Set<Integer> wanted) {
            EtcdProcess.await(
                    "m" + ordinal + " to be connected with " + wanted,
                    PATIENCE,
                    () -> peers(ordinal).equals(wanted));
        }

        private List<String> listed(EtcdProcess at) {
            return gateway.probe(at.route(at.name()), LIMIT).members().stream()
                    .filter(m -> m.id().equals(ids.get(2)))
                    .map(MemberState::peerUrls)
                    .findFirst()
                    .orElseThrow();
        }

        private static Stream<String> urls(EtcdProcess member) {
            return Stream.of(member.url("http", Door.PEER), member.url("https", Door.PEER_TLS));
        }

        private EtcdProcess listen(EtcdProcess member, Stream<String> peerUrls) {
            String urls = peerUrls.collect(Collectors.joining(","));
            return member.flags(Stream.concat(
                            tls.stream(),
                            Stream.of("--listen-peer-urls=" + urls, "--initial-advertise-peer-urls=" + urls))
                    .toList());
        }

        @Override
        public void close() {
            members.forEach(EtcdProcess::close);
        }
    }
}
