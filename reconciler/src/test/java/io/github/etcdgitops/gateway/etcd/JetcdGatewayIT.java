package io.github.etcdgitops.gateway.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.EtcdGatewayContract;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingUnderTest;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdRing;
import io.github.etcdgitops.it.EtcdTool;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.Alarm;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// The contract against real processes of each version.
class JetcdGatewayIT {
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd3325 extends OnRealEtcd {
        Etcd3325() {
            super("3.3.25");
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd3423 extends OnRealEtcd {
        Etcd3423() {
            super("3.4.23");
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd3516 extends OnRealEtcd {
        Etcd3516() {
            super("3.5.16");
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd3530 extends OnRealEtcd {
        Etcd3530() {
            super("3.5.30");
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd3614 extends OnRealEtcd {
        Etcd3614() {
            super("3.6.14");
        }
    }

    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class Etcd371 extends OnRealEtcd {
        Etcd371() {
            super("3.7.1");
        }
    }

    abstract static class OnRealEtcd extends EtcdGatewayContract {
        private static final int QUOTA = 16 << 20;
        private static final Duration LIMIT = Duration.ofSeconds(30);
        private final String version;

        OnRealEtcd(String version) {
            this.version = version;
        }

        /// Listing alarms by etcd's own call would write to the raft log each time.
        @Test
        void probingWritesNothing() {
            try (var ring = found(1)) {
                Assumptions.assumeTrue(ring.version().hasLearners(), "before 3.4 alarms have to be asked for");
                long before = applied(ring);

                IntStream.range(0, 20).forEach(_ -> applied(ring));

                assertThat(applied(ring)).isLessThanOrEqualTo(before + 1);
            }
        }

        @Test
        void showsThatTheRingIsOutOfSpace() {
            var binaries = EtcdBinaries.require(version);
            try (var ring = EtcdRing.start(binaries, 1, List.of("--quota-backend-bytes=1048576"));
                    var gateway = new JetcdGateway()) {
                fill(ring.endpoints().getFirst());

                var view = gateway.probe(ring.member(0).route("m0.test"), Duration.ofSeconds(10));

                assertThat(view.alarms()).containsExactly(new Alarm(Alarm.Kind.NOSPACE, view.self()));
            }
        }

        @Test
        void etcdsOwnToolTakesTheSnapshot(@TempDir Path folder) throws IOException {
            var binaries = EtcdBinaries.require(version);
            try (var ring = found(1)) {
                List.of("a", "b", "c").forEach(ring::put);
                Path file = folder.resolve("snapshot.db");

                try (var out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                    ring.gateway().snapshot(ring.route(0), RingUnderTest.DEADLINE, out::write);
                }

                assertThat(new EtcdTool(binaries.snapshotTool())
                                .run("snapshot", "status", file.toString(), "-w", "json"))
                        .contains("\"revision\":4,");
            }
        }

        /// As FreeSpace does it: each step is needed, and in this order.
        @Test
        void makesRingOutOfSpaceWritableAgain() throws IOException {
            var binaries = EtcdBinaries.require(version);
            try (var ring = EtcdRing.start(binaries, 3, List.of("--quota-backend-bytes=" + QUOTA));
                    var gateway = new JetcdGateway()) {
                var routes = IntStream.range(0, 3)
                        .mapToObj(o -> ring.member(o).route("m" + o + ".test"))
                        .toList();
                overwrite(ring.endpoints().getFirst());
                EtcdProcess.await(
                        "the alarm at all",
                        LIMIT,
                        () -> routes.stream()
                                .noneMatch(r -> gateway.probe(r, LIMIT).alarms().isEmpty()));
                var refused = catchThrowableOfType(
                        GatewayException.class, () -> gateway.proveWrite(routes.getFirst(), LIMIT));
                assertThat(refused).hasMessageContaining("out of space");
                var read = new AtomicLong();
                gateway.snapshot(routes.getFirst(), LIMIT, bytes -> read.addAndGet(bytes.remaining()));
                assertThat(read.get()).as("what a backup is made of").isGreaterThan(QUOTA / 2);
                long revision = gateway.revision(routes.getFirst(), LIMIT);

                routes.forEach(r -> gateway.compact(r, revision - 10, LIMIT));
                routes.forEach(r -> gateway.defragment(r, LIMIT));

                assertThat(routes.stream().map(r -> gateway.probe(r, LIMIT).status()))
                        .allMatch(s -> s.dbSize() < QUOTA / 2);
                var raised = gateway.probe(routes.getFirst(), LIMIT).alarms();
                assertThat(raised).as("none goes by itself").isNotEmpty();
                raised.forEach(alarm -> gateway.disarmNoSpace(routes.get(1), alarm.member(), LIMIT));
                EtcdProcess.await(
                        "no alarm at all",
                        LIMIT,
                        () -> routes.stream()
                                .allMatch(r -> gateway.probe(r, LIMIT).alarms().isEmpty()));
                routes.forEach(r -> gateway.proveWrite(r, LIMIT));
                assertThat(gateway.revision(routes.getFirst(), LIMIT)).isEqualTo(revision);
            }
        }

        /// The same keys over and over: almost all of it is history.
        private static void overwrite(String endpoint) {
            put(endpoint, i -> i % 5);
        }

        private static long applied(RingUnderTest ring) {
            return ring.probe(0).status().appliedIndex();
        }

        /// The quota is compared with what was last committed to the file, every 100 ms: some writes go
        /// over it.
        private static void fill(String endpoint) {
            put(endpoint, i -> i);
        }

        private static void put(String endpoint, IntUnaryOperator key) {
            var block = ByteSequence.from(new byte[100_000]);
            try (var client = Client.builder()
                    .endpoints("http://" + endpoint)
                    .retryMaxAttempts(0)
                    .build()) {
                for (int i = 0; i < 1000; i++) {
                    client.getKVClient()
                            .put(ByteSequence.from(new byte[] {(byte) key.applyAsInt(i)}), block)
                            .get(10, TimeUnit.SECONDS);
                }
                throw new AssertionError("the quota was not kept");
            } catch (ExecutionException e) {
                assertThat(e).hasMessageContaining("space exceeded");
            } catch (InterruptedException | TimeoutException e) {
                throw new AssertionError("etcd did not answer", e);
            }
        }

        @Override
        protected RingUnderTest found(int voters) {
            return new RealRing(
                    EtcdVersion.parse(version).orElseThrow(),
                    EtcdRing.start(EtcdBinaries.require(version), voters),
                    new JetcdGateway());
        }
    }

    private record RealRing(EtcdVersion version, EtcdRing processes, EtcdGateway gateway) implements RingUnderTest {
        @Override
        public MemberAccess.Route route(int ordinal) {
            return member(ordinal).route("m" + ordinal + ".test");
        }

        @Override
        public MemberAccess.Route metrics(int ordinal) {
            return member(ordinal).route("m" + ordinal + ".test", MemberAccess.Door.METRICS);
        }

        @Override
        public String peerUrl(int ordinal) {
            return member(ordinal).peerUrl();
        }

        @Override
        public void startJoining(int ordinal, List<Integer> listed) {
            processes.join(member(ordinal), listed.stream().map(this::member).toList());
        }

        @Override
        public void kill(int ordinal) {
            member(ordinal).kill();
        }

        @Override
        public void restart(int ordinal) {
            processes.restart(member(ordinal));
        }

        @Override
        public void freeze(int ordinal) {
            member(ordinal).pause();
        }

        @Override
        public void put(String key) {
            client(kv -> kv.put(bytes(key), bytes("value")));
        }

        @Override
        public void compact(long revision) {
            client(kv -> kv.compact(revision));
        }

        private void client(Function<KV, CompletableFuture<?>> request) {
            try (var client = Client.builder()
                    .endpoints("http://" + processes.endpoints().getFirst())
                    .build()) {
                request.apply(client.getKVClient()).get(30, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new AssertionError("etcd did not answer", e);
            }
        }

        private static ByteSequence bytes(String text) {
            return ByteSequence.from(text, StandardCharsets.UTF_8);
        }

        @Override
        public void await(String what, BooleanSupplier condition) {
            EtcdProcess.await(what, Duration.ofSeconds(30), condition);
        }

        @Override
        public void close() {
            processes.close();
            gateway.close();
        }

        private EtcdProcess member(int ordinal) {
            while (processes.members().size() <= ordinal) {
                processes.prepare();
            }
            return processes.member(ordinal);
        }
    }
}
