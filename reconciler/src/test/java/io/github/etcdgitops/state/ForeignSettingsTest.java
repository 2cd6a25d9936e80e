package io.github.etcdgitops.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What a foreign member was told when it started, in our words, and where its data is.
class ForeignSettingsTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final Foreign.Variable POD_NAME =
            new Foreign.Variable("POD_NAME", Optional.empty(), Optional.of("metadata.name"));

    private static final List<String> USUAL = List.of(
            "--name=$(POD_NAME)",
            "--data-dir=/data/default.etcd",
            "--listen-peer-urls=http://0.0.0.0:2380",
            "--listen-client-urls=http://0.0.0.0:2379,http://127.0.0.1:2379");

    private static Foreign.Container container(List<String> command, List<String> args, Foreign.Variable... more) {
        var environment = new ArrayList<>(List.of(POD_NAME));
        environment.addAll(List.of(more));
        return new Foreign.Container(
                "quay.io/coreos/etcd:v3.5.16",
                command,
                args,
                environment,
                false,
                List.of(new Foreign.Mount("datadir", "/data", "")),
                new TreeMap<>());
    }

    private static Foreign.Container usually(String... more) {
        var args = new ArrayList<>(USUAL);
        args.addAll(List.of(more));
        return container(List.of("/usr/local/bin/etcd"), args);
    }

    private static Foreign.Pod pod(int ordinal) {
        String name = ORDERS.podName(ordinal);
        var state = new KubeState.PodState(
                name,
                "u" + ordinal,
                Optional.of("10.0.0.1"),
                "r1",
                false,
                new KubeState.Life(
                        true,
                        false,
                        0,
                        Optional.empty(),
                        new KubeState.Whereabouts(PodPhase.RUNNING, Optional.of("node-0"), true)));
        return new Foreign.Pod(
                name,
                Optional.of("10.0.0.1"),
                new TreeMap<>(),
                Optional.of("set"),
                Map.of("datadir", "datadir-" + name),
                state);
    }

    private static ForeignFlags flags(Foreign.Container container) {
        return ForeignFlags.of(container, pod(1), "demo");
    }

    private static ForeignSettings settings(Foreign.Container container) {
        return ForeignSettings.of(flags(container), ORDERS, 1);
    }

    @Test
    void readsFlagsInEveryFormThatEtcdTakes() {
        var read = flags(container(
                List.of("etcd", "--name", "$(POD_NAME)", "-snapshot-count=5000"), List.of("--pre-vote", "--debug")));

        assertThat(read.values())
                .containsEntry("name", "orders-1")
                .containsEntry("snapshot-count", "5000")
                .containsEntry("pre-vote", "true")
                .containsEntry("debug", "true");
        assertThat(read.obscure()).isEmpty();
    }

    @Test
    void letsAFlagRuleOverTheEnvironment() {
        var read = flags(container(
                List.of("etcd"),
                List.of("--heartbeat-interval=200"),
                new Foreign.Variable("ETCD_NAME", Optional.of("$(POD_NAME)"), Optional.empty()),
                new Foreign.Variable("ETCD_HEARTBEAT_INTERVAL", Optional.of("100"), Optional.empty()),
                new Foreign.Variable("ETCD_VERSION", Optional.of("3.5.16"), Optional.empty())));

        assertThat(read.values())
                .containsEntry("name", "orders-1")
                .containsEntry("heartbeat-interval", "200")
                .doesNotContainKey("version");
    }

    @Test
    void namesWhatItCannotRead() {
        var hidden = new Foreign.Variable("ETCD_QUOTA_BACKEND_BYTES", Optional.empty(), Optional.empty());
        var read = flags(container(List.of("etcd"), List.of("word", "--name=$(NOBODY)"), hidden));

        assertThat(read.obscure())
                .containsExactly("--name", "an argument without a flag", "the variable ETCD_QUOTA_BACKEND_BYTES");
    }

    @Test
    void knowsAShellFromEtcd() {
        assertThat(ForeignFlags.startsEtcd(container(List.of("/usr/local/bin/etcd"), List.of())))
                .isTrue();
        assertThat(ForeignFlags.startsEtcd(container(List.of(), List.of("--name=a"))))
                .isTrue();
        assertThat(ForeignFlags.startsEtcd(container(List.of("/bin/sh", "-ec"), List.of("exec etcd"))))
                .isFalse();
        assertThat(ForeignFlags.startsEtcd(container(List.of(), List.of("sh", "-c", "etcd"))))
                .isFalse();
    }

    @Test
    void findsNothingToSayOfPlainFlags() {
        var read = settings(usually("--initial-cluster-state=new", "--logger=zap"));

        assertThat(read).isEqualTo(new ForeignSettings(new TreeMap<>(), List.of(), List.of(), List.of()));
    }

    @Test
    void putsSettingsInTheWordsOfTheSchema() {
        SortedMap<String, Object> expected = new TreeMap<>(Map.of(
                "quotaBackendBytes", 8_589_934_592L,
                "heartbeatIntervalMillis", 250L,
                "electionTimeoutMillis", 2500L,
                "snapshotCount", 10_000L,
                "maxRequestBytes", 2_097_152L,
                "logLevel", "warn",
                "autoCompaction", Map.of("mode", "revision", "retention", "1000")));

        var read = settings(usually(
                "--quota-backend-bytes=8589934592",
                "--heartbeat-interval=250",
                "--election-timeout=2500",
                "--snapshot-count=10000",
                "--max-request-bytes=2097152",
                "--log-level=warn",
                "--auto-compaction-mode=revision",
                "--auto-compaction-retention=1000"));

        assertThat(read.options()).isEqualTo(expected);
        assertThat(read.unknown()).isEmpty();
    }

    @Test
    void dropsNoFlagThatItDoesNotKnow() {
        assertThat(settings(usually("--pre-vote=false", "--max-txn-ops=256", "--enable-v2=true"))
                        .unknown())
                .containsExactly("--enable-v2", "--max-txn-ops", "--pre-vote");
        assertThat(settings(usually("--snapshot-count=many")).unknown()).containsExactly("--snapshot-count");
    }

    @Test
    void refusesWhatCannotBeKept() {
        assertThat(settings(usually("--wal-dir=/wal", "--cert-file=/tls/a", "--force-new-cluster"))
                        .refused())
                .hasSize(3);
        assertThat(settings(usually("--listen-peer-urls=http://0.0.0.0:7001")).refused())
                .anySatisfy(why -> assertThat(why).contains("port 7001"));
        assertThat(settings(usually("--listen-client-urls=https://0.0.0.0:2379"))
                        .refused())
                .anySatisfy(why -> assertThat(why).contains("not plain http"));
        assertThat(settings(usually("--listen-client-urls=http://127.0.0.1:2379"))
                        .refused())
                .anySatisfy(why -> assertThat(why).contains("cannot be reached from outside"));
        assertThat(settings(usually("--name=other")).refused())
                .singleElement()
                .asString()
                .contains("--name");
    }

    @Test
    void findsTheDataOnTheVolume() {
        assertThat(directory("/data", "", "/data")).contains(".");
        assertThat(directory("/data", "", "/data/default.etcd")).contains("default.etcd");
        assertThat(directory("/data", "etcd/a", "/data/b")).contains("etcd/a/b");
        assertThat(directory("/data", "", "/database")).isEmpty();
        assertThat(directory("/data", "", "/data/../etc")).isEmpty();
        assertThat(directory("/data", "$(POD_NAME)", "/data")).isEmpty();
        assertThat(directory("/elsewhere", "", "/data")).isEmpty();
    }

    @Test
    void takesNoClaimThatThePodDoesNotMount() {
        var foreign = foreign("/data", "", "/data");

        assertThat(ForeignVolume.of(foreign, directoryFlag("/data"), 0).refusal())
                .isPresent();
    }

    private static Optional<String> directory(String mount, String subPath, String dataDir) {
        return ForeignVolume.of(foreign(mount, subPath, dataDir), directoryFlag(dataDir), 1)
                .directory();
    }

    private static ForeignFlags directoryFlag(String path) {
        return new ForeignFlags(new TreeMap<>(Map.of("data-dir", path)), List.of());
    }

    private static Foreign foreign(String mount, String subPath, String dataDir) {
        var storage = new Storage("1Gi", Optional.empty());
        var container = new Foreign.Container(
                "etcd",
                List.of("etcd"),
                List.of("--data-dir=" + dataDir),
                List.of(),
                false,
                List.of(new Foreign.Mount("datadir", mount, subPath)),
                new TreeMap<>());
        return new Foreign(
                new Foreign.Workload(
                        "set", 2, "headless", "RollingUpdate", true, new TreeMap<>(Map.of("datadir", storage))),
                new Foreign.Template(new TreeMap<>(), List.of(container), 0, new TreeMap<>()),
                new TreeMap<>(Map.of(1, pod(1))),
                new TreeMap<>(Map.of(1, new Foreign.Claim("datadir-orders-1", "c1", ClaimPhase.BOUND, storage))),
                List.of());
    }
}
