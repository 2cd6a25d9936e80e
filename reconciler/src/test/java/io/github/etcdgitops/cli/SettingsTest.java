package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    private static final String EXAMPLE = "../example-repo";

    @TempDir
    Path folder;

    private Path config(String text) throws IOException {
        return Files.writeString(folder.resolve("settings"), text);
    }

    @Test
    void rejectsUnknownVariable() {
        var ran = Ran.of(Map.of("ETCD_GITOPS_FAIL_OM", "warn"), "version");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).contains("ETCD_GITOPS_FAIL_OM", "fail-on");
    }

    @Test
    void rejectsUnknownSettingInFile() throws IOException {
        var ran = Ran.of(Map.of("ETCD_GITOPS_CONFIG", config("fail-om=warn\n").toString()), "version");

        assertThat(ran.code()).isEqualTo(78);
        assertThat(ran.err()).contains("fail-om");
    }

    @Test
    void rejectsMissingFile() {
        var ran = Ran.of(Map.of("ETCD_GITOPS_CONFIG", folder.resolve("none").toString()), "version");

        assertThat(ran.code()).isEqualTo(78);
    }

    @Test
    void otherVariablesAreNoBusinessOfOurs() {
        assertThat(Ran.of(Map.of("ETCD_NAME", "x", "ETCD_GITOPS_GIT_TOKEN", "secret"), "version")
                        .code())
                .isZero();
    }

    @Test
    void takesSettingFromFile() throws IOException {
        var file = config("output=json\n").toString();

        assertThat(Ran.of(Map.of("ETCD_GITOPS_CONFIG", file), "validate", EXAMPLE)
                        .out())
                .startsWith("{");
    }

    @Test
    void environmentOverridesFile() throws IOException {
        var file = config("output=json\n").toString();

        var ran = Ran.of(Map.of("ETCD_GITOPS_CONFIG", file, "ETCD_GITOPS_OUTPUT", "human"), "validate", EXAMPLE);

        assertThat(ran.out()).doesNotStartWith("{").contains("violations");
    }

    @Test
    void commandLineOverridesEnvironment() {
        var ran = Ran.of(Map.of("ETCD_GITOPS_OUTPUT", "human"), "validate", EXAMPLE, "-o", "json");

        assertThat(ran.out()).startsWith("{");
    }
}
