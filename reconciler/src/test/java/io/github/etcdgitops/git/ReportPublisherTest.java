package io.github.etcdgitops.git;

import static io.github.etcdgitops.git.TestReports.BRANCH;
import static io.github.etcdgitops.git.TestReports.REF;
import static io.github.etcdgitops.git.TestReports.files;
import static io.github.etcdgitops.git.TestReports.message;
import static io.github.etcdgitops.git.TestReports.publish;
import static io.github.etcdgitops.git.TestReports.publisher;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.etcdgitops.git.TestRepository.Entry;
import io.github.etcdgitops.git.publish.Ownership;
import io.github.etcdgitops.git.publish.PublishResult;
import io.github.etcdgitops.git.publish.PublishResult.Published;
import io.github.etcdgitops.git.publish.PublishResult.Unchanged;
import io.github.etcdgitops.git.publish.ReportFiles;
import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.revwalk.RevCommit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReportPublisherTest extends WithOrigin {
    @BeforeEach
    void commit() {
        commit("refs/heads/main", "a");
    }

    @Test
    void beginsTheBranchWithACommitWithoutAParent() throws Exception {
        try (var git = open("cache")) {
            PublishResult result = publish(git, files("README.md", "hello", "latest/clusters/eu/a.md", "a"));

            assertThat(result).isEqualTo(new Published(origin.tip(REF).orElseThrow(), 1));
        }

        RevCommit commit = origin.history(REF).getFirst();
        assertThat(commit.getParentCount()).isZero();
        assertThat(commit.getAuthorIdent().toExternalString())
                .isEqualTo("etcd-gitops <etcd-gitops@example.org> 1767323045 +0000");
        assertThat(commit.getCommitterIdent()).isEqualTo(commit.getAuthorIdent());
        assertThat(commit.getFullMessage()).isEqualTo("""
            Report on 3 rings

            All in sync.

            Etcd-Gitops-Source-Sha: 0123456789012345678901234567890123456789
            Etcd-Gitops-Plan-Hash: sha256:abc
            Etcd-Gitops-Run-Id: run-1
            Etcd-Gitops-Report: v1
            """);
        assertThat(origin.contents(REF))
                .containsExactly(
                        Map.entry("README.md", "100644 hello"), Map.entry("latest/clusters/eu/a.md", "100644 a"));
    }

    @Test
    void beginsABranchAfterACommitAndLeavesItAloneFromThenOn() throws Exception {
        String base = origin.commit(
                "refs/heads/main", origin.files(Map.of("clusters/a.yaml", "old", "clusters/b.yaml", "b")));
        var files = new TreeMap<>(Map.of("clusters/a.yaml", "new".getBytes(UTF_8)));
        String branch = "etcd-gitops/versions-1";
        try (var git = open("cache")) {
            git.resolve("main");

            assertThat(publisher(git).begin(branch, base, files, message("run-1")))
                    .isInstanceOf(Published.class);
            String tip = origin.tip("refs/heads/" + branch).orElseThrow();
            commit("refs/heads/main", "later");
            assertThat(publisher(git).begin(branch, git.resolve("main"), files, message("run-2")))
                    .isEqualTo(new Unchanged(Optional.of(tip)));

            assertThat(origin.tip("refs/heads/" + branch)).contains(tip);
            assertThat(origin.history("refs/heads/" + branch).get(1).name()).isEqualTo(base);
            assertThat(origin.contents("refs/heads/" + branch))
                    .containsExactly(
                            Map.entry("clusters/a.yaml", "100644 new"), Map.entry("clusters/b.yaml", "100644 b"));
        }
    }

    /// Whose address is not told: there may be a password in it.
    @Test
    void namesTheRemoteThatAClonesReportDoesNotReach() throws Exception {
        try (var git = open("cache")) {
            assertThat(publisher(git).cloneOf()).isEmpty();

            Files.writeString(
                    folder.resolve("origin.git/config"),
                    "[remote \"other\"]\n\turl = /b\n[remote \"origin\"]\n\turl = https://u:p@h/r.git\n",
                    StandardOpenOption.APPEND);

            assertThat(publisher(git).cloneOf()).contains("origin");
        }
    }

    @Test
    void writesWhatNativeGitFindsSound() throws Exception {
        try (var git = open("cache")) {
            publish(git, files("README.md", "1", "latest/plan.json", "{}"));
            publish(git, files("README.md", "2"));
        }

        NativeGit.run(origin.path, "fsck", "--strict");
        assertThat(NativeGit.run(
                        origin.path, "log", "--format=%(trailers:key=Etcd-Gitops-Report,valueonly)%an", BRANCH))
                .isEqualTo("v1\netcd-gitops\nv1\netcd-gitops\n");
        assertThat(NativeGit.run(origin.path, "ls-tree", "-r", "--name-only", BRANCH))
                .isEqualTo("README.md\n");
    }

    @Test
    void makesNoCommitWhenNothingChanged() throws Exception {
        try (var git = open("cache")) {
            publish(git, files("README.md", "same"));
            String tip = origin.tip(REF).orElseThrow();

            assertThat(publish(git, files("README.md", "same"))).isEqualTo(new Unchanged(Optional.of(tip)));
            assertThat(origin.tip(REF)).contains(tip);
        }
        try (var other = open("another-cache")) {
            assertThat(publish(other, files("README.md", "same"))).isInstanceOf(Unchanged.class);
        }
    }

    @Test
    void makesNoBranchForNothing() throws Exception {
        try (var git = open("cache")) {
            assertThat(publish(git, files())).isEqualTo(new Unchanged(Optional.empty()));
        }

        assertThat(origin.tip(REF)).isEmpty();
    }

    @Test
    void replacesWhatIsOursAndKeepsWhatIsNot() throws Exception {
        ObjectId theirs = origin.tree(
                origin.file("CODEOWNERS", "* @team\r\n"),
                origin.file("README.md", "old"),
                origin.file("latest-notes.md", "theirs"),
                new Entry("link".getBytes(UTF_8), FileMode.SYMLINK, origin.blob("CODEOWNERS")),
                new Entry("run.sh".getBytes(UTF_8), FileMode.EXECUTABLE_FILE, origin.blob(new byte[] {0, 1, 2})),
                new Entry("sub".getBytes(UTF_8), FileMode.GITLINK, ObjectId.fromString("1".repeat(40))),
                origin.folder("history", origin.file("2025.md", "long ago")),
                origin.folder("latest", origin.file("gone.md", "old"), origin.file("plan.json", "old")));
        origin.commit(REF, theirs);
        Map<String, String> before = origin.contents(REF);

        try (var git = open("cache")) {
            publish(git, files("README.md", "new", "latest/plan.json", "new"));
        }

        Map<String, String> expected = new TreeMap<>(before);
        expected.put("README.md", "100644 new");
        expected.put("latest/plan.json", "100644 new");
        expected.remove("latest/gone.md");
        assertThat(origin.contents(REF)).isEqualTo(expected);
        assertThat(origin.history(REF)).hasSize(2);
        assertThat(expected).containsKeys("CODEOWNERS", "history/2025.md", "latest-notes.md", "link", "run.sh", "sub");
    }

    @Test
    void takesThePlaceOfAFileWhereOurFolderBelongs() throws Exception {
        origin.commit(
                REF,
                origin.tree(origin.file("latest", "a file"), origin.folder("README.md", origin.file("x", "a folder"))));

        try (var git = open("cache")) {
            publish(git, files("README.md", "r", "latest/plan.json", "p"));
        }

        assertThat(origin.contents(REF)).containsOnlyKeys("README.md", "latest/plan.json");
        NativeGit.run(origin.path, "fsck", "--strict");
    }

    @Test
    void refusesAFileThatIsNotOurs() {
        try (var git = open("cache")) {
            assertThatIllegalArgumentException().isThrownBy(() -> publish(git, files("history/x.md", "x")));
        }
    }

    @Test
    void refusesToPublishAPrivateKeyOrAToken() throws Exception {
        var access = GitAccess.token("very-secret-token");
        try (var git = GitRepository.open(origin.address(), access, folder.resolve("cache"))) {
            for (String secret : List.of(
                    "-----BEGIN EC PRIVATE" + " KEY-----",
                    "x very-secret-token y",
                    "ghp" + "_0123456789abcdefghijABCDEFGHIJ012345")) {
                assertThatExceptionOfType(GitException.class)
                        .isThrownBy(() -> publish(git, files("README.md", secret)))
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.REFUSED))
                        .satisfies(e -> assertThat(e.getMessage()).doesNotContain(secret));
            }
        }
        assertThat(origin.tip(REF)).isEmpty();
    }

    @Test
    void showsTheBranchToWhoMakesTheFiles() {
        try (var git = open("cache")) {
            publish(git, files("latest/run.json", "prod"));
            var seen = new ArrayList<String>();

            publisher(git)
                    .publish(
                            BRANCH,
                            view -> {
                                seen.add(new String(view.file("latest/run.json").orElseThrow(), UTF_8));
                                seen.add(view.tip().orElseThrow());
                                seen.add("" + view.file("latest").isPresent()
                                        + view.file("none").isPresent());
                                return files("README.md", "x");
                            },
                            Ownership.REPORT,
                            message("run-2"));

            assertThat(seen.getFirst()).isEqualTo("prod");
            assertThat(seen.getLast()).isEqualTo("falsefalse");
        }
    }

    @Test
    void passesOnExceptionOfFileWriter() throws Exception {
        try (var git = open("cache")) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> publisher(git)
                            .publish(
                                    BRANCH,
                                    _ -> {
                                        throw new IllegalStateException("another environment");
                                    },
                                    Ownership.REPORT,
                                    message("run-1")))
                    .withMessage("another environment");
        }
        assertThat(origin.tip(REF)).isEmpty();
    }

    /// The store is not to blame: nothing is fetched again.
    @Test
    void passesOnExceptionOfFileThatCannotBeRendered() throws Exception {
        try (var git = open("cache")) {
            var tries = new AtomicInteger();
            var broken = new ReportFiles(
                    new TreeMap<>(Map.of("README.md", () -> {
                        tries.incrementAndGet();
                        throw new IllegalStateException("no words for it");
                    })),
                    Optional.empty(),
                    (_, content) -> content);

            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> publish(git, broken))
                    .withMessage("no words for it");
            assertThat(tries).hasValue(1);
        }
        assertThat(origin.tip(REF)).isEmpty();
    }

    @Test
    void leavesTheFollowingFileWhereNoOtherFileChanges() throws Exception {
        try (var git = open("cache")) {
            publish(git, following("one", "at noon"));

            assertThat(publish(git, following("one", "an hour later"))).isInstanceOf(Unchanged.class);
            publish(git, following("two", "at night"));
        }
        assertThat(origin.contents(REF))
                .containsExactly(
                        Map.entry("README.md", "100644 two"), Map.entry("latest/index.html", "100644 at night"));
    }

    /// What is on the branch already is public, and needs no search for secrets.
    @Test
    void cleansOnlyFilesThatChange() throws Exception {
        var cleaned = new ArrayList<String>();
        try (var git = open("cache")) {
            for (String text : List.of("a secret", "a secret", "nothing", "nothing")) {
                publish(
                        git,
                        new ReportFiles(
                                new TreeMap<>(Map.of("README.md", () -> text.getBytes(UTF_8))),
                                Optional.empty(),
                                (path, content) -> {
                                    cleaned.add(path + ": " + new String(content, UTF_8));
                                    return new String(content, UTF_8)
                                            .replace("secret", "***")
                                            .getBytes(UTF_8);
                                }));
            }
        }
        assertThat(cleaned).containsExactly("README.md: a secret", "README.md: a secret", "README.md: nothing");
        assertThat(origin.history(REF)).hasSize(2);
    }

    private static ReportFiles following(String readme, String page) {
        return new ReportFiles(
                new TreeMap<>(Map.of("README.md", () -> readme.getBytes(UTF_8))),
                Optional.of(new ReportFiles.Following("latest/index.html", () -> page.getBytes(UTF_8))),
                (_, content) -> content);
    }

    @Test
    void readsAReportWithoutPublishing() {
        try (var git = open("cache")) {
            assertThat(publisher(git).readReport(BRANCH, "README.md")).isEmpty();
            publish(git, files("README.md", "hello"));

            assertThat(publisher(git).readReport(BRANCH, "README.md")).contains("hello".getBytes(UTF_8));
            assertThat(publisher(git).readReport(BRANCH, "latest/none")).isEmpty();
        }
    }

    @Test
    void publishesToANonBareRepositoryWithoutTouchingItsWorkTree() throws Exception {
        Path work = Files.createDirectories(folder.resolve("work"));
        NativeGit.run(work, "init", "-q", "-b", "main");
        Files.createDirectories(work.resolve("clusters"));
        Files.writeString(work.resolve("clusters/a.yaml"), "a");
        NativeGit.run(work, "add", ".");
        NativeGit.run(work, "commit", "-qm", "one");

        try (var git = GitRepository.open(
                RepositoryAddress.parse("file://" + work, folder), GitAccess.none(), folder.resolve("cache"))) {
            publish(git, files("README.md", "report"));
            assertThat(NativeGit.run(work, "show", BRANCH + ":README.md")).isEqualTo("report");
            assertThat(NativeGit.run(work, "status", "--porcelain")).isEmpty();

            NativeGit.run(work, "checkout", "-q", BRANCH);
            assertThatExceptionOfType(GitException.class)
                    .isThrownBy(() -> publish(git, files("README.md", "again")))
                    .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.PROTECTED));
        }
        NativeGit.run(work, "fsck", "--strict");
    }
}
