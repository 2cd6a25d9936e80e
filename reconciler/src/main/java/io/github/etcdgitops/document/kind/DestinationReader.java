package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.Buckets;
import io.github.etcdgitops.document.field.ObjectUrl;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.document.yaml.YamlNode;
import io.github.etcdgitops.spec.value.Destination;
import io.github.etcdgitops.spec.value.Destination.ServerSideEncryption;
import io.github.etcdgitops.spec.value.StoreEndpoint;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Reads and checks the destination of a BackupPolicy.
public final class DestinationReader {
    private static final String KMS = "aws:kms";
    private static final String GOOGLE = "https://storage.googleapis.com";
    private static final Pattern AWS = Pattern.compile("https?://s3[-.a-z0-9]*[.]amazonaws[.]com");

    private DestinationReader() {}

    static void check(YamlDocument document, Findings findings) {
        Buckets.check(document, findings, ObjectUrl.Scheme.S3, "spec", "destination", "s3", "bucket");
        Buckets.check(document, findings, ObjectUrl.Scheme.GS, "spec", "destination", "gcs", "bucket");
        checkEndpoint(document, findings, "spec", "destination", "gcs", "endpoint");
        checkEndpoint(document, findings, "spec", "destination", "s3", "endpoint");
        if (!document.has("spec", "destination", "s3")) {
            return;
        }
        if (!document.has("spec", "destination", "s3", "endpoint")
                && !document.has("spec", "destination", "s3", "region")) {
            findings.at(
                    List.of("spec", "destination", "s3", "region"),
                    "no-region",
                    "`spec.destination.s3` has neither a region nor an endpoint, so the location of the bucket is"
                            + " unknown.",
                    "Add `region`, or the `endpoint` of a store that speaks S3.");
        }
        var algorithm = document.text("spec", "destination", "s3", "serverSideEncryption", "algorithm");
        if (document.has("spec", "destination", "s3", "serverSideEncryption", "kmsKeyId")
                && algorithm.filter(KMS::equals).isEmpty()) {
            findings.at(
                    List.of("spec", "destination", "s3", "serverSideEncryption", "kmsKeyId"),
                    "key-without-kms",
                    "`spec.destination.s3.serverSideEncryption.kmsKeyId` is valid only with the algorithm " + KMS
                            + algorithm.map(a -> "; it is " + Shown.quoted(a)).orElse("") + ".",
                    "Write `algorithm: " + KMS + "`, or leave the key out.");
        }
    }

    /// Checks what the schema's pattern cannot, such as a port of 99999.
    static void checkEndpoint(YamlDocument document, Findings findings, String... path) {
        var at = List.of(path);
        document.text(path)
                .filter(text -> StoreEndpoint.parse(text).isEmpty() && findings.noneAt(at))
                .ifPresent(text -> findings.at(
                        at,
                        "bad-format",
                        "`" + Shown.path(at) + "` is " + Shown.quoted(text) + "; expected " + StoreEndpoint.EXPECTED
                                + ".",
                        "For example \"https://objects.example.org\"."));
    }

    public static Destination read(YamlDocument document) {
        if (document.has("spec", "destination", "s3")) {
            return s3(document);
        }
        if (document.has("spec", "destination", "gcs")) {
            return new Destination.Gcs(
                    text(document, "gcs", "bucket").orElseThrow(),
                    prefix(text(document, "gcs", "prefix")),
                    text(document, "gcs", "endpoint"),
                    text(document, "gcs", "credentialsRef", "name"));
        }
        return new Destination.Directory(
                withoutSlash(text(document, "directory", "path").orElseThrow()),
                prefix(text(document, "directory", "prefix")));
    }

    private static Destination s3(YamlDocument document) {
        return new Destination.S3(
                text(document, "s3", "bucket").orElseThrow(),
                prefix(text(document, "s3", "prefix")),
                text(document, "s3", "endpoint"),
                text(document, "s3", "region"),
                pathStyle(document, "spec", "destination", "s3", "pathStyle"),
                text(document, "s3", "credentialsRef", "name"),
                text(document, "s3", "serverSideEncryption", "algorithm")
                        .map(a ->
                                new ServerSideEncryption(a, text(document, "s3", "serverSideEncryption", "kmsKeyId"))));
    }

    static boolean pathStyle(YamlDocument document, String... path) {
        return document.find(path)
                .filter(node ->
                        node instanceof YamlNode.Scalar scalar && scalar.value().asBoolean())
                .isPresent();
    }

    private static Optional<String> text(YamlDocument document, String... path) {
        return document.text(
                Stream.concat(Stream.of("spec", "destination"), Stream.of(path)).toArray(String[]::new));
    }

    /// Empty, or with a slash at the end.
    private static String prefix(Optional<String> written) {
        return written.filter(p -> !p.isEmpty()).map(p -> withoutSlash(p) + "/").orElse("");
    }

    private static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    /// The identity of a destination, whatever the credentials and the spelling. AWS's and Google's own
    /// endpoints all lead to one set of buckets, and Google's may be used as S3.
    public static String place(Destination destination) {
        return switch (destination) {
            case Destination.S3 s3
            when s3.endpoint().filter(GOOGLE::equals).isPresent() -> "gs://" + s3.bucket() + "/" + s3.prefix();
            case Destination.S3 s3 ->
                place(s3.endpoint().filter(e -> !AWS.matcher(e).matches()), s3);
            case Destination.Gcs gcs -> place(gcs.endpoint().filter(e -> !e.equals(GOOGLE)), gcs);
            case Destination.Directory directory -> directory.title();
        };
    }

    private static String place(Optional<String> endpoint, Destination destination) {
        return endpoint.map(e -> e + " ").orElse("") + destination.title();
    }
}
