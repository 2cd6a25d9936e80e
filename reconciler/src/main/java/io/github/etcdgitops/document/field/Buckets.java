package io.github.etcdgitops.document.field;

import io.github.etcdgitops.document.field.ObjectUrl.Scheme;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Bucket names that the pattern allows and the store does not.
public final class Buckets {
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}([.][0-9]{1,3}){3}");
    private static final Pattern GOOGLE = Pattern.compile(".*(google|g00gle|go0gle|g0ogle).*");
    private static final List<String> S3_PREFIXES = List.of("xn--", "sthree-", "amzn-s3-demo-");
    private static final List<String> S3_SUFFIXES = List.of("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3");
    private static final int LONGEST_WORD = 63;

    public static final String REMEDY = "Name a bucket that exists, for example \"etcd-backups\".";

    private Buckets() {}

    /// Why an S3 store refuses the name, as the end of a sentence.
    private static Optional<String> refusedByS3(String name) {
        return refusedByBoth(name)
                .or(() -> S3_PREFIXES.stream()
                        .filter(name::startsWith)
                        .map(prefix -> "S3 reserves names that begin with " + prefix)
                        .findFirst())
                .or(() -> S3_SUFFIXES.stream()
                        .filter(name::endsWith)
                        .map(suffix -> "S3 reserves names that end in " + suffix)
                        .findFirst());
    }

    private static Optional<String> refusedByGcs(String name) {
        if (name.startsWith("goog") || GOOGLE.matcher(name).matches()) {
            return Optional.of("Google reserves names with goog or google");
        }
        boolean dots = name.indexOf('.') >= 0;
        if (!dots && name.length() > LONGEST_WORD) {
            return Optional.of("a name without dots has at most 63 characters");
        }
        for (String word : name.split("[.]", -1)) {
            if (word.length() > LONGEST_WORD) {
                return Optional.of("each part between dots has at most 63 characters");
            }
        }
        return name.contains(".-") || name.contains("-.")
                ? Optional.of("each dot must be between letters or digits")
                : refusedByBoth(name);
    }

    private static Optional<String> refusedByBoth(String name) {
        if (ADDRESS.matcher(name).matches()) {
            return Optional.of("a bucket name must not look like an IP address");
        }
        return name.contains("..") ? Optional.of("it has two dots in a row") : Optional.empty();
    }

    public static Optional<String> refused(Scheme scheme, String name, boolean ownEndpoint) {
        return switch (scheme) {
            case S3 -> ownEndpoint ? refusedByBoth(name) : refusedByS3(name);
            case GS -> refusedByGcs(name);
            case FILE -> Optional.empty();
        };
    }

    public static void check(YamlDocument document, Findings findings, Scheme scheme, String... bucket) {
        var path = List.of(bucket);
        var endpoint = Stream.concat(path.subList(0, path.size() - 1).stream(), Stream.of("endpoint"));
        boolean ownEndpoint = document.has(endpoint.toArray(String[]::new));
        document.text(bucket)
                .filter(_ -> findings.noneAt(path))
                .ifPresent(name -> refused(scheme, name, ownEndpoint)
                        .ifPresent(why -> findings.at(path, "bad-bucket", said(path, name, why), REMEDY)));
    }

    public static String said(List<String> path, String name, String why) {
        return "`" + Shown.path(path) + "` names the bucket " + Shown.quoted(name) + ", which is not a valid name: "
                + why + ".";
    }
}
