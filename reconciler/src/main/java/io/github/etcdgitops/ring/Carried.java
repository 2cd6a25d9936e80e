package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.spec.value.Transport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// What the approver of an operation must see: the image that members run, where backups are, and who
/// issues certificates. [Resolved] fills it together with what the operation's id covers, so both always
/// agree. `pulled` is the pull policy of the image; `recipient` is for whom backups are encrypted.
public record Carried(
        Optional<String> image,
        Optional<String> pulled,
        Optional<Destination> destination,
        Optional<String> recipient,
        Transport transport,
        Optional<Tls> tls) {
    static final Carried NOTHING = new Carried(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Transport.PLAIN, Optional.empty());

    Carried image(Optional<String> other) {
        return new Carried(other, pulled, destination, recipient, transport, tls);
    }

    Carried pulled(Optional<String> other) {
        return new Carried(image, other, destination, recipient, transport, tls);
    }

    Carried destination(Destination other) {
        return new Carried(image, pulled, Optional.of(other), recipient, transport, tls);
    }

    Carried recipient(Optional<String> other) {
        return new Carried(image, pulled, destination, other, transport, tls);
    }

    Carried transport(Transport other) {
        return new Carried(image, pulled, destination, recipient, other, tls);
    }

    Carried tls(Tls other) {
        return new Carried(image, pulled, destination, recipient, transport, Optional.of(other));
    }

    /// Where the data of a restore comes from.
    Carried from(Carried source) {
        return new Carried(image, pulled, source.destination(), recipient, transport, tls);
    }

    /// Name to value, in display order: `image`, `destination`, `issuer`.
    public SequencedMap<String, String> named() {
        var named = new LinkedHashMap<String, String>();
        image.ifPresent(name ->
                named.put("image", name + pulled.map(when -> ", pulled " + when).orElse("")));
        destination.ifPresent(place -> named.put("destination", place(place)));
        // Where members use plain text only, there is no issuer.
        tls.filter(_ -> transport.secured()).ifPresent(used -> named.put("issuer", issuer(used)));
        return named;
    }

    /// As one line: `image quay.io/coreos/etcd:v3.5.17; issuer ClusterIssuer corporate of cert-manager`.
    public Optional<String> line() {
        return Optional.of(named().entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining("; ")))
                .filter(line -> !line.isEmpty());
    }

    private String place(Destination place) {
        String at = switch (place) {
            case Destination.S3 s3 ->
                endpoint(s3.endpoint())
                        + s3.region().map(region -> " in region " + region).orElse("");
            case Destination.Gcs gcs -> endpoint(gcs.endpoint());
            case Destination.Directory _ -> "";
        };
        return place.title()
                + at
                + recipient.map(key -> ", encrypted for " + key).orElse("");
    }

    private static String endpoint(Optional<String> endpoint) {
        return endpoint.map(host -> " at " + host).orElse("");
    }

    private static String issuer(Tls tls) {
        return switch (tls.issuer()) {
            case CERT_MANAGER ->
                tls.reference()
                                .map(issuer -> issuer.kind() + " " + issuer.name())
                                .orElseThrow()
                        + " of cert-manager" + validity(tls.duration());
            case SECRET -> "created outside etcd-gitops";
            case BUILT_IN -> "the ring's own CA" + validity(tls.duration());
        };
    }

    /// As documents write it: `for 90d`.
    private static String validity(Duration time) {
        return ", for " + (time.toHours() % 24 == 0 ? time.toDays() + "d" : time.toMinutes() + "m");
    }
}
