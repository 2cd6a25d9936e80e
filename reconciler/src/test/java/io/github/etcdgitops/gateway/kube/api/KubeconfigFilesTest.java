package io.github.etcdgitops.gateway.kube.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KubeconfigFilesTest {
    private static final String KUBECONFIG = """
        apiVersion: v1
        kind: Config
        preferences: {colors: true}
        current-context: files
        clusters:
        - name: files
          cluster:
            server: https://127.0.0.1:6441
            certificate-authority: pki/ca.crt
            extensions:
            - name: cluster_info
              extension: {provider: minikube.sigs.k8s.io, version: v1.33.0}
        - name: data
          cluster:
            server: https://kube.example.org/k8s/clusters/c-1
            certificate-authority-data: Q0E=
            tls-server-name: kubernetes
            proxy-url: http://proxy.example.org:3128
        - {name: open, cluster: {server: "https://127.0.0.1:6443", insecure-skip-tls-verify: true}}
        users:
        - {name: files, user: {client-certificate: pki/me.crt, client-key: /pki/me.key}}
        - {name: data, user: {client-certificate-data: Y3J0, client-key-data: a2V5}}
        - {name: token, user: {token: secret}}
        - {name: token-file, user: {tokenFile: token}}
        - {name: password, user: {username: me, password: secret}}
        - {name: acting, user: {token: secret, as: somebody, as-groups: [one, two]}}
        - name: exec
          user:
            exec:
              apiVersion: client.authentication.k8s.io/v1
              command: ./login
              args: [--quietly]
              interactiveMode: Never
              env:
              - {name: PLACE, value: here}
        contexts:
        - {name: files, context: {cluster: files, user: files, namespace: shop}}
        - {name: data, context: {cluster: data, user: data}}
        - {name: token, context: {cluster: open, user: token}}
        - {name: token-file, context: {cluster: open, user: token-file}}
        - {name: password, context: {cluster: open, user: password}}
        - {name: acting, context: {cluster: open, user: acting}}
        - {name: exec, context: {cluster: open, user: exec}}
        """;

    @TempDir
    Path folder = Path.of("");

    private Path kubeconfig(String text) throws IOException {
        Files.writeString(folder.resolve("token"), "from-a-file");
        Path login = Files.writeString(folder.resolve("login"), """
            #!/bin/sh
            echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'"$PLACE"'"}}'
            """);
        assertThat(login.toFile().setExecutable(true)).isTrue();
        return Files.writeString(folder.resolve("config"), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"files", "data", "token", "token-file", "password", "acting", "exec"})
    void readsWhatTheLibraryReads(String context) throws IOException {
        Path file = kubeconfig(KUBECONFIG);
        Config library = Config.fromKubeconfig(context, file.toFile());

        Config read = KubeconfigFiles.read(List.of(file), context);

        assertThat(read)
                .usingRecursiveComparison()
                .ignoringFields("contexts", "currentContext")
                .isEqualTo(library);
        assertThat(read.getCurrentContext().getName()).isEqualTo(context);
    }

    @Test
    void callsTheCommandOfItsFolder() throws IOException {
        Config read = KubeconfigFiles.read(List.of(kubeconfig(KUBECONFIG)), "exec");

        assertThat(read.getAutoOAuthToken()).isEqualTo("here");
    }

    @Test
    void takesTheCurrentContext() throws IOException {
        Config read = KubeconfigFiles.read(List.of(kubeconfig(KUBECONFIG)), null);

        assertThat(read.getMasterUrl()).isEqualTo("https://127.0.0.1:6441/");
        assertThat(read.getCaCertFile()).isEqualTo(folder.resolve("pki/ca.crt").toString());
        assertThat(read.getNamespace()).isEqualTo("shop");
    }

    @Test
    void joinsFiles() throws IOException {
        Path users = Files.writeString(folder.resolve("users"), """
            {"users": [{"name": "me", "user": {"token": "secret"}}],
             "contexts": [{"name": "joined", "context": {"cluster": "open", "user": "me"}}]}
            """);

        Config read = KubeconfigFiles.read(List.of(users, kubeconfig(KUBECONFIG)), "joined");

        assertThat(read.getMasterUrl()).isEqualTo("https://127.0.0.1:6443/");
        assertThat(read.getAutoOAuthToken()).isEqualTo("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "- a list", "a word", "users: 5", "users: [", "clusters: [{name: [1]}]"})
    void refusesWhatIsNoKubeconfig(String text) throws IOException {
        Path file = kubeconfig(text);

        assertThatThrownBy(() -> KubeconfigFiles.read(List.of(file), null)).isInstanceOf(Exception.class);
    }

    @Test
    void findsTheFilesThatKubectlTakes() throws IOException {
        Path file = kubeconfig(KUBECONFIG);
        Path home = Files.createDirectories(folder.resolve("home/.kube")).getParent();

        assertThat(KubeconfigFiles.found(
                        Map.of("KUBECONFIG", file + ":" + folder.resolve("nothing"), "HOME", home.toString())))
                .containsExactly(file);
        assertThat(KubeconfigFiles.found(Map.of("HOME", home.toString()))).isEmpty();
        Path own = Files.writeString(home.resolve(".kube/config"), KUBECONFIG);
        assertThat(KubeconfigFiles.found(Map.of("HOME", home.toString(), "KUBECONFIG", "")))
                .containsExactly(own);
    }
}
