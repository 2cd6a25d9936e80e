package io.github.etcdgitops.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.EtcdGateway.View;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.WriteLoad;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.Divergence;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// One bit of a value is another one in the file of a member of real etcd: what etcd says of it, whom the
/// hashes name, and whether the ring writes again without that member.
class DivergenceIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String VALUE = "a-value-of-which-one-bit-is-about-to-be-another";
    private static final List<String> CHECKED = List.of("--experimental-corrupt-check-time=1s");

    @ParameterizedTest
    @CsvSource({
        "3.3.25, true", "3.3.25, false", "3.4.23, true", "3.4.23, false",
        "3.5.16, true", "3.5.16, false", "3.5.30, true", "3.5.30, false"
    })
    void hashesNameDivergedMemberAndRingWritesWithoutIt(String version, boolean leads) throws Exception {
        var binaries = EtcdBinaries.require(version);
        try (var ring = EtcdRing.start(binaries, 3, CHECKED);
                var gateway = new JetcdGateway()) {
            var seen = new Seen(ring, gateway);
            put(ring.member(0).endpoint());
            var load = WriteLoad.start(ring::endpoints);
            EtcdProcess.await("some writes", LIMIT, () -> load.acknowledged() > 300);
            damage(ring, seen, leads);

            EtcdProcess.await("the alarm at all", LIMIT, () -> !seen.alarms().isEmpty());
            var odd = seen.id(1);
            if (!version.startsWith("3.3")) {
                assertThat(seen.alarms()).containsExactly(new Alarm(Alarm.Kind.CORRUPT, new EtcdId(0)));
            } else if (leads) {
                // Whoever led before may have blamed it rightly, in the moment before it did.
                EtcdProcess.await(
                        "it to blame followers, also where the leader differs", LIMIT, () -> blames(seen, odd));
            } else {
                assertThat(seen.alarms()).contains(new Alarm(Alarm.Kind.CORRUPT, odd));
            }
            assertThat(refused(() -> gateway.proveWrite(seen.route(0), LIMIT))).isTrue();
            EtcdProcess.await("the hashes to name it", LIMIT, () -> seen.divergence() instanceof Divergence.Differs);
            var found = (Divergence.Differs) seen.divergence();
            assertThat(found.odd()).containsExactly(odd);
            assertThat(found.alike()).isEqualTo(2);

            replace(ring, seen, gateway, odd);

            assertThat(seen.divergence()).isInstanceOf(Divergence.Alike.class);
            seen.alarms().forEach(alarm -> gateway.disarmCorrupt(seen.route(0), alarm.member(), LIMIT));
            EtcdProcess.await("no alarm any more", LIMIT, () -> seen.alarms().isEmpty());
            long before = load.acknowledged();
            EtcdProcess.await("writes that go on", LIMIT, () -> load.acknowledged() > before + 300);
            assertThat(seen.alarms()).isEmpty();
            var result = load.stop();
            assertThat(result.lost()).isEmpty();
        }
    }

    /// One of two that are down had the wrong data. Three of five have the same, and let both go under the alarm.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.16"})
    void twoThatAreDownLeaveUnderTheAlarm(String version) throws Exception {
        var binaries = EtcdBinaries.require(version);
        try (var ring = EtcdRing.start(binaries, 5, CHECKED);
                var gateway = new JetcdGateway()) {
            var seen = new Seen(ring, gateway);
            put(ring.member(0).endpoint());
            var load = WriteLoad.start(ring::endpoints);
            EtcdProcess.await("some writes", LIMIT, () -> load.acknowledged() > 300);
            var down = List.of(seen.id(1), seen.id(4));
            damage(ring, seen, false);
            EtcdProcess.await("the alarm at all", LIMIT, () -> !seen.alarms().isEmpty());

            ring.member(1).kill();
            ring.member(4).kill();
            for (var member : down) {
                EtcdProcess.await(
                        "etcd to let it go",
                        LIMIT,
                        () -> !refused(() -> gateway.removeMember(seen.route(0), member, LIMIT)));
            }
            gateway.disarmCorrupt(seen.route(0), new EtcdId(0), LIMIT);

            EtcdProcess.await("no alarm any more", LIMIT, () -> seen.alarms().isEmpty());
            long before = load.acknowledged();
            EtcdProcess.await("writes that go on", LIMIT, () -> load.acknowledged() > before + 300);
            assertThat(seen.alarms()).isEmpty();
            assertThat(load.stop().lost()).isEmpty();
        }
    }

    /// Its ID goes, with the leadership before it; the process ends by itself and is told so when it comes
    /// back.
    private static void replace(EtcdRing ring, Seen seen, JetcdGateway gateway, EtcdId odd) {
        if (seen.leader().filter(odd::equals).isPresent()) {
            gateway.moveLeader(seen.route(1), seen.id(0), LIMIT);
        }
        EtcdProcess.await(
                "etcd to let it go", LIMIT, () -> !refused(() -> gateway.removeMember(seen.route(0), odd, LIMIT)));
        EtcdProcess.await("it to end", LIMIT, () -> !ring.member(1).running());
        ring.restart(ring.member(1));
        EtcdProcess.await(
                "it to be told that it is no member",
                LIMIT,
                () -> !ring.member(1).running());
        assertThat(ring.member(1).readLog()).contains("removed");
    }

    private static void damage(EtcdRing ring, Seen seen, boolean leads) throws IOException {
        var member = ring.member(1);
        var id = seen.id(1);
        member.stop();
        byte[] file = Files.readAllBytes(member.database());
        byte[] value = VALUE.getBytes(StandardCharsets.US_ASCII);
        int flipped = 0;
        for (int at = 0; at + value.length <= file.length; at++) {
            if (Arrays.equals(file, at, at + value.length, value, 0, value.length)) {
                file[at + 5] ^= 1;
                flipped++;
            }
        }
        assertThat(flipped).isPositive();
        Files.write(member.database(), file);
        ring.restart(member);
        member.awaitReady();
        EtcdProcess.await("it to " + (leads ? "lead" : "follow"), LIMIT, () -> {
            boolean does = seen.leader().filter(id::equals).isPresent();
            if (does != leads) {
                seen.lead(leads ? id : seen.id(0));
            }
            return does == leads;
        });
    }

    /// Whether somebody whose data is right was blamed by it. It leads meanwhile.
    private static boolean blames(Seen seen, EtcdId leader) {
        if (seen.leader().filter(leader::equals).isEmpty()) {
            seen.lead(leader);
        }
        return seen.alarms().stream().anyMatch(alarm -> !alarm.equals(new Alarm(Alarm.Kind.CORRUPT, leader)));
    }

    private static boolean refused(Runnable call) {
        try {
            call.run();
            return false;
        } catch (GatewayException e) {
            return e.kind() == GatewayException.Kind.REJECTED;
        }
    }

    private static void put(String endpoint) throws Exception {
        try (var client = Client.builder().endpoints("http://" + endpoint).build()) {
            client.getKVClient().put(bytes("damaged"), bytes(VALUE)).get(10, TimeUnit.SECONDS);
        }
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.US_ASCII);
    }

    /// What the members say, as an observer would have it on the pods of a ring of ours.
    private record Seen(EtcdRing ring, JetcdGateway gateway) {
        MemberAccess.Route route(int ordinal) {
            return ring.member(ordinal).route("m" + ordinal + ".test");
        }

        Optional<View> view(int ordinal) {
            try {
                return Optional.of(gateway.probe(route(ordinal), Duration.ofSeconds(4)));
            } catch (GatewayException _) {
                return Optional.empty();
            }
        }

        EtcdId id(int ordinal) {
            return view(ordinal).orElseThrow().self();
        }

        Optional<EtcdId> leader() {
            return view(0).flatMap(v -> v.status().leader());
        }

        void lead(EtcdId id) {
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                if (view(ordinal).map(View::self).equals(leader())) {
                    try {
                        gateway.moveLeader(route(ordinal), id, Duration.ofSeconds(4));
                    } catch (GatewayException _) {
                        // It has moved by itself; it is looked at again.
                    }
                    return;
                }
            }
        }

        TreeSet<Alarm> alarms() {
            var alarms = new TreeSet<Alarm>();
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                view(ordinal).ifPresent(v -> alarms.addAll(v.alarms()));
            }
            return alarms;
        }

        Divergence divergence() {
            var state = Reading.fresh(Given.ring("demo", "orders").members(3).build(), Reading.spec(3));
            var answered = answered();
            var read = new HashReading(
                            new VoterCall(gateway, new Direct(this)), Executors.newVirtualThreadPerTaskExecutor())
                    .of(state.ref(), state.kube(), answered, Seen::outcome);
            return read.hashes()
                    .map(hashes -> Divergence.of(
                            state.ref(), read.voters(), read.voters().size(), hashes))
                    .orElseGet(() -> compared(read));
        }

        /// Once the alarm is gone nobody asks for hashes.
        private Divergence compared(RingState read) {
            return new Divergence.Unclear("not asked: " + read.alarms());
        }

        private RingState answered() {
            var views = new TreeMap<Integer, View>();
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                int asked = ordinal;
                view(ordinal).ifPresent(v -> views.put(asked, v));
            }
            var members = new ArrayList<MemberState>();
            for (var listed : views.firstEntry().getValue().members()) {
                views.forEach((ordinal, view) -> {
                    if (view.self().equals(listed.id())) {
                        members.add(new MemberState(
                                listed.id(),
                                listed.name(),
                                listed.peerUrls(),
                                listed.clientUrls(),
                                listed.learner(),
                                Observed.known(view.status()),
                                Optional.of(ordinal)));
                    }
                });
            }
            return new RingState(views.firstEntry().getValue().clusterId(), members, List.copyOf(alarms()));
        }

        private static <T> Observed<T> outcome(Future<Observed<T>> future) {
            try {
                return future.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// Whatever address Kubernetes would say.
    private record Direct(Seen seen) implements MemberAccess {
        @Override
        public Route open(ClusterRef ref, int ordinal, String podIp, Door door) {
            return seen.route(ordinal);
        }

        @Override
        public Route open(Pod pod, int port) {
            throw new IllegalStateException("no pod of a restore is asked for");
        }

        @Override
        public void close() {}
    }
}
