package io.github.etcdgitops.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Repositories and commits as people name them to Git.
class RevisionTest extends WithOrigin {
    private GitRepository at(Path path) {
        return GitRepository.open(
                RepositoryAddress.parse(path.toString(), Path.of("/")), GitAccess.none(), folder.resolve("cache"));
    }

    private Path clone(String name) throws Exception {
        NativeGit.run(folder, "clone", "-q", origin.path.toString(), name);
        return folder.resolve(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HEAD~1", "HEAD^", "main~1", "main^", "refs/heads/main~1", "main@{0}~1"})
    void understandsWhatGitDoesInARepositoryOnThisMachine(String text) throws Exception {
        String first = commit("refs/heads/main", "1");
        commit("refs/heads/main", "2");

        try (var git = at(clone("clone"))) {
            assertThat(git.resolve(text)).isEqualTo(first);
            assertThat(git.resolve(first.substring(0, 8))).isEqualTo(first);
        }
    }

    @Test
    void understandsTheParentOfACommitThatIsOnNoBranch() throws Exception {
        String first = commit("refs/heads/main", "1");
        Path clone = clone("clone");
        NativeGit.run(clone, "checkout", "-q", "--detach");
        NativeGit.run(clone, "commit", "-q", "--allow-empty", "-m", "detached");
        String detached = NativeGit.run(clone, "rev-parse", "HEAD").strip();

        try (var git = at(clone)) {
            assertThat(git.resolve("HEAD")).isEqualTo(detached);
            assertThat(git.resolve("HEAD~1")).isEqualTo(first);
            assertThat(git.resolve(detached.substring(0, 10))).isEqualTo(detached);
        }
    }

    @Test
    void understandsTheHeadOfALinkedWorkTree() throws Exception {
        String first = commit("refs/heads/main", "1");
        String second = commit("refs/heads/main", "2");
        Path clone = clone("clone");
        NativeGit.run(
                clone,
                "worktree",
                "add",
                "-q",
                "-b",
                "side",
                folder.resolve("side").toString(),
                first);

        try (var git = at(folder.resolve("side"))) {
            assertThat(git.resolve("HEAD")).isEqualTo(first);
            assertThat(git.resolve("main~1")).isEqualTo(first);
            assertThat(git.resolve("main")).isEqualTo(second);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"HEAD~9", "nowhere", "main^{tree}", "0000000", "--upload-pack=x", "a b", "main:clusters", ""})
    void saysOfAnythingElseThatItIsNoCommit(String text) throws Exception {
        commit("refs/heads/main", "1");

        try (var git = at(clone("clone"))) {
            assertFails(Kind.NO_SUCH_REF, () -> git.resolve(text));
        }
    }

    @Test
    void saysWhatAServerIsAskedFor() throws Exception {
        String first = commit("refs/heads/main", "1");
        try (var server = SmartHttpServer.open(folder);
                var git = GitRepository.open(
                        RepositoryAddress.parse(server.url() + "/origin.git", Path.of("/")), GitAccess.none(), cache)) {
            for (String text : new String[] {"HEAD~1", first.substring(0, 8)}) {
                assertThatExceptionOfType(GitException.class)
                        .isThrownBy(() -> git.resolve(text))
                        .withMessageContaining("a whole commit id")
                        .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.NO_SUCH_REF));
            }
        }
    }

    @Test
    void findsTheRepositoryAroundAFolder() throws Exception {
        String first = commit("refs/heads/main", "1");
        Path inside = clone("clone").resolve("clusters");

        try (var git = at(inside)) {
            assertThat(git.resolve("main")).isEqualTo(first);
            assertThat(git.read(first).documents()).containsKey("clusters/a.yaml");
        }
    }

    @Test
    void saysWhereNoRepositoryIs() throws Exception {
        Path empty = Files.createDirectories(folder.resolve("empty/folder"));

        assertFails(Kind.NO_SUCH_REPOSITORY, () -> at(empty).resolve("main"));
    }

    @Test
    void saysInOneLineThatIdsBySha256AreNotSupported() throws Exception {
        NativeGit.run(folder, "init", "-q", "--object-format=sha256", "-b", "main", "new");
        Path repository = folder.resolve("new");
        Files.writeString(
                Files.createDirectories(repository.resolve("clusters")).resolve("a.yaml"), "a");
        NativeGit.run(repository, "add", ".");
        NativeGit.run(repository, "commit", "-q", "-m", "first");

        assertThatExceptionOfType(GitException.class)
                .isThrownBy(() -> at(repository))
                .withMessageContaining("SHA-256")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.INVALID_ADDRESS));
    }
}
