package io.github.etcdgitops.place;

import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.StoreEndpoint;
import io.github.etcdgitops.spec.value.WireName;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/// One line of a `places` file: a bucket or directory, from `prefix` down, at one endpoint.
///
/// `bucket` is empty for a directory. `prefix` is empty or ends with a slash; that of a directory is its
/// path. `linkLocal` is whether the endpoint's name may resolve to a link-local address.
public record AllowedPlace(
        Kind kind, String bucket, String prefix, Optional<StoreEndpoint> endpoint, boolean linkLocal) {
    public enum Kind implements WireName {
        S3,
        GS,
        FILE;

        String scheme() {
            return wire() + "://";
        }

        @Override
        public String wire() {
            return switch (this) {
                case S3 -> "s3";
                case GS -> "gs";
                case FILE -> "file";
            };
        }
    }

    private static final Pattern SEGMENT = Pattern.compile("(?![.]{1,2}$)[!-~&&[^/\\\\?#*;]]{1,255}");

    private static final StoreEndpoint GOOGLE = new StoreEndpoint(true, "storage.googleapis.com", 443);

    /// The place that a document asks for. Empty where its endpoint is invalid.
    static Optional<AllowedPlace> askedFor(Destination destination) {
        return switch (destination) {
            case Destination.S3 s3 ->
                s3.endpoint()
                        .map(StoreEndpoint::parse)
                        .orElseGet(() -> s3.region().map(AllowedPlace::amazon))
                        .map(endpoint -> bucket(Kind.S3, s3.bucket(), s3.prefix(), endpoint));
            case Destination.Gcs gcs ->
                gcs.endpoint()
                        .map(StoreEndpoint::parse)
                        .orElseGet(() -> Optional.of(GOOGLE))
                        .map(endpoint -> bucket(Kind.GS, gcs.bucket(), gcs.prefix(), endpoint));
            case Destination.Directory(String path, String prefix) ->
                Optional.of(new AllowedPlace(
                        Kind.FILE, "", (path.endsWith("/") ? path : path + "/") + prefix, Optional.empty(), false));
        };
    }

    static AllowedPlace bucket(Kind kind, String bucket, String prefix, StoreEndpoint endpoint) {
        return new AllowedPlace(kind, bucket, prefix, Optional.of(endpoint), false);
    }

    /// The endpoint of a region, which a document may omit. In partitions other than the standard ones the
    /// real name differs, and this name represents it.
    static StoreEndpoint amazon(String region) {
        return new StoreEndpoint(
                true, "s3." + region + ".amazonaws.com" + (region.startsWith("cn-") ? ".cn" : ""), 443);
    }

    static StoreEndpoint google() {
        return GOOGLE;
    }

    /// By whole segments: both prefixes end with a slash, or are empty.
    boolean covers(AllowedPlace asked) {
        return kind == asked.kind
                && bucket.equals(asked.bucket)
                && endpoint.equals(asked.endpoint)
                && asked.prefix.startsWith(prefix);
    }

    /// Whether its name means different things to us and to a file system or a server.
    boolean ambiguous() {
        String path = kind == Kind.FILE && prefix.startsWith("/") ? prefix.substring(1) : prefix;
        return !path.isEmpty() && !plainPath(path);
    }

    /// Segments that mean the same to every reader, with or without a slash at the end.
    static boolean plainPath(String path) {
        String whole = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        return Arrays.stream(whole.split("/", -1))
                .allMatch(segment -> SEGMENT.matcher(segment).matches());
    }

    /// In the form of a line of the file.
    @Override
    public String toString() {
        return kind.scheme()
                + (kind == Kind.FILE ? "" : bucket + "/")
                + prefix
                + endpoint.map(e -> " endpoint=" + e + (e.tls() || e.loopback() ? "" : " allow-http"))
                        .orElse("")
                + (linkLocal ? " allow-link-local" : "");
    }
}
