package io.github.etcdgitops.sandbox.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.sandbox.etcd.EtcdReleases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImagesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "gcr.io/etcd-development/etcd:v3.5.16, 3.5.16",
        "localhost:5000/etcd:3.4.23@sha256:abc, 3.4.23",
        "quay.io/coreos/etcd:v3.6.0-rc.1, 3.6.0-rc.1",
        "bitnami/etcd:3.5.30-1, 3.5.30"
    })
    void takesEtcdVersionFromImageTag(String reference, String version) throws Exception {
        Path etcd = etcd(version);

        Image image = images("etcd-gitops").pull(reference, System.out::println);

        assertThat(image.layers()).containsExactly(new Image.Layer(etcd, "/usr/local/bin"));
        assertThat(image.entrypoint()).containsExactly("/usr/local/bin/etcd");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "busybox:1.0.0",
                "etcd:latest",
                "example.org/etcd@sha256:abc",
                "my-etcd:v3.5.16",
                "my-etcd-gitops:1",
                "etcd-gitops/other:1",
                "etcd-gitops.invalid/none:1"
            })
    void refusesUnknownImages(String reference) {
        assertThatThrownBy(() -> images("etcd-gitops").pull(reference, System.out::println))
                .isInstanceOf(ImageUnavailable.class)
                .hasMessageContaining("REPOSITORY/etcd:vX.Y.Z");
    }

    @ParameterizedTest
    @CsvSource({
        "etcd-gitops, etcd-gitops",
        "etcd-gitops, etcd-gitops:0.1.0",
        "etcd-gitops, localhost:5000/etcd-gitops",
        "etcd-gitops, registry.example/team/etcd-gitops:1@sha256:abc",
        "team/gitops, registry.example/team/gitops:1"
    })
    void etcdGitopsIsThisCheckoutWhateverItsTag(String repository, String reference) throws Exception {
        Files.writeString(folder.resolve("etcd-gitops.jar"), "");

        Image image = images(repository).pull(reference, System.out::println);

        assertThat(image.layers()).contains(new Image.Layer(folder, "/app"));
        assertThat(image.entrypoint()).startsWith("/jre/bin/java").endsWith("-jar", "/app/etcd-gitops.jar");
    }

    @Test
    void saysHowEtcdGitopsIsBuilt() {
        assertThatThrownBy(() -> images("etcd-gitops").pull("etcd-gitops:1", System.out::println))
                .isInstanceOf(ImageUnavailable.class)
                .hasMessageContaining("Run ./etcd-gitops version");
    }

    /// In a JVM of its own, which is what it is for.
    @Test
    void wildcardListenerUsesPodAddress() throws Exception {
        Path program = Files.writeString(folder.resolve("Listen.java"), """
            void main() throws Exception {
                try (var any = new java.net.ServerSocket(0);
                        var given = new java.net.ServerSocket(0, 1, java.net.InetAddress.getByName("127.9.8.6"));
                        var late = new java.net.ServerSocket()) {
                    late.bind(new java.net.InetSocketAddress(0));
                    for (var each : java.util.List.of(any, given, late)) {
                        IO.println(each.getInetAddress().getHostAddress());
                    }
                }
            }
            """);

        Process java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-javaagent:"
                                + OwnAddress.write(folder.resolve("agent")).resolve(OwnAddress.JAR) + "=127.9.8.7",
                        program.toString())
                .redirectErrorStream(true)
                .start();
        try {
            java.getOutputStream().close();
            assertThat(java.inputReader().readAllLines()).containsExactly("127.9.8.7", "127.9.8.6", "127.9.8.7");
        } finally {
            java.destroyForcibly().waitFor(1, TimeUnit.MINUTES);
        }
    }

    private Images images(String repository) {
        var releases = EtcdReleases.of(Map.of(
                "ETCD_HOME", folder.toString(),
                "ETCD_RELEASES", "file:///nothing/is/fetched/by/tests",
                "XDG_CACHE_HOME", folder.resolve("cache").toString()));
        return new Images(
                releases, new OwnImage(repository, folder.resolve("etcd-gitops.jar"), folder.resolve("agent")));
    }

    private Path etcd(String version) throws IOException {
        Path home = Files.createDirectories(folder.resolve(version));
        for (String name : List.of("etcd", "etcdctl")) {
            Files.writeString(home.resolve(name), "#!/bin/sh\necho 'etcd Version: " + version + "'\n");
            Files.setPosixFilePermissions(home.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return home;
    }
}
