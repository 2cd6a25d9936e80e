package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ManyObjectsTest {
    /// A quarter of the heap that a CronJob's pod has.
    private static final String HEAP = "-Xmx64m";

    @Test
    void readsMuchMoreThanFitsIntoAQuarterOfTheShippedHeap() throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ManyObjects.class.getName())
                .redirectErrorStream(true)
                .start();

        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("rings 1001, ours true")
                .contains("name 9150 more rings without a document")
                .contains("there are more than 500000 objects. Give the policy its own prefix");
    }
}
