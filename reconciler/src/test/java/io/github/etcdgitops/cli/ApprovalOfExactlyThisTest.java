package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// An approval is for exactly what will be done: whoever changes afterwards which image runs, where a backup goes or
/// who issues certificates makes it another operation, and is one of its authors.
class ApprovalOfExactlyThisTest {
    private static final String DIGEST = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    private static final String ANN = "ann@example.org";
    private static final String BOB = "bob@example.org";
    private static final String CAROL = "carol@example.org";
    private static final String RECIPIENT = "age1ffdyeg2rla7pqvl8qya0hs7cc5nc3alc32z3tmxsf6gqvw5r7snslvw9cq";
    private static final String OTHER = "age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg";

    @TempDir
    Path folder;

    private Path repository;

    @BeforeEach
    void createsRingWithBackupDestination() throws IOException, GitAPIException {
        repository = Files.createDirectories(folder.resolve("config"));
        try (var _ = Git.init()
                .setDirectory(repository.toFile())
                .setInitialBranch("main")
                .call()) {
            write("etcd-gitops.yaml", """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: Fleet
                metadata: {name: fleet}
                spec: {approvals: {from: medium}}
                """);
        }
        ring("3.5.16", "");
        policy("https://objects.example.org", "backups", "etcd/", RECIPIENT);
        commit("owner@example.org", "Orders");
        try (var git = Git.open(repository.toFile())) {
            git.checkout().setCreateBranch(true).setName("change").call();
        }
    }

    private void ring(String version, String more) throws IOException {
        write("clusters/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: orders, namespace: demo}
            spec:
              size: 3
              version: "%s"
            """.formatted(version) + more.indent(2));
    }

    private void policy(String endpoint, String bucket, String prefix, String recipient) throws IOException {
        write("policies/last.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: last}
            spec:
              destination:
                s3:
                  endpoint: %s
                  bucket: %s
                  prefix: %s
              encryption:
                recipient: %s
            """.formatted(endpoint, bucket, prefix, recipient));
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(repository.resolve(file).getParent());
        Files.writeString(repository.resolve(file), text);
    }

    private void commit(String author, String message) throws IOException, GitAPIException {
        try (var git = Git.open(repository.toFile())) {
            git.add().addFilepattern(".").call();
            git.add().setUpdate(true).addFilepattern(".").call();
            git.commit()
                    .setMessage(message)
                    .setAuthor(author.substring(0, author.indexOf('@')), author)
                    .setSign(false)
                    .call();
        }
    }

    private String plan(String format) {
        var planned = Ran.of(
                Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString()),
                "plan",
                "--offline",
                "--repo",
                repository.toString(),
                "--base",
                "main",
                "-o",
                format);
        assertThat(planned.err()).isEmpty();
        return planned.out();
    }

    private JsonNode planned(String kind) throws IOException {
        var operations = new ObjectMapper().readTree(plan("json")).at("/clusters/0/operations");
        return StreamSupport.stream(operations.spliterator(), false)
                .filter(operation -> operation.path("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + kind + " in " + operations));
    }

    private void approve(String author, JsonNode operation) throws IOException, GitAPIException {
        write("approvals/" + author.substring(0, author.indexOf('@')) + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Approval
            metadata: {name: orders}
            spec:
              cluster: {namespace: demo, name: orders}
              operations: ["%s"]
              approvedBy: %s
              reason: looked at
              expires: "2999-01-01T00:00:00Z"
            """.formatted(
                        operation.path("id").asText(), author));
        commit(author, "Approve");
    }

    private static String why(JsonNode operation) {
        return operation.at("/verdict/reason").asText()
                + operation.at("/verdict/message").asText()
                + operation.path("verdict");
    }

    /// Ann asks for it and Carol approves it; Bob changes what it would do.
    private void another(String kind, String carried, Change bobs) throws IOException, GitAPIException {
        var asked = planned(kind);
        approve(CAROL, asked);
        assertThat(planned(kind).path("verdict").toString()).contains("allow");

        bobs.make();
        commit(BOB, "Change");

        var changed = planned(kind);
        String id = changed.path("id").asText();
        assertThat(id).isNotEqualTo(asked.path("id").asText());
        assertThat(changed.path("carries").toString()).contains(carried);
        assertThat(plan("human")).contains(carried);
        assertThat(plan("markdown")).contains(carried);
        assertThat(why(changed)).contains("an approval of operation " + id + " is needed");

        approve(BOB, changed);
        assertThat(why(planned(kind)))
                .contains("by another person is needed", "does not count, as " + BOB + " wrote the change");
        approve(ANN, changed);
        assertThat(why(planned(kind))).contains("as " + ANN + " wrote the change");
        approve(CAROL, changed);
        assertThat(planned(kind).path("verdict").toString()).contains("allow");
    }

    @FunctionalInterface
    private interface Change {
        void make() throws IOException;
    }

    @ParameterizedTest
    @CsvSource({"repository: quay.io/coreos/etcd, quay.io/coreos/etcd:v3.5.17", "digest: '" + DIGEST + "', @" + DIGEST})
    void anotherImage(String setting, String carried) throws IOException, GitAPIException {
        ring("3.5.17", "");
        commit(ANN, "Upgrade");

        another("UpgradeVersion", carried, () -> ring("3.5.17", "image:\n  " + setting));
    }

    /// An upgrade waits until the members have the new policy, so it is the roll that has it.
    @Test
    void anotherPullPolicy() throws IOException, GitAPIException {
        String placed = "podTemplate: {nodeSelector: {disk: fast}}\n";
        ring("3.5.16", placed);
        commit(ANN, "Place");

        another(
                "RollMembers",
                "gcr.io/etcd-development/etcd:v3.5.16, pulled Always",
                () -> ring("3.5.16", placed + "image: {pullPolicy: Always}"));
    }

    @ParameterizedTest
    @CsvSource({
        "https://elsewhere.example.org, backups, etcd/, " + RECIPIENT + ", https://elsewhere.example.org",
        "https://objects.example.org, other-bucket, etcd/, " + RECIPIENT + ", s3://other-bucket/etcd/",
        "https://objects.example.org, backups, other/, " + RECIPIENT + ", s3://backups/other/",
        "https://objects.example.org, backups, etcd/, " + OTHER + ", encrypted for " + OTHER
    })
    void anotherDestination(String endpoint, String bucket, String prefix, String recipient, String carried)
            throws IOException, GitAPIException {
        Files.delete(repository.resolve("clusters/orders.yaml"));
        write("tombstones/orders.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Tombstone
            metadata: {name: orders}
            spec:
              cluster: {namespace: demo, name: orders}
              clusterId: "%s"
              data: snapshotThenDelete
              policy: last
              reason: the team has moved
            """.formatted(clusterId()));
        commit(ANN, "Delete");

        another("DeleteAfterSnapshot", carried, () -> policy(endpoint, bucket, prefix, recipient));
    }

    /// As the plan prints it for a ring without a document.
    private String clusterId() throws IOException, GitAPIException {
        commit(ANN, "Remove the document");
        var found = Pattern.compile("cluster ID ([0-9a-f]+)").matcher(plan("human"));
        assertThat(found.find()).isTrue();
        return Optional.ofNullable(found.group(1)).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "ClusterIssuer, corporate, 90d, ClusterIssuer corporate of cert-manager",
        "Issuer, other, 90d, Issuer other of cert-manager",
        "Issuer, corporate, 3650d, 'Issuer corporate of cert-manager, for 3650d'"
    })
    void anotherIssuer(String kind, String name, String duration, String carried) throws IOException, GitAPIException {
        ring("3.5.16", issuer("Issuer", "corporate", "90d"));
        commit(ANN, "Encrypt");

        another("MigrateTls", carried, () -> ring("3.5.16", issuer(kind, name, duration)));
    }

    private static String issuer(String kind, String name, String duration) {
        return "tls:\n  peer: mutual\n  client: mutual\n  issuer: {kind: %s, name: %s, duration: %s}"
                .formatted(kind, name, duration);
    }

    @Test
    void sameChangeWrittenDifferentlyKeepsItsId() throws IOException, GitAPIException {
        ring("3.5.17", "");
        commit(ANN, "Upgrade");
        var asked = planned("UpgradeVersion");

        ring("3.5.17", "image:\n  repository: gcr.io/etcd-development/etcd");
        commit(BOB, "Name the image that runs anyway");

        assertThat(planned("UpgradeVersion").path("id")).isEqualTo(asked.path("id"));
    }
}
