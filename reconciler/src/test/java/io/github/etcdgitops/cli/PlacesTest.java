package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What `validate` says of documents that name a place which the operator does not allow.
class PlacesTest {
    @TempDir
    Path folder;

    @BeforeEach
    void allow() throws IOException {
        Files.writeString(
                Files.createDirectories(folder.resolve("credentials/storage")).resolve("places"),
                "s3://etcd-backups/team-a/ endpoint=https://minio.example\ngs://etcd-backups/team-a/\n");
    }

    private Map<String, String> settings() {
        return Map.of(
                "ETCD_GITOPS_CREDENTIALS_DIR",
                folder.resolve("credentials").toString(),
                "ETCD_GITOPS_PLACES",
                "file:///backups/");
    }

    private void restore(String from) throws IOException {
        write("clusters/loot.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdCluster
            metadata: {name: loot, namespace: demo}
            spec: {size: 3, version: "3.5.16", storage: {size: 1Gi}}
            ---
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdRestore
            metadata: {name: loot}
            spec:
              cluster: {namespace: demo, name: loot}
              from: %s
            """.formatted(from));
    }

    private void policy(String destination) throws IOException {
        write("policies/nightly.yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec: {destination: %s}
            """.formatted(destination));
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve("config").resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Ran validate(Map<String, String> environment) {
        return Ran.of(environment, "validate", folder.resolve("config").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{url: \"gs://any/any\", endpoint: \"http://127.0.0.1:8080\", credentialsRef: {name: storage}}",
                "{url: \"gs://etcd-backups/team-b/a.db\", credentialsRef: {name: storage}}",
                "{url: \"gs://etcd-backups/team-ab/a.db\", credentialsRef: {name: storage}}",
                "{url: \"gs://etcd-backups/team-a\", credentialsRef: {name: storage}}",
                "{url: \"gs://etcd-backups/team-a/a.db\"}",
                "{url: \"gs://etcd-backups/team-a/a.db\", credentialsRef: {name: other}}",
                "{url: \"s3://etcd-backups/team-a/a.db\", region: eu, credentialsRef: {name: storage}}",
                "{url: \"s3://etcd-backups/team-a/a.db\", endpoint: \"http://minio.example\", credentialsRef: {name:"
                        + " storage}}",
                "{url: \"file:///etc/passwd\"}",
                "{url: \"file:///a.db\"}",
                "{url: \"file:///backups2/a.db\"}",
            })
    void refusesARestoreFromAPlaceThatTheOperatorDoesNotAllow(String from) throws IOException {
        restore(from);

        var ran = validate(settings());

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out())
                .contains("clusters/loot.yaml:6:1: error [place-not-allowed]")
                .contains("`spec.from`: ")
                .contains("the operator of the reconciler adds this line there: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{gcs: {bucket: etcd-backups, credentialsRef: {name: storage}}}",
                "{gcs: {bucket: etcd-backups, prefix: team-b, credentialsRef: {name: storage}}}",
                "{s3: {bucket: etcd-backups, prefix: team-a, endpoint: \"https://evil.example\", credentialsRef:"
                        + " {name: storage}}}",
                "{s3: {bucket: etcd-backups, prefix: team-a, region: eu, credentialsRef: {name: storage}}}",
                "{directory: {path: /var/lib}}",
            })
    void refusesADestinationThatTheOperatorDoesNotAllow(String destination) throws IOException {
        policy(destination);

        var ran = validate(settings());

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).contains("policies/nightly.yaml:1:1: error [place-not-allowed]", "`spec.destination`: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{url: \"gs://etcd-backups/team-a/a.db\", credentialsRef: {name: storage}}"
                        + "|{gcs: {bucket: etcd-backups, prefix: team-a, credentialsRef: {name: storage}}}",
                "{url: \"file:///backups/a.db\"}|{directory: {path: /backups, prefix: x}}",
            })
    void acceptsWhatTheOperatorAllows(String from, String destination) throws IOException {
        restore(from);
        policy(destination);

        var ran = validate(settings());

        assertThat(ran.out()).contains("0 violations");
        assertThat(ran.code()).isZero();
    }

    @Test
    void leavesPlacesAloneWhereTheSettingsAreNotGiven() throws IOException {
        policy("{directory: {path: /var/lib}}");

        assertThat(validate(Map.of()).code()).isZero();
    }

    @Test
    void takesTheSettingFromTheFileAsWell() throws IOException {
        policy("{directory: {path: /backups}}");
        Path file = Files.writeString(folder.resolve("settings"), "places=file:///elsewhere/;file:///more/\n");

        assertThat(validate(Map.of("ETCD_GITOPS_CONFIG", file.toString())).code())
                .isEqualTo(10);

        Files.writeString(file, "places=file:///elsewhere/;file:///backups/\n");
        assertThat(validate(Map.of("ETCD_GITOPS_CONFIG", file.toString())).code())
                .isZero();
    }
}
