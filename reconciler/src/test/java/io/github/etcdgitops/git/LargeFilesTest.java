package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.TestRepository.Entry;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.eclipse.jgit.lib.FileMode;
import org.junit.jupiter.api.Test;

/// Large files beside the documents, and in their place.
class LargeFilesTest extends WithOrigin {
    private static final int LARGE = 3 << 20;

    private String commitWithALargeFile(String path) {
        var noise = new byte[LARGE];
        new Random(1).nextBytes(noise);
        var large = new Entry(path, FileMode.REGULAR_FILE, origin.blob(noise));
        var small = origin.file("a.yaml", "a");
        return origin.commit(
                "refs/heads/main",
                path.endsWith(".yaml")
                        ? origin.tree(origin.folder("clusters", small, large))
                        : origin.tree(origin.folder("clusters", small), large));
    }

    private long cached() throws IOException {
        try (var files = Files.walk(cache)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(f -> f.toFile().length())
                    .sum();
        }
    }

    @Test
    void aLargeFileBesideTheDocumentsIsNotFetched() throws Exception {
        String commit = commitWithALargeFile("video.bin");

        try (var git = open()) {
            assertThat(git.read(git.resolve("main")).documents()).containsOnlyKeys("clusters/a.yaml");
            assertThat(git.resolve(commit)).isEqualTo(commit);
            assertThat(cached()).isLessThan(LARGE / 10);
        }
    }

    @Test
    void aLargeDocumentIsRefusedUnfetchedAlsoFromAWarmCache() throws Exception {
        commitWithALargeFile("large.yaml");

        for (int run = 0; run < 2; run++) {
            try (var git = open()) {
                var tree = git.read(git.resolve("main"));
                assertThat(tree.documents()).containsOnlyKeys("clusters/a.yaml");
                assertThat(tree.violations()).extracting(Violation::code).containsExactly("file-too-large");
            }
        }
        assertThat(cached()).isLessThan(LARGE / 10);
    }

    @Test
    void aFileThatWasTooLargeIsReadOnceItIsSmall() throws Exception {
        commitWithALargeFile("large.yaml");
        try (var git = open()) {
            git.read(git.resolve("main"));
        }
        var small = "x".repeat(200 << 10);
        origin.commit(
                "refs/heads/main",
                origin.tree(origin.folder("clusters", origin.file("a.yaml", "a"), origin.file("large.yaml", small))));

        try (var git = open()) {
            assertThat(git.read(git.resolve("main")).documents()).containsKey("clusters/large.yaml");
        }
    }

    @Test
    void aServerThatLeavesNothingOutIsReadAllTheSame() throws Exception {
        commitWithALargeFile("video.bin");
        try (var server = SmartHttpServer.open(folder);
                var git = over(server)) {
            assertThat(git.read(git.resolve("main")).documents()).containsOnlyKeys("clusters/a.yaml");
            assertThat(cached()).isGreaterThan(LARGE);
        }
    }

    @Test
    void aServerIsAskedToLeaveLargeFilesOut() throws Exception {
        commitWithALargeFile("video.bin");
        NativeGit.run(origin.path, "config", "uploadpack.allowFilter", "true");
        try (var server = SmartHttpServer.open(folder);
                var git = over(server)) {
            assertThat(git.read(git.resolve("main")).documents()).containsOnlyKeys("clusters/a.yaml");
            assertThat(cached()).isLessThan(LARGE / 10);
        }
    }

    private GitRepository over(SmartHttpServer server) {
        return GitRepository.open(
                RepositoryAddress.parse(server.url() + "/origin.git", Path.of("/")), GitAccess.none(), cache);
    }
}
