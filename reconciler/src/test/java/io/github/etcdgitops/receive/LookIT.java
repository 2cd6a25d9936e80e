package io.github.etcdgitops.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.PutOption;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.gateway.kube.SecludedLook;
import io.github.etcdgitops.gateway.kube.SecludedLook.Fence;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.EtcdRing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the pod that looks into a volume does, with real etcd on the data of members that were killed: the
/// flags and the environment are those of its manifest. Each waits long for etcd to elect itself.
@Execution(ExecutionMode.CONCURRENT)
class LookIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int WRITES = 100;

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.US_ASCII);
    }

    /// One more key goes with a lease that ends seconds later.
    private static long write(String endpoint) throws Exception {
        try (var client = Client.builder().endpoints("http://" + endpoint).build()) {
            for (int i = 0; i < WRITES; i++) {
                client.getKVClient().put(bytes("key-" + i), bytes("value")).get(10, TimeUnit.SECONDS);
            }
            long lease =
                    client.getLeaseClient().grant(6).get(10, TimeUnit.SECONDS).getID();
            return client.getKVClient()
                    .put(
                            bytes("leased"),
                            bytes("value"),
                            PutOption.builder().withLeaseId(lease).build())
                    .get(10, TimeUnit.SECONDS)
                    .getHeader()
                    .getRevision();
        }
    }

    private static TreeMap<String, String> digests(Path tree) throws Exception {
        var digests = new TreeMap<String, String>();
        try (var files = Files.walk(tree)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                digests.put(
                        tree.relativize(file) + " " + Files.getLastModifiedTime(file),
                        HexFormat.of().formatHex(digest));
            }
        }
        return digests;
    }

    private static long revision(JetcdGateway gateway, EtcdProcess member) {
        try {
            return gateway.revision(member.route("m.test"), Duration.ofSeconds(2));
        } catch (GatewayException _) {
            return 0;
        }
    }

    private static Path data(EtcdProcess member) {
        return member.database().resolve("../../..").normalize();
    }

    /// Hardly anything is in the file by then: all else is in the log alone. Of the last write the log does not
    /// say yet that it was agreed on, since that is written down with the next one.
    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.23", "3.5.16", "3.5.30"})
    void reportsDataOfKilledMemberWithoutChangingIt(String version, @TempDir Path folder) throws Exception {
        var binaries = EtcdBinaries.require(version);
        var late = version.startsWith("3.3.") ? List.<String>of() : List.of("--backend-batch-interval=10m");
        try (var ring = EtcdRing.start(binaries, 3, late);
                var gateway = new JetcdGateway()) {
            long revision = write(ring.member(0).endpoint());
            EtcdProcess.await(
                    "everybody to have all of it",
                    LIMIT,
                    () -> ring.members().stream().allMatch(m -> revision(gateway, m) == revision));
            var hashes = new TreeMap<Long, Long>();
            for (long at : List.of(revision - 1, revision)) {
                hashes.put(
                        at,
                        gateway.hashKeys(ring.member(0).route("m.test"), at, Duration.ofSeconds(5))
                                .hash());
            }
            ring.members().forEach(EtcdProcess::kill);
            var before = digests(data(ring.member(1)));

            try (var look = new SecludedLook(binaries, folder, Set.of())) {
                assertThat(Copying.copy(data(ring.member(1)), look.data())).isInstanceOf(Outcome.Done.class);
                var told = look.told(gateway, LIMIT).orElseThrow();

                assertThat(told.revision()).isBetween(revision - 1, revision);
                assertThat(told.hash().orElseThrow().value()).isEqualTo(hashes.get(told.revision()));
            }
            assertThat(digests(data(ring.member(1)))).isEqualTo(before);
        }
    }

    /// Its status is root's alone in some releases, and so is the hash in all.
    @ParameterizedTest
    @ValueSource(strings = {"3.4.23", "3.5.30", "3.6.3", "3.7.1"})
    void reportsDataThatHasUsers(String version, @TempDir Path folder) throws Exception {
        var binaries = EtcdBinaries.require(version);
        try (var ring = EtcdRing.start(binaries, 3, List.of("--bcrypt-cost=4"));
                var gateway = new JetcdGateway()) {
            long revision = write(ring.member(0).endpoint());
            enableAuthentication(ring.member(0).endpoint());
            EtcdProcess.await(
                    "the neighbour to have it",
                    LIMIT,
                    () -> refuses(ring.member(1).endpoint()));
            ring.members().forEach(EtcdProcess::kill);

            try (var look = new SecludedLook(binaries, folder, Set.of())) {
                assertThat(Copying.copy(data(ring.member(1)), look.data())).isInstanceOf(Outcome.Done.class);
                var told = look.told(gateway, LIMIT).orElseThrow();

                assertThat(told.revision()).isEqualTo(revision);
                assertThat(told.hash()).isEmpty();
            }
        }
    }

    private static void enableAuthentication(String endpoint) throws Exception {
        try (var client = Client.builder().endpoints("http://" + endpoint).build()) {
            var auth = client.getAuthClient();
            auth.userAdd(bytes("root"), bytes("swordfish")).get(10, TimeUnit.SECONDS);
            auth.roleAdd(bytes("root")).get(10, TimeUnit.SECONDS);
            auth.userGrantRole(bytes("root"), bytes("root")).get(10, TimeUnit.SECONDS);
            auth.authEnable().get(10, TimeUnit.SECONDS);
        }
    }

    private static boolean refuses(String endpoint) {
        try (var client = Client.builder().endpoints("http://" + endpoint).build()) {
            client.getKVClient().get(bytes("key-0")).get(10, TimeUnit.SECONDS);
            return false;
        } catch (ExecutionException e) {
            return String.valueOf(e.getMessage()).contains("user name is empty");
        } catch (InterruptedException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /// With the ID of a member it would be heard by a survivor. The other members' place is taken by somebody
    /// who only listens, on an address for which Go takes a proxy. The copy of a member that still knows its
    /// ring calls at once where no proxy keeps it: so a call would be counted.
    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.23", "3.5.16"})
    void callsNoMemberOfTheRing(String version, @TempDir Path folder) throws Exception {
        var outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(a -> a instanceof Inet4Address && !a.isLoopbackAddress())
                .findFirst();
        assumeThat(outside).isPresent();
        var binaries = EtcdBinaries.require(version);
        try (var listener = new ServerSocket(0, 50, outside.get());
                var ring = EtcdRing.start(binaries, 3);
                var gateway = new JetcdGateway()) {
            var calls = new AtomicInteger();
            Thread.ofVirtual().start(() -> count(listener, calls));
            String url = "http://" + outside.get().getHostAddress() + ":" + listener.getLocalPort();
            long revision = movedAway(ring, gateway, url);
            ring.members().forEach(EtcdProcess::kill);
            calls.set(0);

            try (var look = copied(binaries, ring, folder.resolve("as-it-is"), Set.of())) {
                assertThat(look.told(gateway, LIMIT).orElseThrow().revision()).isBetween(revision - 1, revision);
            }
            try (var look = copied(binaries, ring, folder.resolve("proxy"), Set.of(Fence.ALONE))) {
                look.start();
                EtcdProcess.await("its calls to fail", LIMIT, () -> reachesNobody(look.log()));
            }
            assertThat(calls).hasValue(0);

            try (var look = copied(binaries, ring, folder.resolve("neither"), Set.of(Fence.ALONE, Fence.PROXY))) {
                look.start();
                EtcdProcess.await("a call", LIMIT, () -> calls.get() > 0);
            }
        }
    }

    /// The last member is said to be at `url`, and the file of the member before it says so.
    ///
    /// @return the revision of the last write
    private static long movedAway(EtcdRing ring, JetcdGateway gateway, String url) throws Exception {
        var other = gateway.probe(ring.member(2).route("m.test"), Duration.ofSeconds(5))
                .self();
        gateway.updatePeerUrls(ring.member(0).route("m.test"), other, List.of(url), Duration.ofSeconds(5));
        long first = write(ring.member(0).endpoint());
        EtcdProcess.await("the neighbour to have the address", LIMIT, () -> revision(gateway, ring.member(1)) == first);
        var then = Files.getLastModifiedTime(ring.member(1).database());
        long revision = write(ring.member(0).endpoint());
        EtcdProcess.await(
                "the neighbour to have all of it", LIMIT, () -> revision(gateway, ring.member(1)) == revision);
        // It calls whom its file names: what is in the log alone is not known yet when it starts.
        EtcdProcess.await("the address in its file", LIMIT, () -> isNewer(ring.member(1), then));
        return revision;
    }

    private static SecludedLook copied(EtcdBinaries binaries, EtcdRing ring, Path folder, Set<Fence> without)
            throws IOException {
        var look = new SecludedLook(binaries, Files.createDirectory(folder), without);
        assertThat(Copying.copy(data(ring.member(1)), look.data())).isInstanceOf(Outcome.Done.class);
        return look;
    }

    private static boolean reachesNobody(Path log) {
        try {
            String said = Files.readString(log);
            return said.contains("health check for peer") || said.contains("prober detected unhealthy status");
        } catch (IOException e) {
            throw new UncheckedIOException("the log of etcd cannot be read", e);
        }
    }

    private static boolean isNewer(EtcdProcess member, FileTime then) {
        try {
            return Files.getLastModifiedTime(member.database()).compareTo(then) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException("the database of a member cannot be looked at", e);
        }
    }

    private static void count(ServerSocket listener, AtomicInteger calls) {
        try {
            while (true) {
                listener.accept().close();
                calls.incrementAndGet();
            }
        } catch (IOException _) {
            // It was closed.
        }
    }
}
