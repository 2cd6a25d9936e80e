package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.gateway.kube.manifest.ConfigMapManifests;
import io.github.etcdgitops.gateway.kube.manifest.MemberConfigFile;
import io.github.etcdgitops.golden.Golden;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MemberConfigFileTest {
    private static final Golden GOLDEN = new Golden("manifests/members");
    private static final ClusterRef ORDERS = Samples.ORDERS;

    @AfterAll
    static void everyGoldenFileWasRead() {
        GOLDEN.assertAllUsed();
    }

    static List<MemberConfig> configs() {
        return List.of(
                new MemberConfig.Founding("a1", "token-1", peers(0, 1, 2)),
                new MemberConfig.Joining("a1", peers(0, 1, 2, 10)),
                new MemberConfig.Sealed("a1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.23", "3.5.16", "3.5.30", "3.6.0"})
    void writesTheFileOfEachVersion(String version) {
        var plain = Samples.applied(version);
        var options = new MemberSettings(Samples.version(version), Samples.ALL_OPTIONS);

        for (MemberConfig config : configs()) {
            String kind = config.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            GOLDEN.assertMatches(version + "/" + kind + ".yaml", MemberConfigFile.write(ORDERS, 1, config, plain));
        }
        GOLDEN.assertMatches(
                version + "/options.yaml", MemberConfigFile.write(ORDERS, 1, new MemberConfig.Sealed("a1"), options));
    }

    /// etcd ignores a setting that it does not have without a word.
    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.23", "3.5.16", "3.6.14", "3.7.1"})
    void everySettingIsOneOfItsVersion(String version) {
        var release = Samples.version(version);
        var all = new TreeMap<>(Samples.ALL_OPTIONS);
        all.putAll(Samples.settingsOf(version));
        var applied = new MemberSettings(release, all).with(new Transport(Transport.Mode.MIXED, Transport.Mode.MIXED));

        for (MemberConfig config : configs()) {
            var keys = MemberConfigFile.write(ORDERS, 1, config, applied)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.substring(0, line.indexOf(':')))
                    .toList();
            assertThat(keys)
                    .hasSizeGreaterThan(20)
                    .allSatisfy(key -> assertThat(Releases.KNOWN.hasSetting(release, key))
                            .as(key)
                            .isTrue());
        }
    }

    @Test
    void writesAndReadsListsAndOtherSettings() {
        var applied = new MemberSettings(Samples.version("3.6.14"), Samples.settingsOf("3.6.14"));
        String file = MemberConfigFile.write(ORDERS, 1, new MemberConfig.Sealed("a1"), applied);

        assertThat(file)
                .contains("\ncipher-suites: [\"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256\"]\n")
                .contains("\nmax-concurrent-streams: 1000\n", "\ncompaction-batch-limit: 500\n")
                .contains("\nenable-distributed-tracing: true\n");
        assertThat(MemberConfigFile.read(file)).contains(new MemberConfig.Sealed("a1"));
    }

    @Test
    void earlierVersionsHaveExperimentalSettings() {
        var applied = new MemberSettings(Samples.version("3.5.30"), Samples.settingsOf("3.5.30"));

        assertThat(MemberConfigFile.write(ORDERS, 1, new MemberConfig.Sealed("a1"), applied))
                .contains("\nexperimental-compaction-batch-limit: 500\n")
                .contains("\nexperimental-distributed-tracing-address: \"127.0.0.1:4317\"\n")
                .doesNotContain("\ncompaction-batch-limit");
    }

    @ParameterizedTest
    @CsvSource({
        "3.4.23, experimental-initial-corrupt-check: false",
        "3.5.30, experimental-initial-corrupt-check: false",
        "3.6.0, 'feature-gates: \"InitialCorruptCheck=false\"'"
    })
    void leavesOnlyTheCheckOutOfAMemberThatStartsWithoutIt(String version, String line) {
        var unchecked = new MemberConfig.Unchecked("a1");
        String file = MemberConfigFile.write(ORDERS, 1, unchecked, Samples.applied(version));

        assertThat(file).contains(line + "\n");
        assertThat(MemberConfigFile.read(file)).contains(unchecked);
        assertThat(file.replace("=false", "=true").replace("check: false", "check: true"))
                .isEqualTo(MemberConfigFile.write(ORDERS, 1, new MemberConfig.Sealed("a1"), Samples.applied(version)));
    }

    /// A version has the gates that it knows, and from 3.6 on all of them together.
    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.5.13", "3.5.16", "3.6.0"})
    void writesFeatureGates(String version) {
        var applied = Samples.gated(version);

        GOLDEN.assertMatches(
                version + "/features.yaml", MemberConfigFile.write(ORDERS, 1, new MemberConfig.Sealed("a1"), applied));
    }

    @Test
    void refusesToWriteGateThatEtcdDoesNotHave() {
        var applied = new MemberSettings(
                Samples.version("3.5.16"),
                new TreeMap<>(),
                Optional.empty(),
                Transport.PLAIN,
                Authorities.FIRST,
                new TreeSet<>(Set.of(FeatureGate.PEER_TLS)));

        assertThatThrownBy(() -> MemberConfigFile.write(ORDERS, 1, new MemberConfig.Sealed("a1"), applied))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PeerTls");
    }

    @Test
    void gateChangesTemplateDigest() {
        assertThat(ConfigMapManifests.digest(Samples.gated("3.5.16")))
                .isNotEqualTo(ConfigMapManifests.digest(Samples.applied("3.5.16")));
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.Mode.class,
            names = {"MIXED", "MUTUAL"})
    void writesHowAMemberTalks(Transport.Mode mode) {
        var applied = Samples.applied("3.5.16").with(new Transport(mode, mode));

        String file = MemberConfigFile.write(ORDERS, 1, new MemberConfig.Sealed("a1"), applied);

        GOLDEN.assertMatches("tls/" + Transport.name(mode) + ".yaml", file);
        assertThat(MemberConfigFile.read(file)).contains(new MemberConfig.Sealed("a1"));
    }

    @ParameterizedTest
    @MethodSource("configs")
    void tellsFromTheFileHowTheMemberStarts(MemberConfig config) {
        String file = MemberConfigFile.write(ORDERS, 1, config, Samples.applied("3.5.16"));

        assertThat(MemberConfigFile.read(file)).contains(config);
    }

    /// Files as we write them are read line by line. That must not make a difference, whatever was changed in them;
    /// the comment makes YAML of them.
    @ParameterizedTest
    @MethodSource("configs")
    void readsOwnFileLikeAnyYaml(MemberConfig config) {
        var applied = Samples.gated("3.5.16").with(new Transport(Transport.Mode.MUTUAL, Transport.Mode.MUTUAL));
        String file = MemberConfigFile.write(ORDERS, 1, config, applied);

        for (int at = 0; at < file.length(); at++) {
            for (String odd : List.of("", "\"", "\\", "#", " ", ":", ",", "{", "\t", "\n", "\u0000", "é", "0", "-")) {
                String changed = file.substring(0, at) + odd + file.substring(at + 1);
                assertThat(MemberConfigFile.read(changed))
                        .as(changed)
                        .isEqualTo(MemberConfigFile.read("# as YAML\n" + changed));
            }
        }
    }

    @Test
    void readsReformattedFile() {
        String file = MemberConfigFile.write(ORDERS, 0, new MemberConfig.Sealed("a1"), Samples.applied("3.5.16"))
                .replace("initial-cluster-state: \"existing\"", "initial-cluster-state: 'existing' # sealed");

        assertThat(MemberConfigFile.read(file)).contains(new MemberConfig.Sealed("a1"));
    }

    @Test
    void keepsBothPeerUrlsOfAMember() {
        var peers = peers(0, 1);
        peers.put(1, "http://one:2380,https://one:2381");
        var config = new MemberConfig.Joining("a1", peers);

        String file = MemberConfigFile.write(ORDERS, 1, config, Samples.applied("3.5.16"));

        assertThat(file)
                .contains("orders-1=http://one:2380,orders-1=https://one:2381")
                .contains("initial-advertise-peer-urls: \"http://one:2380,https://one:2381\"");
        assertThat(MemberConfigFile.read(file)).contains(config);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "name: [",
                "name: orders-1",
                "name: orders-1\nname: orders-2",
                "name: orders-1\ndata-dir: /elsewhere/a1\ninitial-cluster-state: new\ninitial-cluster: orders-1=x",
                "name: orders-1\ndata-dir: /var/lib/etcd/a/../b\ninitial-cluster-state: existing\n"
                        + "initial-cluster: orders-1=x",
                "name: orders-1\ndata-dir: /var/lib/etcd/a/b\ninitial-cluster-state: existing\n"
                        + "initial-cluster: orders-1=x,orders-2=y",
                "name: orders-1\ndata-dir: /var/lib/etcd\ninitial-cluster-state: new\n"
                        + "initial-cluster: orders-1=x\ninitial-cluster-token: t",
                "name: orders-1\ndata-dir: /var/lib/etcd/a\ninitial-cluster-state: existing\n"
                        + "initial-cluster: orders-2=x",
                "name: orders-1\ndata-dir: /var/lib/etcd/a\ninitial-cluster-state: existing\n"
                        + "initial-cluster: orders-1=x,others-2=y",
                "name: orders-1\ndata-dir: /var/lib/etcd/a\ninitial-cluster-state: new\ninitial-cluster: orders-1=x",
                "name: orders-1\ndata-dir: /var/lib/etcd/a\ninitial-cluster-state: old\ninitial-cluster: orders-1=x",
            })
    void concludesNothingFromAForeignFile(String file) {
        assertThat(MemberConfigFile.read(file)).isEmpty();
    }

    @Test
    void refusesToStartAMemberThatIsNotInItsOwnList() {
        var config = new MemberConfig.Founding("a1", "t", peers(0, 2));

        assertThatThrownBy(() -> MemberConfigFile.write(ORDERS, 1, config, Samples.applied("3.5.16")))
                .hasMessageContaining("member 1");
    }

    @Test
    void refusesEmptyJoin() {
        var config = new MemberConfig.Joining("a1", peers(1));

        assertThatThrownBy(() -> MemberConfigFile.write(ORDERS, 1, config, Samples.applied("3.5.16")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /// Its data is where somebody else has put it, and it never begins anew there.
    @ParameterizedTest
    @CsvSource({".,/var/lib/etcd", "default.etcd,/var/lib/etcd/default.etcd", "a/b,/var/lib/etcd/a/b"})
    void sealsAMemberThatWasTakenOverWhereItsDataIs(String incarnation, String directory) {
        var config = new MemberConfig.Sealed(incarnation);

        String file = MemberConfigFile.write(ORDERS, 1, config, Samples.applied("3.5.16"));

        assertThat(file).contains("data-dir: \"" + directory + "\"\n");
        assertThat(MemberConfigFile.read(file)).contains(config);
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "a/b"})
    void startsNoMemberOnForeignData(String incarnation) {
        var config = new MemberConfig.Joining(incarnation, peers(0, 1));

        assertThatThrownBy(() -> MemberConfigFile.write(ORDERS, 1, config, Samples.applied("3.5.16")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "a/../b", "a//b", "/a", "a/", "a b", ".a", "a/.b"})
    void refusesAnIncarnationThatIsNoFolder(String incarnation) {
        var config = new MemberConfig.Sealed(incarnation);

        assertThatThrownBy(() -> MemberConfigFile.write(ORDERS, 1, config, Samples.applied("3.5.16")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesAnOptionThatItCannotTranslate() {
        var applied = new MemberSettings(Samples.version("3.5.16"), new TreeMap<>(Map.of("quota", 1)));

        assertThatThrownBy(() -> MemberConfigFile.write(ORDERS, 1, new MemberConfig.Sealed("a1"), applied))
                .hasMessageContaining("quota");
    }

    private static SortedMap<Integer, String> peers(int... ordinals) {
        var peers = new TreeMap<Integer, String>();
        for (int ordinal : ordinals) {
            peers.put(ordinal, Transport.PLAIN.peerUrls(ORDERS, ordinal).getFirst());
        }
        return peers;
    }
}
