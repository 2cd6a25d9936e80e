package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.git.TestRepository.Entry;
import io.github.etcdgitops.git.cache.CacheRepository;
import io.github.etcdgitops.git.cache.Store;
import io.github.etcdgitops.git.publish.BranchTree;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.remote.Remote;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.validation.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.transport.RefSpec;
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
    void fetchesNoLargeFileBesideDocuments() throws Exception {
        String commit = commitWithALargeFile("video.bin");

        try (var git = open()) {
            assertThat(git.read(git.resolve("main")).documents()).containsOnlyKeys("clusters/a.yaml");
            assertThat(git.resolve(commit)).isEqualTo(commit);
            assertThat(cached()).isLessThan(LARGE / 10);
        }
    }

    @Test
    void refusesLargeDocumentWithoutFetchingIt() throws Exception {
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
    void readsFileOnceItIsSmallEnough() throws Exception {
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
    void readsFromServerWithoutFilterSupport() throws Exception {
        commitWithALargeFile("video.bin");
        try (var server = SmartHttpServer.open(folder);
                var git = over(server)) {
            assertThat(git.read(git.resolve("main")).documents()).containsOnlyKeys("clusters/a.yaml");
            assertThat(cached()).isGreaterThan(LARGE);
        }
    }

    @Test
    void asksServerToOmitLargeFiles() throws Exception {
        commitWithALargeFile("video.bin");
        NativeGit.run(origin.path, "config", "uploadpack.allowFilter", "true");
        try (var server = SmartHttpServer.open(folder);
                var git = over(server)) {
            assertThat(git.read(git.resolve("main")).documents()).containsOnlyKeys("clusters/a.yaml");
            assertThat(cached()).isLessThan(LARGE / 10);
        }
    }

    @Test
    void refusesOversizedFetchWithoutCachingIt() throws Exception {
        commitWithALargeFile("video.bin");
        try (var server = SmartHttpServer.open(folder);
                var git = over(server, LARGE / 2)) {
            assertThatExceptionOfType(GitException.class)
                    .isThrownBy(() -> git.resolve("main"))
                    .withMessageContaining("sends more than " + LARGE / 2 + " bytes")
                    .withMessageContaining("uploadpack.allowFilter")
                    .withMessageContaining("--max-fetch")
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(GitException.Kind.TOO_LARGE));
            assertThat(cached()).isLessThan(LARGE / 10);
        }
    }

    @Test
    void fetchesOnceLimitIsRaised() throws Exception {
        commitWithALargeFile("video.bin");
        try (var server = SmartHttpServer.open(folder)) {
            try (var git = over(server, LARGE / 2)) {
                assertFails(GitException.Kind.TOO_LARGE, () -> git.resolve("main"));
            }
            try (var git = over(server, LARGE * 2)) {
                assertThat(git.read(git.resolve("main")).documents()).containsOnlyKeys("clusters/a.yaml");
            }
        }
    }

    @Test
    void givesUpOnSlowServer() throws Exception {
        commitWithALargeFile("video.bin");
        var settings = new FileRepositoryBuilder()
                .setGitDir(folder.resolve("slow.git").toFile())
                .setBare()
                .setup();
        try (var slow = new CacheRepository(settings, Long.MAX_VALUE, Duration.ZERO);
                var server = SmartHttpServer.open(folder);
                var remote = new Remote(address(server), GitAccess.none(), folder.resolve("nobody"))) {
            slow.create(true);

            assertFails(
                    GitException.Kind.UNREACHABLE,
                    () -> remote.fetch(slow, List.of(new RefSpec("+refs/heads/main:refs/x")), 1, false));
        }
    }

    @Test
    void listsLargeFileAmongDocumentsWithoutViolation() {
        var noise = new byte[LARGE];
        new Random(1).nextBytes(noise);
        var large = new Entry("dump.bin", FileMode.REGULAR_FILE, origin.blob(noise));
        origin.commit("refs/heads/main", origin.tree(origin.folder("clusters", origin.file("a.yaml", "a"), large)));

        try (var git = open()) {
            var tree = git.read(git.resolve("main"));

            assertThat(tree.large()).containsExactly("clusters/dump.bin");
            assertThat(tree.violations()).isEmpty();
        }
    }

    @Test
    void tooLargeReportFileCountsAsAbsent() {
        var large = new Entry("run.json", FileMode.REGULAR_FILE, origin.blob(new byte[33 << 20]));
        origin.commit(
                "refs/heads/reports", origin.tree(origin.folder("latest", origin.file("plan.json", "{}"), large)));

        try (var git = open()) {
            var publisher = TestReports.publisher(git);

            assertThat(publisher.readReport("reports", "latest/run.json")).isEmpty();
            assertThat(publisher.readReport("reports", "latest/plan.json")).isPresent();
        }
    }

    @Test
    void docsStateFetchAndReadLimits() throws IOException {
        var page = Files.readString(Path.of("../docs/limits.md"));

        assertThat(page).contains("| one fetch from the Git server | " + Store.MOST_FETCHED + " bytes");
        assertThat(page).contains("| a file of the report branch that is read | " + BranchTree.LARGEST_READ + " bytes");
    }

    private GitRepository over(SmartHttpServer server) {
        return GitRepository.open(address(server), GitAccess.none(), cache);
    }

    private GitRepository over(SmartHttpServer server, long most) {
        return GitRepository.open(address(server), GitAccess.none(), Optional.empty(), cache, most);
    }

    private static RepositoryAddress address(SmartHttpServer server) {
        return RepositoryAddress.parse(server.url() + "/origin.git", Path.of("/"));
    }
}
