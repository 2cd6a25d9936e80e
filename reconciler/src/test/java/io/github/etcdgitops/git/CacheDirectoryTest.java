package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.cache.CacheDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheDirectoryTest {
    @TempDir
    Path folder;

    @Test
    void isSharedByRunsAfterOneAnother() {
        Path first;
        try (var cache = CacheDirectory.open(folder, "key")) {
            first = cache.repository();
        }

        try (var cache = CacheDirectory.open(folder, "key")) {
            assertThat(cache.isPrivate()).isFalse();
            assertThat(cache.repository()).isEqualTo(first);
        }
    }

    @Test
    void isNotSharedByAnotherProcess() throws Exception {
        Process other = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        folder.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = other.inputReader()) {
            assertThat(output.readLine()).isEqualTo("false");

            try (var cache = CacheDirectory.open(folder, "key")) {
                assertThat(cache.isPrivate()).isTrue();
            }

            other.outputWriter().close();
            assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
            try (var cache = CacheDirectory.open(folder, "key")) {
                assertThat(cache.isPrivate()).isFalse();
            }
        } finally {
            other.destroy();
        }
    }

    /// Holds the cache until its input ends.
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws IOException {
            try (var cache = CacheDirectory.open(Path.of(arguments[0]), "key")) {
                System.out.println(cache.isPrivate());
                assertThat(System.in.read()).isNegative();
            }
        }
    }
}
