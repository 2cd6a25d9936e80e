package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NetworkAccess;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.PodTemplate;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/// Everything that an operation carries out besides its target, after all references and defaults are
/// resolved. The operation's id covers it: an approval of one image, issuer or destination is not valid for
/// another.
///
/// This class takes each record apart by its components, so that a new component does not compile until a
/// developer decides whether it counts. The names are literals: renaming a component changes no id.
public final class Resolved {
    /// The target says everything.
    public static final Resolved NOTHING = new Resolved(new TreeMap<>(), Carried.NOTHING);

    /// By path: `destination.bucket`.
    private final SortedMap<String, String> fields;

    private final Carried carried;

    /// Nobody changes the map any more.
    private Resolved(SortedMap<String, String> fields, Carried carried) {
        this.fields = fields;
        this.carried = carried;
    }

    /// What of it the approver must see.
    public Carried carried() {
        return carried;
    }

    /// One distinct text for each content: a value can never be read as the start of another field.
    String text() {
        var text = new StringBuilder();
        fields.forEach((path, value) -> text.append(path.length())
                .append(':')
                .append(path)
                .append('=')
                .append(value.length())
                .append(':')
                .append(value)
                .append('\n'));
        return text.toString();
    }

    public Resolved and(String path, Object value) {
        var more = new TreeMap<>(fields);
        put(more, path, value);
        return new Resolved(more, carried);
    }

    private Resolved with(Carried shown) {
        return new Resolved(fields, shown);
    }

    /// The image that pods start from.
    public Resolved image(Optional<String> image) {
        return and("image", image).with(carried.image(image));
    }

    /// Absent, false and empty are distinct: an empty list has its own field.
    private static void put(SortedMap<String, String> fields, String path, Object value) {
        switch (value) {
            case Optional<?> some -> some.ifPresent(v -> put(fields, path, v));
            case OptionalInt some -> some.ifPresent(v -> put(fields, path, v));
            case Map<?, ?> map -> {
                fields.put(path, "{" + map.size() + "}");
                map.forEach((key, v) -> put(fields, path + "." + String.valueOf(key), v));
            }
            case List<?> list -> {
                fields.put(path, "[" + list.size() + "]");
                for (int i = 0; i < list.size(); i++) {
                    put(fields, path + "." + i, list.get(i));
                }
            }
            default -> fields.put(path, String.valueOf(value));
        }
    }

    /// What members start from. `tls` and `network` count where the operation issues certificates or writes
    /// objects.
    public static Resolved members(Blueprint blueprint) {
        return NOTHING.configuration(blueprint.members())
                .pullPolicy(blueprint.pullPolicy())
                .template(blueprint.template())
                .storage(blueprint.storage());
    }

    private Resolved pullPolicy(Optional<String> policy) {
        return and("pullPolicy", policy).with(carried.pulled(policy));
    }

    /// A whole ring.
    public static Resolved ring(Blueprint blueprint) {
        return members(blueprint).tls(blueprint.tls()).network(blueprint.network());
    }

    public Resolved configuration(MemberSettings applied) {
        return switch (applied) {
            case MemberSettings(var version, var options, var image, var transport, var trusted, var features) ->
                and("version", version)
                        .and("options", options)
                        .image(image)
                        .transport(transport)
                        .trusted(trusted)
                        .and(
                                "features",
                                features.stream().map(FeatureGate::title).toList());
        };
    }

    public Resolved transport(Transport transport) {
        return switch (transport) {
            case Transport(var peer, var client) ->
                and("transport.peer", peer.wire())
                        .and("transport.client", client.wire())
                        .with(carried.transport(transport));
        };
    }

    public Resolved trusted(Authorities authorities) {
        return and("trusted.former", authorities.former()).and("trusted.newest", authorities.newest());
    }

    private Resolved template(PodTemplate template) {
        return switch (template) {
            case PodTemplate(var labels, var annotations, var resources, var pod) ->
                and("template.labels", labels)
                        .and("template.annotations", annotations)
                        .and("template.resources", resources)
                        .and("template.pod", pod);
        };
    }

    Resolved storage(Storage storage) {
        return switch (storage) {
            case Storage(var size, var storageClassName) ->
                and("storage.size", size).and("storage.class", storageClassName);
        };
    }

    public Resolved network(NetworkAccess network) {
        return switch (network) {
            case NetworkAccess(var clients, var metrics) ->
                and("network.clients", clients).and("network.metrics", metrics);
        };
    }

    public Resolved tls(Tls tls) {
        return switch (tls) {
            case Tls(var transport, var issuer, var reference, var duration, var authority) ->
                transport(transport)
                        .and("tls.issuer", issuer.wire())
                        .and("tls.issuer.kind", reference.map(Tls.IssuerRef::kind))
                        .and("tls.issuer.name", reference.map(Tls.IssuerRef::name))
                        .and("tls.duration", duration)
                        .and("tls.authority.number", authority.number())
                        .and("tls.authority.overlap", authority.overlap())
                        .issued(tls);
        };
    }

    private Resolved issued(Tls tls) {
        return with(carried.tls(tls));
    }

    public static Resolved backup(BackupOrder order) {
        return switch (order) {
            case BackupOrder(var environment, var policy, var destination, var encoding, var suffix) ->
                NOTHING.and("environment", environment)
                        .and("policy", policy)
                        .and("suffix", suffix)
                        .encoding(encoding)
                        .destination(destination);
        };
    }

    private Resolved encoding(BackupPolicy.Encoding encoding) {
        return switch (encoding) {
            case BackupPolicy.Encoding(var zstd, var recipient, var bytesPerSecond) ->
                and("encoding.zstd", zstd)
                        .and("encoding.recipient", recipient)
                        .and("encoding.bytesPerSecond", bytesPerSecond)
                        .with(carried.recipient(recipient));
        };
    }

    public Resolved retention(BackupPolicy.Retention retention) {
        return switch (retention) {
            case BackupPolicy.Retention(var last, var within, var daily, var weekly, var monthly, var zone) ->
                and("retention.last", last)
                        .and("retention.within", within)
                        .and("retention.daily", daily)
                        .and("retention.weekly", weekly)
                        .and("retention.monthly", monthly)
                        .and("retention.zone", zone);
        };
    }

    private Resolved destination(Destination destination) {
        return place(destination).with(carried.destination(destination));
    }

    private Resolved place(Destination destination) {
        return switch (destination) {
            case Destination.S3(
                    var bucket,
                    var prefix,
                    var endpoint,
                    var region,
                    var pathStyle,
                    var credentials,
                    var encryption) ->
                and("destination.kind", "s3")
                        .and("destination.bucket", bucket)
                        .and("destination.prefix", prefix)
                        .and("destination.endpoint", endpoint)
                        .and("destination.region", region)
                        .and("destination.pathStyle", pathStyle)
                        .and("destination.credentials", credentials)
                        .and("destination.encryption", encryption.map(Resolved::encryption));
            case Destination.Gcs(var bucket, var prefix, var endpoint, var credentials) ->
                and("destination.kind", "gcs")
                        .and("destination.bucket", bucket)
                        .and("destination.prefix", prefix)
                        .and("destination.endpoint", endpoint)
                        .and("destination.credentials", credentials);
            case Destination.Directory(var path, var prefix) ->
                and("destination.kind", "directory")
                        .and("destination.path", path)
                        .and("destination.prefix", prefix);
        };
    }

    private static List<String> encryption(Destination.ServerSideEncryption encryption) {
        return switch (encryption) {
            case Destination.ServerSideEncryption(var algorithm, var kmsKeyId) ->
                kmsKeyId.map(key -> List.of(algorithm, key)).orElse(List.of(algorithm));
        };
    }

    /// Once the data is in the volume, its former location no longer counts.
    public static Resolved restore(RestoreOrder order) {
        return switch (order) {
            case RestoreOrder(var _, var source, var bumpRevision) ->
                NOTHING.and("from", source.from()).and("bump", bumpRevision).source(source);
        };
    }

    /// A ring whose data comes from a backup.
    public Resolved from(Resolved source) {
        return and("source", source.fields).with(carried.from(source.carried));
    }

    private Resolved source(RestoreOrder.Source source) {
        return switch (source) {
            case RestoreOrder.Stored.Certified(var place, var backup, var manifest) ->
                destination(place)
                        .and("backup", backup.id())
                        .and("sha256", manifest.content().sha256());
            case RestoreOrder.Stored.Bare(var place, var key, var size) ->
                destination(place).and("key", key).and("size", size);
            case RestoreOrder.Source.Loaded(var origin) -> and("sha256", origin.sha256());
        };
    }
}
