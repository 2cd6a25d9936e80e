package io.github.etcdgitops.ring;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.stream.Stream;

/// What the approver of an operation must see: the image that members run, where backups are, and who
/// issues certificates. It is built from what the operation's id covers, so both always agree.
public final class Carried {
    private static final String DESTINATION = "destination.";

    private final SortedMap<String, String> fields;

    private Carried(SortedMap<String, String> fields) {
        this.fields = fields;
    }

    /// Name to value, in display order: `image`, `destination`, `issuer`.
    public static SequencedMap<String, String> of(Operation operation) {
        var carried = new Carried(operation.resolved().fields());
        var named = new LinkedHashMap<String, String>();
        carried.image().ifPresent(image -> named.put("image", image));
        carried.destination("")
                .or(() -> carried.destination("source."))
                .ifPresent(place -> named.put("destination", place));
        carried.issuer().ifPresent(issuer -> named.put("issuer", issuer));
        return named;
    }

    /// As one line: `image quay.io/coreos/etcd:v3.5.17; issuer ClusterIssuer corporate of cert-manager`.
    public static Optional<String> line(Operation operation) {
        var named = of(operation);
        return named.isEmpty()
                ? Optional.empty()
                : Optional.of(named.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .reduce((a, b) -> a + "; " + b)
                        .orElseThrow());
    }

    private Optional<String> field(String path) {
        return Optional.ofNullable(fields.get(path));
    }

    private Optional<String> image() {
        return field("image")
                .map(image -> image
                        + field("pullPolicy").map(when -> ", pulled " + when).orElse(""));
    }

    private Optional<String> destination(String prefix) {
        String at = prefix + DESTINATION;
        return field(at + "kind")
                .map(kind -> switch (kind) {
                    case "s3" -> "s3://" + fields.get(at + "bucket") + "/" + fields.get(at + "prefix");
                    case "gcs" -> "gs://" + fields.get(at + "bucket") + "/" + fields.get(at + "prefix");
                    default -> "file://" + fields.get(at + "path") + "/" + fields.get(at + "prefix");
                })
                .map(place -> place
                        + field(at + "endpoint")
                                .map(endpoint -> " at " + endpoint)
                                .orElse("")
                        + field(at + "region")
                                .map(region -> " in region " + region)
                                .orElse("")
                        + field("encoding.recipient")
                                .map(key -> ", encrypted for " + key)
                                .orElse(""));
    }

    /// Where members use plain text only, there is no issuer.
    private Optional<String> issuer() {
        boolean secured = Stream.of("transport.peer", "transport.client")
                .flatMap(end -> field(end).stream())
                .anyMatch(mode -> !mode.equals("plain"));
        return field("tls.issuer").filter(_ -> secured).map(issuer -> switch (issuer) {
            case "CERT_MANAGER" ->
                fields.get("tls.issuer.kind") + " " + fields.get("tls.issuer.name") + " of cert-manager" + validity();
            case "SECRET" -> "created outside etcd-gitops";
            default -> "the ring's own CA" + validity();
        });
    }

    /// As documents write it: `for 90d`.
    private String validity() {
        return field("tls.duration")
                .map(Duration::parse)
                .map(time -> ", for " + (time.toHours() % 24 == 0 ? time.toDays() + "d" : time.toMinutes() + "m"))
                .orElse("");
    }
}
