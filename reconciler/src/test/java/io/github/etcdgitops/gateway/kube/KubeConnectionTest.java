package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.KubeConnection.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeConnectionTest {
    private static final String SECRET = "hunter2";
    private static final String KUBECONFIG = """
        apiVersion: v1
        kind: Config
        clusters:
        - {name: one, cluster: {server: "https://127.0.0.1:6441"}}
        - {name: two, cluster: {server: "https://127.0.0.1:6442"}}
        users:
        - {name: me, user: {token: %s}}
        contexts:
        - {name: first, context: {cluster: one, user: me}}
        - {name: second, context: {cluster: two, user: me}}
        """.formatted(SECRET);

    @TempDir
    Path folder = Path.of("");

    private Settings settings(String text, Optional<String> context) throws IOException {
        Path file = Files.writeString(folder.resolve("config"), text);
        Settings base = Settings.DEFAULT;
        return new Settings(
                Optional.of(file),
                context,
                base.namespaces(),
                base.maxInFlight(),
                base.connectTimeout(),
                base.requestTimeout());
    }

    private static String master(Settings settings) {
        try (var connection = KubeConnection.open(settings, Map.of())) {
            return connection.url();
        }
    }

    @Test
    void takesTheCurrentContextOrTheOneItIsTold() throws IOException {
        String text = KUBECONFIG + "current-context: first\n";

        assertThat(master(settings(text, Optional.empty()))).isEqualTo("https://127.0.0.1:6441/");
        assertThat(master(settings(text, Optional.of("second")))).isEqualTo("https://127.0.0.1:6442/");
    }

    @Test
    void refusesAContextThatIsNotThere() throws IOException {
        Settings unknown = settings(KUBECONFIG + "current-context: first\n", Optional.of("third"));

        assertThatThrownBy(() -> KubeConnection.open(unknown, Map.of()))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("third")
                .hasMessageNotContaining(SECRET);
    }

    @Test
    void refusesAKubeconfigThatDoesNotSayWhichCluster() throws IOException {
        Settings open = settings(KUBECONFIG, Optional.empty());

        assertThatThrownBy(() -> KubeConnection.open(open, Map.of())).isInstanceOf(GatewayException.class);
    }

    @Test
    void refusesAFileThatIsNoKubeconfig() throws IOException {
        Settings broken = settings("token: [" + SECRET, Optional.empty());
        Settings missing = Settings.DEFAULT.withKubeconfig(folder.resolve("nothing"));

        assertThatThrownBy(() -> KubeConnection.open(broken, Map.of()))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("config")
                .hasMessageNotContaining(SECRET)
                .hasNoCause();
        assertThatThrownBy(() -> KubeConnection.open(missing, Map.of())).isInstanceOf(GatewayException.class);
    }
}
