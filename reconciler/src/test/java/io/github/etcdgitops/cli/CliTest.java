package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CliTest {
    private static final String EXAMPLE = "../example-repo";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "validate",
                "plan",
                "apply",
                "reconcile",
                "serve",
                "status",
                "approve",
                "backup",
                "restore",
                "drill",
                "doctor",
                "schema",
                "features",
                "completion",
                "version"
            })
    void everyCommandExplainsItself(String command) {
        var ran = Ran.of(command, "--help");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("Usage: etcd-gitops " + command);
        assertThat(ran.err()).isEmpty();
    }

    @Test
    void withoutACommandItExplainsItself() {
        assertThat(Ran.of().code()).isZero();
        assertThat(Ran.of().out()).contains("reconcile", "Exit codes:");
    }

    /// Before it does anything: a run that ends with an error because nobody can write its result has run.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "status -o html",
                "reconcile --repo nowhere -o human,sarif=x.sarif",
                "serve --schedule=x -o junit",
                "apply p.json -o github",
                "validate nowhere -o html",
                "backup list -o html=x.html",
                "plan --repo nowhere -o pdf"
            })
    void refusesUnsupportedFormat(String line) {
        var ran = Ran.of(line.split(" "));

        assertThat(ran.code()).isEqualTo(64);
        assertThat(ran.err()).contains("output format", "markdown").doesNotContain("nowhere", "\tat ");
    }

    @Test
    void suggestsCommandForMisspeltOne() {
        var ran = Ran.of("reconcil");

        assertThat(ran.code()).isEqualTo(64);
        assertThat(ran.err()).contains("reconcile").doesNotContain("\tat ");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void suggestsOptionForMisspeltOne() {
        var ran = Ran.of("plan", "--detailed-exit");

        assertThat(ran.code()).isEqualTo(64);
        assertThat(ran.err()).contains("--detailed-exitcode");
    }

    @Test
    void rejectsInvalidPlanTimeAndSavingPlanOfOtherTime() {
        var wrong = Ran.of("plan", "--now", "tomorrow");
        var saved = Ran.of("plan", "--now", "2027-03-28T02:30:00+01:00", "--out", "plan.json");

        assertThat(wrong.code()).isEqualTo(64);
        assertThat(wrong.err()).contains("'tomorrow' is not a time; expected for example 2027-03-28T02:30:00Z");
        assertThat(saved.code()).isEqualTo(64);
        assertThat(saved.err()).contains("--out cannot be combined with --now");
    }

    @Test
    void rejectsMissingOption() {
        assertThat(Ran.of("approve").code()).isEqualTo(64);
        assertThat(Ran.of("apply").code()).isEqualTo(64);
    }

    @Test
    void versionsArePrintedTheSameEitherWay() {
        assertThat(Ran.of("version").out()).startsWith("etcd-gitops ").contains("Java 25");
        assertThat(Ran.of("--version").out()).isEqualTo(Ran.of("version").out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Fleet",
                "EtcdCluster",
                "EtcdBackup",
                "EtcdRestore",
                "VolumeReset",
                "MemberReplacement",
                "EtcdUser",
                "EtcdRole",
                "Tombstone",
                "BackupPolicy",
                "Approval",
                "Plan",
                "Run",
                "plan"
            })
    void everySchemaIsPrinted(String kind) throws IOException {
        var ran = Ran.of("schema", kind);

        assertThat(ran.code()).isZero();
        assertThat(new ObjectMapper().readTree(ran.out()).path("$schema").asText())
                .isEqualTo("https://json-schema.org/draft/2020-12/schema");
    }

    @Test
    void schemasAreListed() {
        assertThat(Ran.of("schema").out().lines())
                .containsExactly(
                        "Approval",
                        "BackupPolicy",
                        "Catalog",
                        "EtcdBackup",
                        "EtcdCluster",
                        "EtcdRestore",
                        "EtcdRole",
                        "EtcdUser",
                        "Fleet",
                        "MemberReplacement",
                        "Plan",
                        "Policy",
                        "PolicyExemption",
                        "PolicyTest",
                        "Run",
                        "Tombstone",
                        "VolumeReset");
    }

    @Test
    void namesKnownSchemasForUnknownOne() {
        var ran = Ran.of("schema", "Cluster");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).contains("EtcdCluster");
    }

    @Test
    void completionIsAShellScript() {
        assertThat(Ran.of("completion").out()).contains("complete -F").contains("etcd-gitops");
    }

    @Test
    void acceptsExample() {
        var ran = Ran.of("validate", EXAMPLE);

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).contains("0 violations");
        assertThat(ran.code()).isZero();
    }

    @Test
    void validationForMachinesIsJson() throws IOException {
        var json = new ObjectMapper()
                .readTree(Ran.of("validate", EXAMPLE, "-o", "json").out());

        assertThat(json.path("kind").asText()).isEqualTo("Validation");
        assertThat(json.path("violations")).isEmpty();
    }

    @Test
    void wrongDocumentsAreTen(@TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("clusters"));
        Files.writeString(
                folder.resolve("clusters/a.yaml"), "apiVersion: etcdgitops.dev/v1alpha1\nkind: EtcdCluster\n");

        var ran = Ran.of("validate", folder.toString());

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out()).contains("clusters/a.yaml:");
    }

    @Test
    void outputGoesToSeveralPlacesAtOnce(@TempDir Path folder) {
        var file = folder.resolve("out.json");

        var ran = Ran.of("validate", EXAMPLE, "-o", "human", "-o", "json=" + file);

        assertThat(ran.out()).contains("violations");
        assertThat(file).content().contains("\"Validation\"");
    }

    @Test
    void rejectsUnknownFormatAndListsKnownOnes() {
        var ran = Ran.of("validate", EXAMPLE, "-o", "xml");

        assertThat(ran.code()).isEqualTo(64);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("'xml'", "human, json, markdown");
    }

    @Test
    void rejectsUnknownFailOn() {
        var ran = Ran.of("validate", EXAMPLE, "--fail-on", "wrn");

        assertThat(ran.code()).isEqualTo(64);
    }

    @Test
    void reportsMissingRepositoryWithoutStackTrace(@TempDir Path folder) {
        var ran = Ran.of(
                Map.of("XDG_CACHE_HOME", folder.toString()),
                "plan",
                "--repo",
                folder.resolve("none").toString());

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).startsWith("error: ").doesNotContain("\tat ", "Exception");
    }

    @Test
    void refusesToApplyInvalidPlan(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("plan.json"), "{\"kind\":\"Plan\",\"formatVersion\":\"2.0\"}");

        var ran = Ran.of("apply", file.toString());

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).contains("is not a plan that this version can read");
    }
}
