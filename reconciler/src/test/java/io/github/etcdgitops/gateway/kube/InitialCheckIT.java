package io.github.etcdgitops.gateway.kube;

import static io.github.etcdgitops.gateway.kube.EtcdOnLoopback.peers;
import static io.github.etcdgitops.gateway.kube.EtcdOnLoopback.stop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.MemberConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// One bit of a value is another one in the file of a member of real etcd, and a healthy member restarts.
class InitialCheckIT {
    private static final String VALUE = "a-value-of-which-one-bit-is-about-to-be-another";

    /// Members know their peers at the start from a snapshot, which each writes after so many entries.
    private static final int SNAPSHOT_COUNT = 100;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"3.4.23,22.21", "3.5.16,23.21", "3.5.30,24.21"})
    void endsAHealthyMemberWhileAnotherDiffersAndStartsItWithoutTheCheck(String version, String network)
            throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        var applied =
                new Journal.Applied(Samples.version(version), new TreeMap<>(Map.of("snapshotCount", SNAPSHOT_COUNT)));
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
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
