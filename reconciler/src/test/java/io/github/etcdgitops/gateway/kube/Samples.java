package io.github.etcdgitops.gateway.kube;

import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Declaration;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Image;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NetworkAccess;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.PodTemplate;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Server;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.validation.Location;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Specs to render: one where everything is a default, one where nothing is.
final class Samples {
    static final ClusterRef ORDERS = new ClusterRef("shop", "orders");
    static final Image IMAGE = new Image("gcr.io/etcd-development/etcd", Optional.empty(), Optional.empty());
    static final SortedMap<String, Object> ALL_OPTIONS = new TreeMap<>(Map.of(
            "quotaBackendBytes",
            4294967296L,
            "autoCompaction",
            Map.of("mode", "revision", "retention", "10000"),
            "heartbeatIntervalMillis",
            200,
            "electionTimeoutMillis",
            2400,
            "snapshotCount",
            20000,
            "maxRequestBytes",
            2097152,
            "logLevel",
            "debug"));

    private Samples() {}

    /// Typed settings that the version has, and one of `extra`.
    static SortedMap<String, Object> settingsOf(String version) {
        var release = version(version);
        var settings = new TreeMap<String, Object>(
                Map.of("maxTxnOps", 256, "cipherSuites", List.of("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")));
        if (release.hasLearners()) {
            settings.put("compactionBatchLimit", 500);
            settings.put("extra", Map.of("max-concurrent-streams", 1000));
        }
        if (release.atLeast(3, 5, 0)) {
            settings.put("tlsMinVersion", "TLS1.2");
            settings.put("distributedTracing", Map.of("address", "127.0.0.1:4317", "samplingRatePerMillion", 100));
        }
        if (release.atLeast(3, 6, 0)) {
            settings.put("maxLearners", 2);
        }
        return settings;
    }

    static EtcdVersion version(String version) {
        return EtcdVersion.parse(version).orElseThrow();
    }

    /// With every switch of etcd's own, whether or not the version has it.
    static MemberSettings gated(String version) {
        var gates = Arrays.stream(FeatureGate.values())
                .filter(FeatureGate::isOfEtcd)
                .toList();
        return new MemberSettings(
                version(version),
                new TreeMap<>(),
                Optional.empty(),
                Transport.PLAIN,
                Authorities.FIRST,
                new TreeSet<>(gates));
    }

    static MemberSettings applied(String version) {
        return new MemberSettings(version(version), new TreeMap<>());
    }

    static RingObjects defaults(String version) {
        return defaults(ORDERS, version);
    }

    static RingObjects defaults(ClusterRef ref, String version) {
        var spec = new EtcdClusterSpec(
                ref,
                3,
                new Server(version(version), IMAGE, new TreeMap<>()),
                new Storage("8Gi", Optional.empty()),
                podTemplate(Map.of(), Map.of()),
                new NetworkAccess(Optional.empty(), Optional.empty()),
                declaration());
        return new RingObjects(spec, applied(version), 3, 2, 1);
    }

    static RingObjects full() {
        return full(ORDERS);
    }

    static RingObjects full(ClusterRef ref) {
        var image = new Image("mirror.example/etcd", Optional.of("sha256:" + "ab".repeat(32)), Optional.of("Always"));
        var spec = new EtcdClusterSpec(
                ref,
                5,
                new Server(version("3.5.30"), image, ALL_OPTIONS),
                new Storage("20Gi", Optional.of("fast")),
                podTemplate(
                        Map.of(
                                "requests",
                                Map.of("cpu", "500m", "memory", "1Gi"),
                                "limits",
                                Map.of("cpu", 2.5, "memory", "2Gi")),
                        scheduling()),
                new NetworkAccess(
                        Optional.of(Map.of("matchLabels", Map.of("team", "shop"))),
                        Optional.of(Map.of(
                                "matchExpressions",
                                List.of(Map.of(
                                        "key",
                                        "kubernetes.io/metadata.name",
                                        "operator",
                                        "In",
                                        "values",
                                        List.of("monitoring")))))),
                declaration());
        return new RingObjects(spec, new MemberSettings(version("3.5.30"), ALL_OPTIONS), 5, 3, 7);
    }

    static RingObjects with(RingObjects ring, PodTemplate template) {
        var spec = ring.spec();
        return new RingObjects(
                new EtcdClusterSpec(
                        spec.ref(),
                        spec.size(),
                        spec.server(),
                        spec.storage(),
                        template,
                        spec.network(),
                        spec.declaration()),
                ring.applied(),
                ring.voters(),
                ring.minAvailable(),
                ring.epoch());
    }

    static PodTemplate podTemplate(Map<String, Object> resources, Map<String, Object> pod) {
        return new PodTemplate(
                pod.isEmpty() ? new TreeMap<>() : new TreeMap<>(Map.of("team", "shop", Labels.NAME, "mine")),
                pod.isEmpty() ? new TreeMap<>() : new TreeMap<>(Map.of("prometheus.io/scrape", "false")),
                new TreeMap<>(resources),
                new TreeMap<>(pod));
    }

    private static Map<String, Object> scheduling() {
        return Map.of(
                "affinity",
                Map.of(
                        "podAntiAffinity",
                        Map.of(
                                "requiredDuringSchedulingIgnoredDuringExecution",
                                List.of(Map.of(
                                        "topologyKey",
                                        "kubernetes.io/hostname",
                                        "labelSelector",
                                        Map.of("matchLabels", Labels.selector(ORDERS)))))),
                "tolerations",
                List.of(Map.of("key", "etcd", "operator", "Exists", "effect", "NoSchedule")),
                "nodeSelector",
                Map.of("disk", "ssd"),
                "topologySpreadConstraints",
                List.of(Map.of(
                        "maxSkew",
                        1,
                        "topologyKey",
                        "topology.kubernetes.io/zone",
                        "whenUnsatisfiable",
                        "DoNotSchedule")),
                "priorityClassName",
                "databases",
                "imagePullSecrets",
                List.of(Map.of("name", "mirror")),
                "schedulerName",
                "packer",
                "securityContext",
                Map.of("runAsUser", 1000, "fsGroup", 2000));
    }

    private static Declaration declaration() {
        return new Declaration(
                Location.ofFile("orders.yaml"),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                new TreeMap<>(),
                Releases.ROLLOUT);
    }
}
