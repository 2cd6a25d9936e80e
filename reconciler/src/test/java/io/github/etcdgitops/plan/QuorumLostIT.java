package io.github.etcdgitops.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.EtcdGateway.View;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.EtcdTool;
import io.github.etcdgitops.observe.Reading;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the members of real etcd say once most of them are gone, and what the one that is left still gives.
class QuorumLostIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int WRITES = 200;

    /// The leader goes as well, so that the one that is left was a follower. Once restarted that one serves
    /// nobody before another is back.
    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.23", "3.5.16", "3.5.30"})
    void lostQuorumIsToldFromElectionAndSurvivorServesSnapshot(String version, @TempDir Path folder) throws Exception {
        var binaries = EtcdBinaries.require(version);
        try (var ring = EtcdRing.start(binaries, 3);
                var gateway = new JetcdGateway()) {
            var ids = ids(ring, gateway);
            write(ring.member(0).endpoint());
            long revision = 1 + WRITES;
            EtcdProcess.await(
                    "everybody to have all of it",
                    LIMIT,
                    () -> IntStream.range(0, 3).allMatch(o -> revision(ring, gateway, o) == revision));
            assertThat(QuorumLoss.of(seen(ring, gateway, ids))).isEmpty();
            int leader = leader(ring, gateway, ids);
            int survivor = leader == 0 ? 1 : 0;

            ring.member(leader).kill();
            var inElection = QuorumLoss.of(seen(ring, gateway, ids));
            IntStream.range(0, 3)
                    .filter(o -> o != survivor)
                    .forEach(o -> ring.member(o).kill());
            EtcdProcess.await(
                    "the survivor to know of no leader",
                    LIMIT,
                    () -> QuorumLoss.of(seen(ring, gateway, ids)).isPresent());
            var loss = QuorumLoss.of(seen(ring, gateway, ids)).orElseThrow();

            assertThat(inElection).isEmpty();
            assertThat(loss.survivors()).singleElement().satisfies(s -> {
                assertThat(s.ordinal()).isEqualTo(survivor);
                assertThat(s.at().revision()).isEqualTo(revision);
            });
            assertThat(loss.missing()).hasSize(2);
            assertThat(saved(ring, gateway, survivor, binaries, folder.resolve("a")))
                    .contains("\"revision\":" + revision + ",");

            ring.member(survivor).kill();
            ring.restart(ring.member(survivor));
            EtcdProcess.await(
                    "it to look for others",
                    LIMIT,
                    () -> ring.member(survivor).readLog().contains("starting a new election"));
            assertThat(view(ring, gateway, survivor)).isEmpty();

            ring.restart(ring.member(leader));
            EtcdProcess.await(
                    "both to be back with all that they had",
                    LIMIT,
                    () -> revision(ring, gateway, survivor) == revision && revision(ring, gateway, leader) == revision);
            assertThat(QuorumLoss.of(seen(ring, gateway, ids))).isEmpty();
        }
    }

    private static String saved(EtcdRing ring, JetcdGateway gateway, int ordinal, EtcdBinaries binaries, Path file)
            throws IOException {
        try (var out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            gateway.snapshot(ring.member(ordinal).route("m" + ordinal + ".test"), LIMIT, out::write);
        }
        return new EtcdTool(binaries.snapshotTool()).run("snapshot", "status", file.toString(), "-w", "json");
    }

    private static void write(String endpoint) throws Exception {
        try (var client = Client.builder().endpoints("http://" + endpoint).build()) {
            for (int i = 0; i < WRITES; i++) {
                client.getKVClient().put(bytes("key-" + i), bytes("value")).get(10, TimeUnit.SECONDS);
            }
        }
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.US_ASCII);
    }

    private static Optional<View> view(EtcdRing ring, JetcdGateway gateway, int ordinal) {
        try {
            return Optional.of(
                    gateway.probe(ring.member(ordinal).route("m" + ordinal + ".test"), Duration.ofSeconds(4)));
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }

    private static long revision(EtcdRing ring, JetcdGateway gateway, int ordinal) {
        return view(ring, gateway, ordinal).map(v -> v.status().at().revision()).orElse(0L);
    }

    private static TreeMap<EtcdId, Integer> ids(EtcdRing ring, JetcdGateway gateway) {
        var ids = new TreeMap<EtcdId, Integer>();
        IntStream.range(0, 3)
                .forEach(o -> ids.put(view(ring, gateway, o).orElseThrow().self(), o));
        return ids;
    }

    private static int leader(EtcdRing ring, JetcdGateway gateway, TreeMap<EtcdId, Integer> ids) {
        return view(ring, gateway, 0)
                .flatMap(v -> v.status().leader())
                .map(ids::get)
                .orElseThrow();
    }

    /// What these members say, on the pods of a ring whose dead members Kubernetes knows to be dead.
    private static ClusterState seen(EtcdRing ring, JetcdGateway gateway, TreeMap<EtcdId, Integer> ids) {
        var dead = IntStream.range(0, 3).filter(o -> !ring.member(o).running()).toArray();
        var state =
                Reading.fresh(Given.ring("demo", "orders").members(3).down(dead).build(), Reading.spec(3));
        var views = new TreeMap<Integer, View>();
        IntStream.range(0, 3).forEach(o -> view(ring, gateway, o).ifPresent(v -> views.put(o, v)));
        var members = new ArrayList<MemberState>();
        for (var listed : views.firstEntry().getValue().members()) {
            int ordinal = ids.get(listed.id());
            var status = Optional.ofNullable(views.get(ordinal)).map(View::status);
            members.add(new MemberState(
                    listed.id(),
                    listed.name(),
                    listed.peerUrls(),
                    listed.clientUrls(),
                    listed.learner(),
                    status.map(Observed::known).orElseGet(() -> Observed.unknown("it is dead")),
                    Optional.of(ordinal)));
        }
        var answered = new RingState(views.firstEntry().getValue().clusterId(), members, java.util.List.of());
        return new ClusterState(
                state.ref(),
                state.kube(),
                Observed.known(answered),
                state.drift(),
                state.templateWanted(),
                state.classes());
    }
}
