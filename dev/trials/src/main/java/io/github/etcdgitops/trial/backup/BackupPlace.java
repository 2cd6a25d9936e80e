package io.github.etcdgitops.trial.backup;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.backup.ManifestFile;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.trial.bench.Bench;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.eclipse.jgit.util.FileUtils;

/// A place for backups on this machine, by the policy that keeps them there. Each object is a file below `folder`, so
/// that a trial can look at it, spoil it and make it older behind the product's back. `destination` is YAML.
public record BackupPlace(String policy, Path folder, String destination) {
    static final String SNAPSHOT = "snapshot.db";
    static final String MANIFEST = "manifest.json";

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final int STAMP_LENGTH = 16;
    private static final ObjectMapper JSON = new ObjectMapper();

    public static BackupPlace directory(String policy, Path folder) throws IOException {
        Files.createDirectories(folder);
        return new BackupPlace(policy, folder, "directory: {path: \"" + folder + "\"}");
    }

    /// A bucket of its own on the S3 API of this machine, which the product reaches at `endpoint`.
    public static BackupPlace bucket(Bench bench, String policy, String bucket, URI endpoint) throws IOException {
        return bucket(bench, policy, bucket, endpoint, BackupCredentials.GOOD);
    }

    public static BackupPlace bucket(Bench bench, String policy, String bucket, URI endpoint, String credentials)
            throws IOException {
        BackupCredentials.allow(bench, credentials, "s3://" + bucket + "/ endpoint=" + endpoint);
        return new BackupPlace(
                policy,
                S3Proxy.shared().bucket(bucket),
                "s3: {bucket: " + bucket + ", endpoint: \"" + endpoint + "\", pathStyle: true, credentialsRef: {name: "
                        + credentials + "}}");
    }

    /// Not while a trial runs.
    public static String schedule() {
        var time = Instant.now().plus(Duration.ofHours(12)).atZone(ZoneOffset.UTC);
        return "  schedule: {cron: \"" + time.getMinute() + " " + time.getHour() + " * * *\"}\n";
    }

    /// The document of the policy. It holds for all rings of the namespace, or where `more` is empty for none: then
    /// backups are taken on request.
    public byte[] document(String namespace, String more) {
        String clusters = more.isEmpty() ? "" : "  clusters: {namespaces: [" + namespace + "]}\n";
        return ("apiVersion: etcdgitops.dev/v1alpha1\nkind: BackupPolicy\nmetadata: {name: " + policy + "}\nspec:\n"
                        + clusters + "  destination:\n    " + destination + "\n" + more)
                .getBytes(StandardCharsets.UTF_8);
    }

    /// Snapshots and manifests that can be seen, by their keys. What begins with a dot are parts of unfinished ones,
    /// which
    /// nobody sees through the store.
    public List<String> keys() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .filter(key -> !key.startsWith("."))
                    .filter(key -> key.endsWith("/" + MANIFEST) || key.contains("/" + SNAPSHOT))
                    .sorted()
                    .toList();
        }
    }

    /// Whatever has a manifest, whoever counts it.
    public int backups() throws IOException {
        return (int) keys().stream()
                .filter(key -> !key.startsWith("."))
                .filter(key -> key.endsWith("/" + MANIFEST))
                .count();
    }

    public Path file(String key) {
        return folder.resolve(key);
    }

    Manifest manifest(Backup backup) throws IOException {
        return ManifestFile.read(Files.readAllBytes(file(backup.prefix() + MANIFEST)));
    }

    /// As if it had been taken that much earlier: the same snapshot, and a manifest that says so. Returns its id.
    String copyOf(Backup backup, Duration earlier) throws IOException {
        return older(backup, earlier, false);
    }

    /// The same, and it is no longer where it was.
    String moved(Backup backup, Duration earlier) throws IOException {
        return older(backup, earlier, true);
    }

    private String older(Backup backup, Duration earlier, boolean move) throws IOException {
        var taken = Instant.parse(backup.taken()).minus(earlier);
        String id = STAMP.format(taken) + backup.id().substring(STAMP_LENGTH);
        Path from = file(backup.prefix());
        Path to = from.resolveSibling(id);
        Files.createDirectory(to);
        try (var files = Files.list(from)) {
            for (var file : files.toList()) {
                // The bucket's server keeps the ETag of an object in an attribute of its file.
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        Path manifest = to.resolve(MANIFEST);
        var document = (ObjectNode) JSON.readTree(Files.readAllBytes(manifest));
        document.put("id", id);
        ((ObjectNode) document.path("source")).put("began", taken.toString()).put("ended", taken.toString());
        var stored = (ObjectNode) document.path("stored");
        stored.put("key", stored.path("key").asText().replace("/" + backup.id() + "/", "/" + id + "/"));
        Files.write(manifest, JSON.writeValueAsBytes(document));
        if (move) {
            FileUtils.delete(from.toFile(), FileUtils.RECURSIVE);
        }
        return id;
    }
}
