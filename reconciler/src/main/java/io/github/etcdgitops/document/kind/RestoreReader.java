package io.github.etcdgitops.document.kind;

import io.github.etcdgitops.document.field.Buckets;
import io.github.etcdgitops.document.field.Envelope;
import io.github.etcdgitops.document.field.ObjectUrl;
import io.github.etcdgitops.document.field.ObjectUrl.Scheme;
import io.github.etcdgitops.document.yaml.Findings;
import io.github.etcdgitops.document.yaml.Shown;
import io.github.etcdgitops.document.yaml.YamlDocument;
import io.github.etcdgitops.spec.RestoreRequest;
import io.github.etcdgitops.spec.RestoreRequest.From;
import io.github.etcdgitops.spec.value.Destination;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads and checks a document of kind EtcdRestore.
public final class RestoreReader {
    private static final List<String> FROM = List.of("spec", "from");
    private static final List<String> OF_POLICY = List.of("environment", "cluster", "backup");
    private static final List<String> NEEDED_WITH_POLICY = List.of("environment", "cluster");
    private static final List<String> OF_URL = List.of("endpoint", "region", "pathStyle", "credentialsRef");

    private final YamlDocument document;
    private final Findings findings;

    private RestoreReader(YamlDocument document, Findings findings) {
        this.document = document;
        this.findings = findings;
    }

    static void check(YamlDocument document, Findings findings) {
        var reader = new RestoreReader(document, findings);
        boolean kept = document.has("spec", "from", "policy");
        boolean bare = document.has("spec", "from", "url");
        if (kept && bare) {
            reader.sources("names both a policy and a url");
        } else if (kept) {
            reader.kept();
        } else if (bare) {
            reader.bare();
        } else if (document.has("spec", "from")) {
            reader.sources("names neither a policy nor a url");
        }
    }

    /// The newest one would be the backup taken right before the ring is ended.
    private void whichOne() {
        if (document.has("spec", "inPlace") && !document.has("spec", "from", "backup")) {
            findings.at(
                    below("backup"),
                    "missing-field",
                    "`spec.from.backup` is missing; a restore in place needs the id of the backup.",
                    "`etcd-gitops backup list` shows the ids.");
        }
    }

    private void sources(String what) {
        findings.at(
                FROM,
                "restore-source",
                "`spec.from` " + what + "; expected one of them.",
                "Write `policy`, `environment` and `cluster` for a backup of a BackupPolicy, or `url` for any other"
                        + " snapshot.");
    }

    private void kept() {
        for (String field : NEEDED_WITH_POLICY) {
            if (!document.has("spec", "from", field)) {
                findings.at(
                        below(field),
                        "missing-field",
                        "`spec.from." + field + "` is missing; a policy has backups of many rings and environments.",
                        "Name the ring that was backed up, and its environment.");
            }
        }
        refuse(OF_URL, "is valid only with a url; a policy has its own destination");
        whichOne();
    }

    private void bare() {
        refuse(OF_POLICY, "is valid only with a policy; a url names one object");
        document.text("spec", "from", "url").ifPresent(text -> {
            var url = ObjectUrl.parse(text);
            if (url.isEmpty()) {
                findings.at(
                        below("url"),
                        "bad-url",
                        "`spec.from.url` is " + Shown.quoted(text.replaceFirst("[?].*", "?…"))
                                + "; expected s3://BUCKET/KEY, gs://BUCKET/KEY or file:///PATH, without a query and"
                                + " without `..`.",
                        "For example \"s3://backups/orders/2026-11-22.db\".");
            }
            url.ifPresent(this::options);
            url.ifPresent(this::bucket);
        });
    }

    private void bucket(ObjectUrl url) {
        Buckets.refused(url.scheme(), url.place(), document.has("spec", "from", "endpoint"))
                .ifPresent(why -> findings.at(
                        below("url"), "bad-bucket", Buckets.said(below("url"), url.place(), why), Buckets.REMEDY));
    }

    private void options(ObjectUrl url) {
        DestinationReader.checkEndpoint(document, findings, "spec", "from", "endpoint");
        refuse(
                OF_URL.stream()
                        .filter(option -> !url.scheme().options().contains(option))
                        .toList(),
                "is not valid with " + url.scheme().title() + "://");
        if (url.scheme() == Scheme.S3
                && !document.has("spec", "from", "region")
                && !document.has("spec", "from", "endpoint")) {
            findings.at(
                    below("region"),
                    "no-region",
                    "`spec.from` has neither a region nor an endpoint, so the location of the bucket is unknown.",
                    "Add `region`, or the `endpoint` of a store that speaks S3.");
        }
    }

    private void refuse(List<String> fields, String why) {
        for (String field : fields) {
            if (document.has("spec", "from", field)) {
                findings.atKey(
                        below(field),
                        "field-of-another-source",
                        "`spec.from." + field + "` " + why + ".",
                        "Remove it.");
            }
        }
    }

    private static List<String> below(String field) {
        return Stream.concat(FROM.stream(), Stream.of(field)).toList();
    }

    public static RestoreRequest read(YamlDocument document) {
        return new RestoreRequest(
                document.text("metadata", "name").orElseThrow(),
                Envelope.ref(document, "spec", "cluster").orElseThrow(),
                document.has("spec", "from", "policy") ? readKept(document) : readBare(document),
                document.number("spec", "bumpRevision"),
                document.text("spec", "inPlace", "clusterId"),
                document.at(List.of()));
    }

    private static From readKept(YamlDocument document) {
        return new From.Kept(
                document.text("spec", "from", "policy").orElseThrow(),
                document.text("spec", "from", "environment").orElseThrow(),
                Envelope.ref(document, "spec", "from", "cluster").orElseThrow(),
                document.text("spec", "from", "backup"));
    }

    private static From readBare(YamlDocument document) {
        var url = document.text("spec", "from", "url").flatMap(ObjectUrl::parse).orElseThrow();
        var endpoint = document.text("spec", "from", "endpoint");
        var credentials = document.text("spec", "from", "credentialsRef", "name");
        return new From.Bare(
                switch (url.scheme()) {
                    case S3 ->
                        new Destination.S3(
                                url.place(),
                                url.key(),
                                endpoint,
                                document.text("spec", "from", "region"),
                                DestinationReader.pathStyle(document, "spec", "from", "pathStyle"),
                                credentials,
                                Optional.empty());
                    case GS -> new Destination.Gcs(url.place(), url.key(), endpoint, credentials);
                    case FILE -> new Destination.Directory(url.place().isEmpty() ? "/" : url.place(), url.key());
                });
    }
}
