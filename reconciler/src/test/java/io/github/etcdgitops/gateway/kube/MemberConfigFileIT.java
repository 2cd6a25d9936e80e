package io.github.etcdgitops.gateway.kube;

import static io.github.etcdgitops.gateway.kube.EtcdOnLoopback.peers;
import static io.github.etcdgitops.gateway.kube.EtcdOnLoopback.stop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.etcdgitops.gateway.etcd.JetcdGateway;
import io.github.etcdgitops.gateway.kube.manifest.EtcdFeatures;
import io.github.etcdgitops.gateway.kube.manifest.Ports;
import io.github.etcdgitops.it.SigningKeys;
import io.github.etcdgitops.ring.roll.UnusedSettings;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.auth.User.SecretRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What real etcd does with rendered files. The second column is the test's own part of 127.0.0.0/8.
class MemberConfigFileIT {
    private static final Duration CALL = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"3.3.25,21.1", "3.4.23,22.1", "3.5.16,23.1", "3.5.30,24.1", "3.6.14,25.1", "3.7.1,26.1"})
    void takesARingFromItsFoundingToSealedRestarts(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        var applied = applied(version);
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            var founding = new MemberConfig.Founding("a1", "token-1", peers(0, 1));
            Process first = etcd.start(0, founding, applied);
            Process second = etcd.start(1, founding, applied);
            etcd.awaitHealthy(0);
            etcd.awaitHealthy(1);
            etcd.etcdctl(0, "put", "k", "kept");

            String url = etcd.onLoopback(
                    2, Transport.PLAIN.peerUrls(Samples.ORDERS, 2).getFirst());
            boolean learns = applied.version().hasLearners();
            String kind = learns ? "--learner" : "--peer-urls=" + url;
            String added = etcd.accepted(0, "member", "add", "orders-2", "--peer-urls=" + url, kind);
            etcd.start(2, new MemberConfig.Joining("b1", peers(0, 1, 2)), applied);
            if (learns) {
                var id = Pattern.compile("Member +([0-9a-f]+) added").matcher(added);
                assertThat(id.find()).as(added).isTrue();
                etcd.accepted(0, "member", "promote", id.group(1));
            }
            etcd.awaitHealthy(2);

            stop(first);
            stop(second);
            etcd.start(0, new MemberConfig.Sealed("a1"), applied);
            etcd.start(1, new MemberConfig.Sealed("a1"), applied);
            etcd.awaitHealthy(0);
            etcd.awaitHealthy(1);

            assertThat(etcd.etcdctl(0, "get", "k")).contains("kept");
            assertThat(etcd.etcdctl(1, "member", "list").lines().filter(line -> line.contains("started")))
                    .hasSize(3);
        }
    }

    @ParameterizedTest
    @CsvSource({"3.3.25,21.2", "3.4.23,22.2", "3.5.16,23.2", "3.5.30,24.2", "3.6.14,25.2", "3.7.1,26.2"})
    void sealedMemberRefusesToStartOnEmptyDisk(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            Process member = etcd.start(0, new MemberConfig.Sealed("a1"), applied(version));

            assertThat(member.waitFor(20, TimeUnit.SECONDS)).as("exits").isTrue();
            assertThat(member.exitValue()).isNotZero();
            assertThat(etcd.output(0)).contains("cannot fetch cluster info from peer urls");
            assertThat(etcd.data("a1", 0).resolve("member/wal")).doesNotExist();
        }
    }

    @ParameterizedTest
    @CsvSource({"3.3.25,21.3", "3.4.23,22.3", "3.5.16,23.3", "3.5.30,24.3", "3.6.14,25.3", "3.7.1,26.3"})
    void etcdKnowsEveryKeyAndAcceptsEveryOption(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        var applied = new MemberSettings(Samples.version(version), Samples.ALL_OPTIONS);
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            var founding = new MemberConfig.Founding("a1", "token-1", peers(0));
            etcd.start(0, founding, applied);
            etcd.awaitHealthy(0);

            assertThat(etcd.versionOverHttp(0)).contains(version);
            assertThat(keys(folder.resolve("orders-0.yaml")))
                    .allSatisfy(key -> assertThat(known(version, key)).as(key).isTrue());
            assertThat(etcd.output(0))
                    .doesNotContainIgnoringCase("unrecognized")
                    .doesNotContainIgnoringCase("unknown");
            String said = etcd.output(0);
            if (version.startsWith("3.3")) {
                assertThat(said).contains("heartbeat = 200ms", "election = 2400ms", "snapshot count = 20000");
            } else {
                assertThat(said)
                        .contains("\"heartbeat-interval\":\"200ms\"", "\"election-timeout\":\"2.4s\"")
                        .contains("\"snapshot-count\":20000", corruptCheck(version))
                        .contains("\"quota-backend-bytes\":4294967296", "\"max-request-bytes\":2097152")
                        .contains("\"auto-compaction-mode\":\"revision\"");
            }
        }
    }

    /// The key is that of a Secret, which the pod has as a file.
    @ParameterizedTest
    @CsvSource({"3.4.23,22.9", "3.5.16,23.9", "3.5.30,24.9", "3.6.14,25.9", "3.7.1,26.9"})
    void etcdSignsTokensWithAKeyOfEachKind(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            MemberConfig start = new MemberConfig.Founding("a1", "token-1", peers(0));
            for (var method : TokenKey.Method.values()) {
                var key = new TokenKey(new SecretRef("orders-token", "tls.key"), method, 300);
                var options = new TreeMap<String, Object>(Map.of(TokenKey.OPTION, key.option()));
                Files.writeString(folder.resolve("key.pem"), SigningKeys.of(method));
                Process member = etcd.start(0, start, new MemberSettings(Samples.version(version), options));
                etcd.awaitHealthy(0);
                if (start instanceof MemberConfig.Founding) {
                    etcd.etcdctl(0, "user", "add", "root:swordfish");
                    etcd.etcdctl(0, "user", "grant-role", "root", "root");
                    etcd.etcdctl(0, "auth", "enable");
                }
                etcd.etcdctl(0, "--user=root:swordfish", "put", "k", method.wire());
                assertThat(etcd.etcdctl(0, "--user=root:swordfish", "get", "k")).contains(method.wire());
                stop(member);
                start = new MemberConfig.Sealed("a1");
            }
        }
    }

    /// With suites that only a caller of TLS 1.2 would use, members in plain text start as well.
    @ParameterizedTest
    @CsvSource({"3.4.23,22.8", "3.5.30,24.8", "3.6.14,25.8", "3.7.1,26.8"})
    void etcdStartsWithTypedSettingsOfItsVersion(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        var applied = new MemberSettings(Samples.version(version), Samples.settingsOf(version));
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            etcd.start(0, new MemberConfig.Founding("a1", "token-1", peers(0)), applied);
            etcd.awaitHealthy(0);

            assertThat(keys(folder.resolve("orders-0.yaml")))
                    .allSatisfy(key -> assertThat(known(version, key)).as(key).isTrue())
                    .contains("max-txn-ops", "cipher-suites", "max-concurrent-streams");
            etcd.etcdctl(0, "put", "k", "kept");
            assertThat(etcd.etcdctl(0, "get", "k")).contains("kept");
        }
    }

    /// A file whose keys etcd does not know starts a member that looks healthy. What it runs with is in its answers
    /// alone.
    @ParameterizedTest
    @CsvSource({"3.4.23,22.9", "3.5.30,24.9", "3.5.33,27.9", "3.6.14,25.9", "3.7.1,26.9"})
    void memberTellsThatItIgnoresItsFile(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        var wanted =
                new MemberSettings(Samples.version(version), new TreeMap<>(Map.of("quotaBackendBytes", 4294967296L)));
        try (var etcd = new EtcdOnLoopback(version, network, folder);
                var gateway = new JetcdGateway()) {
            var founding = new MemberConfig.Founding("a1", "token-1", peers(0));
            var member = etcd.start(0, founding, wanted);
            etcd.awaitHealthy(0);
            assertThat(UnusedSettings.of(wanted, gateway.settings(etcd.metrics(0), CALL)))
                    .isEmpty();

            stop(member);
            etcd.restartWith(0, text -> text.replace("quota-backend-bytes", "quota-backend-octets"));
            etcd.awaitHealthy(0);

            var told = gateway.settings(etcd.metrics(0), CALL);
            assertThat(UnusedSettings.of(wanted, told))
                    .contains("quotaBackendBytes is 2147483648 instead of 4294967296");
            var status = gateway.probe(etcd.route(0), CALL).status();
            assertThat(status.storage().quota())
                    .isEqualTo(wanted.version().atLeast(3, 6, 0) ? told.quota() : Optional.empty());
        }
    }

    /// An old key of a gate is ignored by 3.7 and read by 3.6, which refuses it beside the new one.
    @ParameterizedTest
    @CsvSource({"3.6.14,25.10,true", "3.7.1,26.10,false"})
    void memberTellsWhichGatesAreOn(String version, String network, boolean read) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        var wanted = Samples.gated(version);
        try (var etcd = new EtcdOnLoopback(version, network, folder);
                var gateway = new JetcdGateway()) {
            var member = etcd.start(0, new MemberConfig.Founding("a1", "token-1", peers(0)), wanted);
            etcd.awaitHealthy(0);
            assertThat(UnusedSettings.of(wanted, gateway.settings(etcd.metrics(0), CALL)))
                    .isEmpty();

            stop(member);
            etcd.restartWith(
                    0,
                    text -> text.replaceAll(
                            "(?m)^feature-gates: .*$", "experimental-compact-hash-check-enabled: true"));
            etcd.awaitHealthy(0);

            assertThat(gateway.settings(etcd.metrics(0), CALL).features())
                    .containsEntry(FeatureGate.COMPACT_HASH_CHECK, read)
                    .containsEntry(FeatureGate.STOP_GRPC_SERVICE_ON_DEFRAG, false);
        }
    }

    /// A key of the wrong type is refused by a version that has the key, and passed over by one that has
    /// not: so the catalogue's first versions are what etcd itself says.
    @ParameterizedTest
    @CsvSource({"3.3.25,21.5", "3.4.23,22.5", "3.5.16,23.5", "3.5.30,24.5"})
    void etcdVersionHasGatesOfCatalogue(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        for (var gate : FeatureGate.values()) {
            if (gate.isOfEtcd()) {
                assertThat(known(version, EtcdFeatures.key(gate)))
                        .as(gate + " in " + version)
                        .isEqualTo(gate.isIn(Samples.version(version)));
            }
        }
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            etcd.start(0, new MemberConfig.Founding("a1", "token-1", peers(0)), Samples.gated(version));
            etcd.awaitHealthy(0);

            assertThat(keys(folder.resolve("orders-0.yaml")))
                    .allSatisfy(key -> assertThat(known(version, key)).as(key).isTrue());
            if (FeatureGate.COMPACT_HASH_CHECK.isIn(Samples.version(version))) {
                assertThat(etcd.output(0)).contains("\"compact-check-time-enabled\":true");
            }
        }
    }

    /// On and off again; in between members with the gate and without it stand side by side.
    @ParameterizedTest
    @CsvSource({"3.5.16,23.7", "3.5.30,24.7"})
    void membersGetAGateAndLoseItOneByOne(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        var plain = Samples.applied(version);
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            var founding = new MemberConfig.Founding("a1", "token-1", peers(0, 1, 2));
            var running = new ArrayList<Process>();
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                running.add(etcd.start(ordinal, founding, plain));
            }
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                etcd.awaitHealthy(ordinal);
            }
            for (var target : List.of(Samples.gated(version), plain)) {
                for (int ordinal = 2; ordinal >= 0; ordinal--) {
                    stop(running.get(ordinal));
                    running.set(ordinal, etcd.start(ordinal, new MemberConfig.Sealed("a1"), target));
                    etcd.awaitHealthy(ordinal);
                    boolean on = !target.features().isEmpty();
                    assertThat(etcd.output(ordinal)).contains("\"compact-check-time-enabled\":" + on);
                    etcd.accepted(ordinal, "put", "k", version + ordinal + on);
                    assertThat(etcd.etcdctl((ordinal + 1) % 3, "get", "k")).contains(version + ordinal + on);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"3.5.16,23.6", "3.5.30,24.6"})
    void etcdReadsEveryGateAsBooleanFromFile(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        for (var gate : FeatureGate.values()) {
            if (gate.isOfEtcd()) {
                String refused = EtcdOnLoopback.refusal(version, folder, EtcdFeatures.key(gate) + ": {no: boolean}\n");

                assertThat(refused).contains("cannot unmarshal", EtcdFeatures.key(gate) + " of type bool");
            }
        }
    }

    /// Why the probes of old versions look at the metrics port: it is open without quorum, where
    /// `/health` fails.
    @ParameterizedTest
    @CsvSource({"3.3.25,21.4", "3.4.23,22.4", "3.5.16,23.4", "3.5.30,24.4"})
    void memberWithoutQuorumIsLiveAndNotReady(String version, String network) throws Exception {
        assumeTrue(EtcdOnLoopback.present(version));
        try (var etcd = new EtcdOnLoopback(version, network, folder)) {
            etcd.start(0, new MemberConfig.Founding("a1", "token-1", peers(0, 1)), applied(version));
            etcd.await("the metrics port opens", () -> etcd.accepts(0, Ports.METRICS));

            assertThat(etcd.status(0, "/health")).isNotEqualTo(200);
            if (Samples.version(version).hasLivez()) {
                assertThat(etcd.status(0, "/livez")).isEqualTo(200);
                assertThat(etcd.status(0, "/readyz")).isNotEqualTo(200);
            }
        }
    }

    private static MemberSettings applied(String version) {
        return new MemberSettings(
                Samples.version(version),
                new TreeMap<>(Map.of("heartbeatIntervalMillis", 200, "electionTimeoutMillis", 2000)));
    }

    private static List<String> keys(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.substring(0, line.indexOf(':')))
                .toList();
    }

    private static String corruptCheck(String version) {
        return Samples.version(version).atLeast(3, 6, 0)
                ? "\"feature-gates\":\"InitialCorruptCheck=true\""
                : "\"initial-corrupt-check\":true";
    }

    /// etcd ignores keys that it does not know, without a word. What it knows is in the binary, as the
    /// tags of the structure that the file is read into.
    private static boolean known(String version, String key) {
        return EtcdOnLoopback.tags(version).contains(key);
    }
}
