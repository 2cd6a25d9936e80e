package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.manifest.MemberConfigFile;
import io.github.etcdgitops.gateway.kube.manifest.PodManifest;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.golden.Golden;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.auth.User.SecretRef;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Image;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Server;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RingManifestsTest {
    private static final Golden GOLDEN = new Golden("manifests/objects");

    @AfterAll
    static void everyGoldenFileWasRead() {
        GOLDEN.assertAllUsed();
    }

    @ParameterizedTest
    @EnumSource
    void rendersEveryManagedObject(ManagedObject object) {
        String file = object.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".yaml";

        GOLDEN.assertMatches(
                "defaults/" + file, Rendered.yaml(RingManifests.render(object, Samples.defaults("3.5.16"))));
        GOLDEN.assertMatches("full/" + file, Rendered.yaml(RingManifests.render(object, Samples.full())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.13", "3.4.23", "3.5.16", "3.5.30", "3.6.0"})
    void rendersTheStatefulSetOfEachVersion(String version) {
        GOLDEN.assertMatches(
                "defaults/stateful-set-" + version + ".yaml",
                Rendered.yaml(RingManifests.statefulSet(Samples.defaults(version), 3)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.Mode.class,
            names = {"MIXED", "MUTUAL"})
    void rendersARingThatTalksOverTls(Transport.Mode mode) {
        var plain = Samples.defaults("3.4.13");
        var wanted = new RingObjects(
                plain.spec(),
                plain.applied().with(new Transport(mode, mode)),
                3,
                2,
                1,
                Optional.of("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"));

        for (var object : List.of(ManagedObject.PEER_SERVICE, ManagedObject.NETWORK_POLICY, ManagedObject.CONNECTION)) {
            String file = object.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".yaml";
            GOLDEN.assertMatches(
                    Transport.name(mode) + "/" + file, Rendered.yaml(RingManifests.render(object, wanted)));
        }
        GOLDEN.assertMatches(
                Transport.name(mode) + "/stateful-set.yaml", Rendered.yaml(RingManifests.statefulSet(wanted, 3)));
    }

    @Test
    void rendersARingWhoseTokensAreSigned() {
        var plain = Samples.defaults("3.5.30");
        var options = new TreeMap<>(plain.applied().options());
        options.put(
                TokenKey.OPTION,
                new TokenKey(new SecretRef("orders-token", "tls.key"), TokenKey.Method.ES256, 600).option());
        var applied = new MemberSettings(plain.applied().version(), options);
        var wanted = new RingObjects(plain.spec(), applied, 3, 2, 1);

        GOLDEN.assertMatches("token/stateful-set.yaml", Rendered.yaml(RingManifests.statefulSet(wanted, 3)));
        assertThat(MemberConfigFile.write(Samples.ORDERS, 0, new MemberConfig.Sealed("a1"), applied))
                .contains("auth-token: \"jwt,priv-key=/etc/etcd/token/key.pem,sign-method=ES256,ttl=600s\"");
        var former = new MemberSettings(EtcdVersion.parse("3.3.25").orElseThrow(), options);
        assertThat(MemberConfigFile.write(Samples.ORDERS, 0, new MemberConfig.Sealed("a1"), former))
                .doesNotContain("auth-token");
    }

    @Test
    void rendersTheStatefulSetOfAFullSpec() {
        GOLDEN.assertMatches("full/stateful-set.yaml", Rendered.yaml(RingManifests.statefulSet(Samples.full(), 5)));
    }

    @Test
    void rendersTheMembersConfigMap() {
        var applied = Samples.applied("3.5.16");
        var files = new TreeMap<Integer, String>();
        files.put(0, MemberConfigFile.write(Samples.ORDERS, 0, new MemberConfig.Sealed("a1"), applied));
        files.put(10, MemberConfigFile.write(Samples.ORDERS, 10, new MemberConfig.Sealed("b2"), applied));

        GOLDEN.assertMatches("defaults/members.yaml", Rendered.yaml(RingManifests.members(Samples.ORDERS, files, 4)));
    }

    @Test
    void pinsThePartitionToTheReplicas() {
        var spec = set(Samples.defaults("3.5.16"), 4).getSpec();

        assertThat(spec.getReplicas()).isEqualTo(4);
        assertThat(spec.getUpdateStrategy().getRollingUpdate().getPartition()).isEqualTo(4);
    }

    @Test
    void digestsTheTemplateAlone() {
        var wanted = Samples.full();
        var laterAndLarger = new RingObjects(wanted.spec(), wanted.applied(), 7, 5, 99);
        var upgraded = new RingObjects(wanted.spec(), Samples.applied("3.5.16"), 5, 3, 7);

        assertThat(PodManifest.digest(laterAndLarger)).isEqualTo(PodManifest.digest(wanted));
        assertThat(PodManifest.digest(upgraded)).isNotEqualTo(PodManifest.digest(wanted));
        assertThat(set(wanted, 5).getMetadata().getAnnotations())
                .containsEntry(Labels.TEMPLATE_DIGEST, PodManifest.digest(wanted));
    }

    /// A Secret that happens to have the name of one of the ring's is somebody else's.
    @ParameterizedTest
    @CsvSource({
        "PLAIN, PLAIN, ''",
        "MIXED, PLAIN, peer",
        "PLAIN, MIXED, server client",
        "MUTUAL, MUTUAL, peer server client"
    })
    void mountsTheSecretsOfTheTransportAlone(Transport.Mode peer, Transport.Mode client, String kinds) {
        var ring = Samples.defaults("3.5.16");
        var applied = new MemberSettings(
                ring.applied().version(),
                new TreeMap<>(),
                Optional.empty(),
                new Transport(peer, client),
                Authorities.FIRST,
                new TreeSet<>());
        var wanted = new RingObjects(ring.spec(), applied, 3, 2, 1);

        var pod = set(wanted, 3).getSpec().getTemplate().getSpec();

        var expected = kinds.isEmpty() ? List.<String>of() : List.of(kinds.split(" "));
        assertThat(pod.getVolumes())
                .filteredOn(volume -> volume.getSecret() != null)
                .extracting(volume -> volume.getSecret().getSecretName())
                .containsExactlyElementsOf(
                        expected.stream().map(k -> "orders-" + k + "-tls").toList());
        assertThat(pod.getContainers().getFirst().getVolumeMounts())
                .filteredOn(mount -> mount.getMountPath().startsWith("/etc/etcd/tls/"))
                .hasSameSizeAs(expected);
    }

    /// The digest that 0.1 wrote, when every template had all Secrets: no ring is restarted for having fewer.
    @Test
    void keepsTheDigestOfRingsThatRun() {
        assertThat(PodManifest.digest(Samples.defaults("3.5.16")))
                .contains(" container.volumeMounts=15651bfda673 ")
                .contains(" volumes=e305a237c5c5");
    }

    /// Digests of parts are remembered, up to a number.
    @Test
    void digestsTheSameWhateverItDigestedBefore() {
        var first = PodManifest.digest(Samples.full());

        var others = IntStream.range(0, 600)
                .mapToObj(i -> PodManifest.digest(Samples.full(new ClusterRef("shop", "orders-" + i))));

        assertThat(others).doesNotHaveDuplicates().doesNotContain(first);
        assertThat(PodManifest.digest(Samples.full())).isEqualTo(first);
    }

    @Test
    void neverRunsOneVersionWithTheDigestOfAnother() {
        var wanted = new RingObjects(Samples.full().spec(), Samples.applied("3.5.16"), 5, 3, 1);

        assertThat(container(wanted).getImage()).isEqualTo("mirror.example/etcd:v3.5.16");
    }

    @Test
    void labelsOfTheRingWinOverTheUsers() {
        var labels =
                set(Samples.full(), 5).getSpec().getTemplate().getMetadata().getLabels();

        assertThat(labels).containsAllEntriesOf(Labels.of(Samples.ORDERS)).containsEntry("team", "shop");
    }

    @ParameterizedTest
    @CsvSource({"500m,1", "1,1", "1999m,1", "2,2", "3.7,3", "+2,2", "-0,1", "1e1,10", "2.1234567890123,2"})
    void givesGoWholeProcessors(String limit, String processors) {
        var wanted = withLimits(Map.of("cpu", limit));

        assertThat(variable(wanted, "GOMAXPROCS")).contains(processors);
        assertThat(variable(wanted, "GOMEMLIMIT")).isEmpty();
    }

    /// An exbibyte is rounded, as it was for the first rings.
    @ParameterizedTest
    @CsvSource({
        "1Gi,966367641",
        "1000M,900000000",
        "1073741824,966367641",
        "1e9,900000000",
        "1Pi,1013309916158361",
        "1Ei,1037629354146162300"
    })
    void leavesGoATenthOfTheMemory(String limit, String bytes) {
        var wanted = withLimits(Map.of("memory", limit));

        assertThat(variable(wanted, "GOMEMLIMIT")).contains(bytes);
        assertThat(variable(wanted, "GOMAXPROCS")).isEmpty();
    }

    @Test
    void setsNoVariableThatEtcdItselfWouldRead() {
        assertThat(container(Samples.full()).getEnv())
                .extracting(EnvVar::getName)
                .noneMatch(name -> name.startsWith("ETCD_"));
    }

    @Test
    void refusesToRunAsRoot() {
        var wanted = Samples.with(
                Samples.defaults("3.5.16"),
                Samples.podTemplate(Map.of(), Map.of("securityContext", Map.of("runAsUser", 0))));

        assertThatThrownBy(() -> RingManifests.statefulSet(wanted, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("root");
    }

    @Test
    void namesThePodTemplateThatKubernetesWouldNotTake() {
        var wanted = Samples.with(
                Samples.defaults("3.5.16"), Samples.podTemplate(Map.of(), Map.of("tolerations", "everything")));

        assertThatThrownBy(() -> RingManifests.statefulSet(wanted, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("podTemplate");
    }

    static Stream<Map<String, Object>> noResources() {
        return Stream.of(
                Map.of("limits", Map.of("cpu", "lots")),
                Map.of("requests", Map.of("memory", "-1Gi")),
                Map.of("limits", "2Gi"),
                Map.of("claims", List.of()));
    }

    @ParameterizedTest
    @MethodSource("noResources")
    void refusesResourcesThatKubernetesWouldNotTake(Map<String, Object> resources) {
        var wanted = Samples.with(Samples.defaults("3.5.16"), Samples.podTemplate(resources, Map.of()));

        assertThatThrownBy(() -> RingManifests.statefulSet(wanted, 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("podTemplate.resources");
    }

    @Test
    void imagesWithoutADigestAreTakenByTag() {
        var spec = Samples.defaults("3.4.23").spec();
        var image = new Image("example/etcd", Optional.empty(), Optional.empty());
        var wanted = new RingObjects(
                new EtcdClusterSpec(
                        spec.ref(),
                        spec.size(),
                        new Server(spec.server().version(), image, new TreeMap<>()),
                        spec.storage(),
                        spec.podTemplate(),
                        spec.network(),
                        spec.declaration()),
                Samples.applied("3.4.23"),
                3,
                2,
                1);

        assertThat(container(wanted).getImage()).isEqualTo("example/etcd:v3.4.23");
    }

    private static RingObjects withLimits(Map<String, Object> limits) {
        return Samples.with(Samples.defaults("3.5.16"), Samples.podTemplate(Map.of("limits", limits), Map.of()));
    }

    private static Container container(RingObjects wanted) {
        return set(wanted, 3).getSpec().getTemplate().getSpec().getContainers().getFirst();
    }

    private static Optional<String> variable(RingObjects wanted, String name) {
        return container(wanted).getEnv().stream()
                .filter(v -> v.getName().equals(name))
                .map(EnvVar::getValue)
                .findFirst();
    }

    private static StatefulSet set(RingObjects wanted, int replicas) {
        return Rendered.as(StatefulSet.class, RingManifests.statefulSet(wanted, replicas));
    }
}
