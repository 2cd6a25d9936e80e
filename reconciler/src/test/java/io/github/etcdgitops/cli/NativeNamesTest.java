package io.github.etcdgitops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.cli.console.NativeNames;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeNamesTest {
    private static final NativeNames ASCII = new NativeNames(Optional.of(StandardCharsets.US_ASCII), "LC_ALL=C");

    @TempDir
    Path folder;

    @Test
    void namesTheFolderAndTheLocale() {
        assertThat(ASCII.unreadable(new String[] {"validate"}, "/home/caf\uFFFD\uFFFD"))
                .contains("the working directory /home/caf\uFFFD\uFFFD holds characters that cannot be read in this"
                        + " locale (LC_ALL=C, encoding US-ASCII); set LC_ALL=C.UTF-8");
    }

    @Test
    void namesAnArgument() {
        assertThat(ASCII.unreadable(new String[] {"validate", "caf\uFFFD\uFFFD"}, "/tmp"))
                .hasValueSatisfying(why -> assertThat(why).startsWith("the argument caf"));
    }

    @Test
    void acceptsReadableNames() {
        var utf8 = new NativeNames(Optional.of(StandardCharsets.UTF_8), "LANG=en_US.UTF-8");

        assertThat(utf8.unreadable(new String[] {"validate", "caf\uFFFD"}, "/tmp"))
                .isEmpty();
        assertThat(ASCII.unreadable(new String[] {"validate", "clusters"}, "/tmp"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"validate", "plan", "doctor", "policy list", "validate clusters"})
    void reportsUnreadableFolderNameInLocaleC(String command) throws IOException, InterruptedException {
        var place = Files.createDirectories(folder.resolve("caf\u00e9"));

        var process = new ProcessBuilder(List.of(
                        "/bin/sh",
                        "-c",
                        "cd caf* && exec \"$JAVA\" -cp \"$CLASSES\" io.github.etcdgitops.Main " + command))
                .directory(folder.toFile())
                .redirectErrorStream(true);
        process.environment().clear();
        process.environment().put("LC_ALL", "C");
        process.environment()
                .put(
                        "JAVA",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString());
        process.environment().put("CLASSES", absolute(System.getProperty("java.class.path")));
        var running = process.start();
        String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(running.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(place).exists();
        assertThat(said).contains("the working directory ", "/caf", "LC_ALL=C", "set LC_ALL=C.UTF-8");
        assertThat(running.exitValue()).isEqualTo(78);
    }

    private static String absolute(String classPath) {
        return String.join(
                File.pathSeparator,
                Arrays.stream(classPath.split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }
}
