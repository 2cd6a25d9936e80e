package io.github.etcdgitops.gateway.kube;

import static io.github.etcdgitops.gateway.kube.EtcdOnLoopback.peers;
import static io.github.etcdgitops.gateway.kube.EtcdOnLoopback.stop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.kv.PutResponse;
import io.github.etcdgitops.gateway.etcd.EntryLog;
import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.gateway.kube.manifest.Ports;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.receive.Copying;
import io.github.etcdgitops.receive.Outcome;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// One bit of a value is another one in the file of a member of real etcd, and a healthy member restarts.
class InitialCheckIT {
    private static final String VALUE = "a-value-of-which-one-bit-is-about-to-be-another";

    /// Members know their peers at the start from a snapshot, which each writes after so many entries.
    private static final int SNAPSHOT_COUNT = 100;

    /// etcd's SnapshotCatchUpEntries.
    private static final int KEPT_FOR_FOLLOWERS = 5_000;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"3.4.23,22.21", "3.5.16,23.21", "3.5.30,24.21", "3.6.13,25.21"})
    void endsAHealthyMemberWhileAnotherDiffersAndStartsItWithoutTheCheck(String version, String network)
            throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            var applied = applied(version);
            Process healthy = differing(etcd, applied);

            stop(healthy);
            Process refused = etcd.start(2, new MemberConfig.Sealed("a1"), applied);
            assertThat(refused.waitFor(30, TimeUnit.SECONDS)).as("exits").isTrue();
            assertThat(refused.exitValue()).isNotZero();
            assertThat(etcd.output(2)).contains("found data inconsistency with peers");

            etcd.start(2, new MemberConfig.Unchecked("a1"), applied);
            etcd.awaitHealthy(2);
            assertThat(etcd.etcdctl(2, "get", "damaged")).contains(VALUE);
        }
    }

    /// The others go on and compact meanwhile. It ends at each start before, so that nothing of that reaches
    /// it.
    @ParameterizedTest
    @CsvSource({"3.4.23,22.23", "3.5.16,23.23", "3.5.30,24.23", "3.6.13,25.23"})
    void dataOfRefusedMemberShowsDivergedMember(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        try (var etcd = new EtcdOnLoopback(version, network, folder);
                var gateway = new JetcdGateway();
                var look = new SecludedLook(EtcdBinaries.require(version), folder, Set.of())) {
            var applied = applied(version);
            stop(differing(etcd, applied));
            etcd.start(2, new MemberConfig.Sealed("a1"), applied).waitFor(30, TimeUnit.SECONDS);
            etcd.etcdctl(0, "put", "later", "v");
            etcd.etcdctl(0, "compact", Integer.toString(SNAPSHOT_COUNT));

            assertThat(Copying.copyOwn(etcd.data("a1", 2), look.data(), EntryLog::sent))
                    .isInstanceOf(Outcome.Done.class);
            var told = look.told(gateway, SNAPSHOT_COUNT, LIMIT).orElseThrow();

            var hash = told.hash().orElseThrow();
            var same = gateway.hashKeys(etcd.route(0), told.revision(), LIMIT);
            var other = gateway.hashKeys(etcd.route(1), told.revision(), LIMIT);
            assertThat(told.revision()).isGreaterThan(SNAPSHOT_COUNT);
            assertThat(List.of(same.compactRevision(), other.compactRevision())).containsOnly(hash.compactRevision());
            assertThat(same.hash()).isEqualTo(hash.value());
            assertThat(other.hash()).isNotEqualTo(hash.value());
        }
    }

    /// So its data is no proof of what it had, and its own log says so.
    @ParameterizedTest
    @CsvSource({"3.4.23,22.22", "3.5.16,23.22", "3.5.30,24.22", "3.6.13,25.22"})
    void longAbsentMemberCopiesDivergedLeader(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            var applied = applied(version);
            Process healthy = differing(etcd, applied);
            etcd.accepted(1, "get", "damaged");
            lead(etcd, 1);
            stop(healthy);
            outrun("http://127." + network + ".1:" + Ports.CLIENT);

            Process copied = etcd.start(2, new MemberConfig.Unchecked("a1"), applied);
            etcd.awaitHealthy(2);

            assertThat(etcd.accepted(0, "get", "damaged", "--consistency=s")).contains(VALUE);
            assertThat(etcd.accepted(1, "get", "damaged", "--consistency=s")).doesNotContain(VALUE);
            assertThat(etcd.accepted(2, "get", "damaged", "--consistency=s")).doesNotContain(VALUE);
            stop(copied);
            assertThat(Copying.copyOwn(etcd.data("a1", 2), folder.resolve("copy"), EntryLog::sent)
                            .message())
                    .contains("a leader sent the member a snapshot");
        }
    }

    private static MemberSettings applied(String version) {
        return new MemberSettings(Samples.version(version), new TreeMap<>(Map.of("snapshotCount", SNAPSHOT_COUNT)));
    }

    /// Three members, of which the second has other data.
    ///
    /// @return the third
    private static Process differing(EtcdOnLoopback etcd, MemberSettings applied) throws Exception {
        var founding = new MemberConfig.Founding("a1", "token-1", peers(0, 1, 2));
        etcd.start(0, founding, applied);
        Process differs = etcd.start(1, founding, applied);
        Process healthy = etcd.start(2, founding, applied);
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            etcd.awaitHealthy(ordinal);
        }
        etcd.etcdctl(0, "put", "damaged", VALUE);
        for (int entry = 0; entry <= SNAPSHOT_COUNT; entry++) {
            etcd.etcdctl(0, "put", "k" + entry, "v");
        }
        stop(differs);
        flip(etcd.data("a1", 1).resolve("member/snap/db"));
        etcd.start(1, new MemberConfig.Unchecked("a1"), applied);
        etcd.awaitHealthy(1);
        return healthy;
    }

    private static void lead(EtcdOnLoopback etcd, int ordinal) throws Exception {
        String id = field(etcd.etcdctl(ordinal, "endpoint", "status", "-w", "fields"), "MemberID");
        for (int from = 0; from < 3; from++) {
            String status = etcd.etcdctl(from, "endpoint", "status", "-w", "fields");
            if (field(status, "Leader").equals(field(status, "MemberID")) && from != ordinal) {
                etcd.accepted(from, "move-leader", Long.toHexString(Long.parseUnsignedLong(id)));
            }
        }
    }

    private static String field(String fields, String name) {
        return fields.lines()
                .filter(line -> line.startsWith("\"" + name + "\""))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    /// More entries than the leader keeps for a follower.
    private static void outrun(String endpoint) throws Exception {
        try (var client = Client.builder().endpoints(endpoint).build()) {
            var puts = new ArrayList<CompletableFuture<PutResponse>>();
            for (int entry = 0; entry < 2 * KEPT_FOR_FOLLOWERS; entry++) {
                puts.add(client.getKVClient().put(bytes("more-" + entry % 100), bytes("v")));
                if (puts.size() == SNAPSHOT_COUNT) {
                    CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new))
                            .get(1, TimeUnit.MINUTES);
                    puts.clear();
                }
            }
        }
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.US_ASCII);
    }

    private static void flip(Path file) throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        byte[] value = VALUE.getBytes(StandardCharsets.US_ASCII);
        int flipped = 0;
        for (int at = 0; at + value.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + value.length, value, 0, value.length)) {
                bytes[at + 5] ^= 1;
                flipped++;
            }
        }
        assertThat(flipped).isPositive();
        Files.write(file, bytes);
    }
}
