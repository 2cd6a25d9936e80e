package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.Version;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VersionTest {
    private static final String[] VERSION = {"version"};

    @Test
    void theVersionAloneNeedsNoCommandLine() {
        assertThat(Version.alone(VERSION, Map.of("HOME", "/tmp"))).isTrue();
        assertThat(Version.alone(new String[] {"-V"}, Map.of("ETCD_GITOPS_JAVA_OPTS", "-Xmx1g")))
                .isTrue();
    }

    @Test
    void aSettingMayBeMisspelt() {
        assertThat(Version.alone(VERSION, Map.of("ETCD_GITOPS_FAIL_OM", "warn")))
                .isFalse();
    }

    @Test
    void anythingElseIsParsed() {
        assertThat(Version.alone(new String[0], Map.of())).isFalse();
        assertThat(Version.alone(new String[] {"version", "--help"}, Map.of())).isFalse();
    }
}
