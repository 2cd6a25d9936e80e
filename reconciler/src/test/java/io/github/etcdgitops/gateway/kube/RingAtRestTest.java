package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The library's types of Kubernetes' objects are more than a thousand classes, and loading them takes longer than
/// planning a small fleet.
class RingAtRestTest {
    private static final String TYPES = "io.fabric8.kubernetes.api.model.";

    @Test
    void rendersAndComparesWithoutTheLibrarysTypes() throws IOException, InterruptedException {
        assertThat(loaded("plain"))
                .anyMatch(line -> line.contains("gateway.kube.manifest.TemplateDigest "))
                .noneMatch(line -> line.contains(TYPES));
    }

    /// They alone know what Kubernetes takes.
    @Test
    void checksValuesOfKubernetesWithThem() throws IOException, InterruptedException {
        assertThat(loaded("own")).anyMatch(line -> line.contains(TYPES + "PodSpec "));
    }

    private static List<String> loaded(String spec) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xlog:class+load",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RingAtRest.class.getName(),
                        spec)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.lines().toList();
    }
}
