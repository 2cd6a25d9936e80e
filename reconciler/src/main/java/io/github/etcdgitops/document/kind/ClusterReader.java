package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.ClusterChecks;
import io.github.etcdgitops.document.field.Durations;
import io.github.etcdgitops.document.field.FeatureFields;
import io.github.etcdgitops.document.field.MaintenanceReader;
import io.github.etcdgitops.document.field.NotYetFields;
import io.github.etcdgitops.document.field.RepairFields;
import io.github.etcdgitops.document.field.Rfc3339;
import io.github.etcdgitops.document.yaml.PlainScalar;
import io.github.etcdgitops.document.yaml.PlainValues;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.release.Catalog;
import io.github.etcdgitops.spec.ring.Adoption;
import io.github.etcdgitops.spec.ring.Defaults;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Declaration;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Handling;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Image;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NetworkAccess;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.PodTemplate;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Rollout;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Server;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Suspension;
import io.github.etcdgitops.spec.ring.RepairModes;
import io.github.etcdgitops.spec.ring.RepairModes.Kind;
import io.github.etcdgitops.spec.ring.Repairs;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Features;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Converts a document that passed every check into a spec, with all defaults.
public final class ClusterReader {
    private static final String DEFAULT_REPOSITORY = "gcr.io/etcd-development/etcd";

    /// etcd's default when no quota is given.
    private static final long ETCD_DEFAULT_QUOTA = 2L << 30;

    private final YamlDocument document;
    private final Features features;
    private final RepairModes repairs;
    private final Catalog catalog;

    private ClusterReader(YamlDocument document, Defaults outer, Catalog catalog) {
        this.document = document;
        this.catalog = catalog;
        var own = FeatureFields.read(document, Features.Level.Sole.RING, List.of("spec", "features"))
                .below(outer.features());
        this.features = document.has("spec", "tls", "peer") ? own.overruling(FeatureGate.PEER_TLS) : own;
        this.repairs = RepairFields.read(document, "spec").below(outer.repairs());
    }

    /// `outer` are the settings of the levels above the ring, `catalog` is what is known about releases.
    public static EtcdClusterSpec read(
            ClusterRef ref, YamlDocument document, Optional<String> environment, Defaults outer, Catalog catalog) {
        var reader = new ClusterReader(document, outer, catalog);
        var storage = reader.storage();
        var spec = new EtcdClusterSpec(
                ref,
                (int) (long) reader.document.number("spec", "size").orElseThrow(),
                reader.server(storage),
                storage,
                reader.podTemplate(),
                new NetworkAccess(
                        reader.map("spec", "networkPolicy", "clientNamespaceSelector"),
                        reader.map("spec", "networkPolicy", "metricsNamespaceSelector")),
                reader.declaration(environment));
        return spec.with(AuthReader.read(document));
    }

    private Storage storage() {
        return new Storage(
                document.text("spec", "storage", "size").orElse(ClusterChecks.DEFAULT_STORAGE),
                document.text("spec", "storage", "storageClassName"));
    }

    private Server server(Storage storage) {
        var version =
                document.text("spec", "version").flatMap(EtcdVersion::parse).orElseThrow();
        var image = new Image(
                document.text("spec", "image", "repository").orElse(DEFAULT_REPOSITORY),
                document.text("spec", "image", "digest"),
                document.text("spec", "image", "pullPolicy"));
        var options = new TreeMap<String, Object>(
                document.find("spec", "etcd").map(PlainValues::map).orElseGet(TreeMap::new));
        safeQuota(storage).ifPresent(quota -> options.putIfAbsent("quotaBackendBytes", natural(quota)));
        AuthReader.token(document).ifPresent(key -> options.put(TokenKey.OPTION, key.option()));
        return new Server(version, image, options, tls(), features);
    }

    private Tls tls() {
        var issuer = switch (document.text("spec", "tls", "issuer", "kind").orElse("BuiltIn")) {
            case "BuiltIn" -> Tls.Issuer.BUILT_IN;
            case "Secret" -> Tls.Issuer.SECRET;
            default -> Tls.Issuer.CERT_MANAGER;
        };
        return new Tls(
                transport(),
                issuer,
                document.text("spec", "tls", "issuer", "name")
                        .filter(_ -> issuer == Tls.Issuer.CERT_MANAGER)
                        .map(name -> new Tls.IssuerRef(
                                document.text("spec", "tls", "issuer", "kind").orElseThrow(), name)),
                Durations.of(document, "spec", "tls", "issuer", "duration").orElse(Tls.YEAR),
                authority());
    }

    private Tls.Authority authority() {
        var first = Tls.Authority.FIRST;
        return new Tls.Authority(
                document.number("spec", "tls", "issuer", "ca", "number")
                        .map(Math::toIntExact)
                        .orElse(first.number()),
                Durations.of(document, "spec", "tls", "issuer", "ca", "overlap").orElse(first.overlap()));
    }

    private Transport transport() {
        String peer = features.on(FeatureGate.PEER_TLS) ? "mutual" : "plain";
        return new Transport(mode("peer", peer), mode("client", "plain"));
    }

    private Transport.Mode mode(String side, String otherwise) {
        return switch (document.text("spec", "tls", side).orElse(otherwise)) {
            case "mutual" -> Transport.Mode.MUTUAL;
            case "mixed" -> Transport.Mode.MIXED;
            default -> Transport.Mode.PLAIN;
        };
    }

    /// A quota that fits on a volume that etcd's own default would overfill: a full disk is worse than a
    /// ring with the alarm NOSPACE.
    private static Optional<Long> safeQuota(Storage storage) {
        return Quantity.parse(storage.size())
                .map(size -> size.percent(ClusterChecks.QUOTA_PERCENT))
                .flatMap(Quantity::wholeBytes)
                .filter(most -> most < ETCD_DEFAULT_QUOTA);
    }

    /// The type that a number of this size has when it is read from a file, so that both are equal.
    private static Number natural(long number) {
        return PlainScalar.integer(number).numberValue();
    }

    private PodTemplate podTemplate() {
        var pod = new TreeMap<String, Object>(
                document.find("spec", "podTemplate").map(PlainValues::map).orElseGet(TreeMap::new));
        pod.remove("metadata");
        pod.remove("resources");
        return new PodTemplate(
                texts("spec", "podTemplate", "metadata", "labels"),
                texts("spec", "podTemplate", "metadata", "annotations"),
                resources(),
                pod);
    }

    private SortedMap<String, Object> resources() {
        var resources = new TreeMap<String, Object>(document.find("spec", "podTemplate", "resources")
                .map(PlainValues::map)
                .orElseGet(TreeMap::new));
        for (String part : List.of("requests", "limits")) {
            resources.computeIfPresent(part, (_, _) -> texts("spec", "podTemplate", "resources", part));
        }
        return resources;
    }

    private Declaration declaration(Optional<String> environment) {
        var suspend = document.text("spec", "suspend", "reason")
                .map(reason -> new Suspension(
                        reason,
                        document.text("spec", "suspend", "by").orElseThrow(),
                        document.text("spec", "suspend", "until").flatMap(Rfc3339::parse)));
        return new Declaration(
                document.at(List.of()),
                environment,
                new Handling(
                        suspend,
                        adoption(),
                        new Repairs(
                                repairs.of(Kind.VOLUMES),
                                repairs.of(Kind.MEMBERS),
                                repairs.machineGoneAfter().orElse(Repairs.MACHINE_GONE_AFTER),
                                List.of(),
                                List.of()),
                        new MaintenanceReader(document, repairs.of(Kind.SPACE)).read()),
                NotYetFields.of(document),
                document.text("spec", "backup", "policy"),
                texts("metadata", "labels"),
                rollout());
    }

    private Optional<Adoption> adoption() {
        return document.text("spec", "adopt", "clusterId")
                .map(id -> new Adoption(
                        document.text("spec", "adopt", "statefulSet").orElseThrow(), id));
    }

    private Rollout rollout() {
        return new Rollout(
                document.texts("spec", "rollout", "via").stream()
                        .flatMap(text -> EtcdVersion.parse(text).stream())
                        .toList(),
                Durations.of(document, "spec", "rollout", "soak").orElse(Duration.ZERO),
                (int) (long) document.number("spec", "rollout", "attempt").orElse(0L),
                catalog);
    }

    private Optional<Map<String, Object>> map(String... path) {
        return document.find(path).map(PlainValues::map);
    }

    private SortedMap<String, String> texts(String... path) {
        return document.find(path).map(PlainValues::texts).orElseGet(TreeMap::new);
    }
}
