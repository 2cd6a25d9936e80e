package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.git.publish.CommitMessage;
import io.github.etcdgitops.git.publish.Ownership;
import io.github.etcdgitops.git.publish.PublishResult;
import io.github.etcdgitops.git.publish.ReportPublisher;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.remote.Retry;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Against native `git` as the server side.
class GitOverHttpTest {
    private static final String TOKEN = "t0ken-that-nobody-may-see";
    private static final String BRANCH = "etcd-gitops/reports/prod";

    @TempDir
    Path folder;

    private TestRepository origin;

    @BeforeEach
    void create() {
        origin = TestRepository.bare(folder.resolve("fleet.git"));
        origin.commit("refs/heads/main", origin.files(Map.of("clusters/a.yaml", "one")));
    }

    @AfterEach
    void close() {
        origin.close();
    }

    private GitRepository open(String url, GitAccess access) {
        return GitRepository.open(RepositoryAddress.parse(url, folder), access, folder.resolve("cache"));
    }

    private static PublishResult publish(GitRepository git, String text) {
        var retry = new Retry(
                4,
                Duration.ofSeconds(30),
                Duration.ofMillis(1),
                Duration.ofMillis(2),
                RandomGenerator.getDefault(),
                () -> 0,
                _ -> {});
        var message = new CommitMessage(
                "Report", "", new LinkedHashMap<>(), new CommitMessage.Author("bot", "bot@example.org"), Instant.EPOCH);
        return new ReportPublisher(git, retry)
                .publish(BRANCH, _ -> TestReports.files("README.md", text), Ownership.REPORT, message);
    }

    private static GitException failure(Runnable work) {
        GitException e = catchThrowableOfType(GitException.class, work::run);
        var text = new StringWriter();
        e.printStackTrace(new PrintWriter(text, true));
        String basic = Base64.getEncoder().encodeToString(("x-access-token:" + TOKEN).getBytes(UTF_8));
        assertThat(text.toString()).doesNotContain(TOKEN).doesNotContain(basic);
        return e;
    }

    @Test
    void readsAndPublishes() throws Exception {
        try (var server = SmartHttpServer.open(folder);
                var git = open(server.url() + "/fleet.git", GitAccess.none())) {
            String first = git.resolve("main");
            origin.commit("refs/heads/main", origin.files(Map.of("clusters/a.yaml", "two")));

            assertThat(git.read(git.resolve("main")).documents().get("clusters/a.yaml"))
                    .isEqualTo("two".getBytes(UTF_8));
            assertThat(git.resolve(first)).isEqualTo(first);
            assertThat(publish(git, "1")).isInstanceOf(PublishResult.Published.class);
            assertThat(publish(git, "2")).isInstanceOf(PublishResult.Published.class);
            assertThat(publish(git, "2")).isInstanceOf(PublishResult.Unchanged.class);
        }

        assertThat(origin.history("refs/heads/" + BRANCH)).hasSize(2);
        NativeGit.run(origin.path, "fsck", "--strict");
    }

    @Test
    void tellsWhetherTheServerTakesPushesAndPushesNothing() throws IOException {
        try (var server = SmartHttpServer.open(folder);
                var git = open(server.url() + "/fleet.git", GitAccess.none())) {
            git.requirePushOffered();

            server.readOnly = true;
            assertThat(failure(git::requirePushOffered).kind()).isEqualTo(Kind.UNAUTHORIZED);
        }

        assertThat(origin.history("refs/heads/main")).hasSize(1);
    }

    @Test
    void sendsTheTokenWhenAskedForOne() throws IOException {
        try (var server = SmartHttpServer.withPassword(folder, TOKEN);
                var git = open(server.url() + "/fleet.git", GitAccess.token(TOKEN))) {
            assertThat(git.read(git.resolve("main")).documents()).hasSize(1);
            assertThat(publish(git, "1")).isInstanceOf(PublishResult.Published.class);
            assertThat(server.authorizations.getFirst()).isEmpty();
        }
    }

    @Test
    void saysThatTheTokenIsWrongWithoutShowingIt() throws IOException {
        try (var server = SmartHttpServer.withPassword(folder, "another");
                var git = open(server.url() + "/fleet.git", GitAccess.token(TOKEN))) {
            GitException e = failure(() -> git.resolve("main"));

            assertThat(e.kind()).isEqualTo(Kind.UNAUTHORIZED);
            assertThat(e).hasMessageContaining("refuses the token");
        }
    }

    @Test
    void saysThatATokenIsNeeded() throws IOException {
        try (var server = SmartHttpServer.withPassword(folder, TOKEN);
                var git = open(server.url() + "/fleet.git", GitAccess.none())) {
            assertThat(failure(() -> git.resolve("main")).kind()).isEqualTo(Kind.UNAUTHORIZED);
        }
    }

    @Test
    void doesNotTakeTheTokenToAnotherServer() throws IOException {
        try (var thief = SmartHttpServer.withPassword(folder, TOKEN);
                var server = SmartHttpServer.redirecting(folder, TOKEN, thief.url());
                var git = open(server.url() + "/fleet.git", GitAccess.token(TOKEN))) {
            GitException e = failure(() -> git.resolve("main"));

            assertThat(e.kind()).isEqualTo(Kind.UNTRUSTED);
            assertThat(thief.authorizations).isEmpty();
        }
    }

    @Test
    void followsARedirectWithinTheServer() throws IOException {
        try (var server = SmartHttpServer.renamed(folder, "/old.git", "/fleet.git");
                var git = open(server.url() + "/old.git", GitAccess.none())) {
            assertThat(git.resolve("main")).hasSize(40);
        }
    }

    @Test
    void saysThatThereIsNoRepository() throws IOException {
        try (var server = SmartHttpServer.open(folder);
                var git = open(server.url() + "/none.git", GitAccess.none())) {
            assertThat(failure(() -> git.resolve("main")).kind()).isEqualTo(Kind.NO_SUCH_REPOSITORY);
        }
    }

    @Test
    void reportsNoAnswer() throws IOException {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (var git = open("http://127.0.0.1:" + port + "/fleet.git", GitAccess.token(TOKEN))) {
            assertThat(failure(() -> git.resolve("main")).kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(failure(() -> publish(git, "1")).kind()).isEqualTo(Kind.UNREACHABLE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pre-receive", "update"})
    void saysThatAHookDeclined(String name) throws IOException {
        Path hook = Files.createDirectories(origin.path.resolve("hooks")).resolve(name);
        Files.writeString(hook, "#!/bin/sh\necho 'protected branch' >&2\nexit 1\n");
        assertThat(hook.toFile().setExecutable(true)).isTrue();

        try (var server = SmartHttpServer.open(folder);
                var git = open(server.url() + "/fleet.git", GitAccess.none())) {
            assertThat(failure(() -> publish(git, "1")).kind()).isEqualTo(Kind.PROTECTED);
        }
        assertThat(origin.tip("refs/heads/" + BRANCH)).isEqualTo(Optional.empty());
    }

    @Test
    void triesAgainWhileTheRefIsLocked() throws IOException {
        Path lock = Files.createDirectories(origin.path.resolve("refs/heads/etcd-gitops/reports"))
                .resolve("prod.lock");
        Files.createFile(lock);

        try (var server = SmartHttpServer.open(folder);
                var git = open(server.url() + "/fleet.git", GitAccess.none())) {
            assertThat(failure(() -> publish(git, "1")).kind()).isEqualTo(Kind.CONTENDED);

            Files.delete(lock);
            assertThat(publish(git, "1")).isInstanceOf(PublishResult.Published.class);
        }
    }

    @Test
    void keepsTheTokenOutOfWhatIsPrinted() {
        assertThat(GitAccess.token(TOKEN).toString()).doesNotContain(TOKEN);
    }
}
