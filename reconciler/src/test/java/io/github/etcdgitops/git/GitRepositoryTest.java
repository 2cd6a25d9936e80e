package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.GitException;
import io.github.etcdgitops.git.repository.GitException.Kind;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GitRepositoryTest extends WithOrigin {
    @Test
    void resolvesABranchATagAFullRefHeadAndACommit() throws IOException {
        String first = commit("refs/heads/main", "1");
        origin.set("refs/tags/light", ObjectId.fromString(first));
        origin.annotatedTag("v1", ObjectId.fromString(first), Constants.OBJ_COMMIT);
        String second = commit("refs/heads/main", "2");
        String change = commit("refs/changes/7/head", "3");

        try (var git = open()) {
            assertThat(git.resolve("main")).isEqualTo(second);
            assertThat(git.resolve("HEAD")).isEqualTo(second);
            assertThat(git.resolve("refs/heads/main")).isEqualTo(second);
            assertThat(git.resolve("light")).isEqualTo(first);
            assertThat(git.resolve("v1")).isEqualTo(first);
            assertThat(git.resolve("refs/changes/7/head")).isEqualTo(change);
            assertThat(git.resolve(second)).isEqualTo(second);
            assertThat(git.resolve(first)).isEqualTo(first);
            assertThat(text(git.read(first))).isEqualTo("1");
            assertThat(text(git.read(second))).isEqualTo("2");
            assertThat(text(git.read(change))).isEqualTo("3");
        }
    }

    @Test
    void resolvesACommitDeepInTheHistoryAfterAFetchOfTheTipAlone() {
        String first = commit("refs/heads/main", "1");
        for (int i = 2; i <= 5; i++) {
            commit("refs/heads/main", "" + i);
        }

        try (var git = open()) {
            git.read(git.resolve("main"));

            assertThat(text(git.read(git.resolve(first)))).isEqualTo("1");
            assertThat(text(git.read(git.resolve("main")))).isEqualTo("5");
        }
    }

    @Test
    void followsABranchThatMovesOnAndOneThatWasRewritten() throws IOException {
        String first = commit("refs/heads/main", "1");
        try (var git = open()) {
            assertThat(git.resolve("main")).isEqualTo(first);

            String second = commit("refs/heads/main", "2");
            assertThat(git.resolve("main")).isEqualTo(second);

            origin.set("refs/heads/main", ObjectId.fromString(first));
            assertThat(git.resolve("main")).isEqualTo(first);
            String other = commit("refs/heads/main", "3");
            assertThat(text(git.read(git.resolve("main")))).isEqualTo("3");
            assertThat(git.resolve("main")).isEqualTo(other);
        }
    }

    /// As a job of CI makes it: the server's branches beside a work tree that is on none.
    @Test
    void resolvesACommitOfABranchThatACloneHasOfItsServer() {
        String first = commit("refs/remotes/origin/main", "1");
        String second = commit("refs/remotes/origin/main", "2");

        try (var git = open()) {
            assertThat(text(git.read(git.resolve(second)))).isEqualTo("2");
            assertThat(text(git.read(git.resolve(first)))).isEqualTo("1");
        }
    }

    @Test
    void refusesACommitThatNoBranchAndNoTagHas() {
        commit("refs/heads/main", "1");
        String fork = commit("refs/pull/1/head", "2");

        try (var git = open()) {
            assertFails(Kind.NO_SUCH_REF, () -> git.resolve(fork));
            assertFails(Kind.NO_SUCH_REF, () -> git.resolve("1234567890123456789012345678901234567890"));
        }
    }

    @Test
    void refusesANameThatIsABranchAndAnotherTag() throws IOException {
        String first = commit("refs/heads/main", "1");
        origin.set("refs/tags/main", ObjectId.fromString(first));
        try (var git = open()) {
            assertThat(git.resolve("main")).isEqualTo(first);

            commit("refs/heads/main", "2");

            assertFails(Kind.NO_SUCH_REF, () -> git.resolve("main"));
            assertThat(git.resolve("refs/tags/main")).isEqualTo(first);
        }
    }

    @Test
    void refusesATagOfSomethingThatIsNoCommit() throws IOException {
        commit("refs/heads/main", "1");
        origin.annotatedTag("blob", origin.blob("x"), Constants.OBJ_BLOB);

        try (var git = open()) {
            // JGit's own server side breaks off here; others send the tag.
            assertThatExceptionOfType(GitException.class).isThrownBy(() -> git.resolve("blob"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "refs/heads/none", "", "-x", "a..b", "a:b", "+main", "ma*n", "a b", "abc1234"})
    void saysThatThereIsNoSuchRef(String ref) {
        commit("refs/heads/main", "1");

        try (var git = open()) {
            assertFails(Kind.NO_SUCH_REF, () -> git.resolve(ref));
        }
    }

    @Test
    void saysThatTheRepositoryIsEmpty() {
        try (var git = open()) {
            assertFails(Kind.EMPTY, () -> git.resolve("main"));
            assertFails(Kind.EMPTY, () -> git.resolve("HEAD"));
        }
    }

    @Test
    void saysThatACommitHasNoneOfOurFiles() {
        origin.commit("refs/heads/main", origin.files(Map.of("README.md", "x")));

        try (var git = open()) {
            assertFails(Kind.EMPTY, () -> git.read(git.resolve("main")));
        }
    }

    @Test
    void saysThatThereIsNoRepository() {
        var address = RepositoryAddress.parse(folder.resolve("nothing").toString(), folder);

        assertFails(Kind.NO_SUCH_REPOSITORY, () -> GitRepository.open(address, GitAccess.none(), cache));
    }

    @Test
    void refusesPlainHttpToAnotherMachine() {
        var address = RepositoryAddress.parse("http://git.example.org/fleet", folder);

        assertFails(Kind.INVALID_ADDRESS, () -> GitRepository.open(address, GitAccess.none(), cache));
    }

    @Test
    void refusesSshWithoutAKeyOrWithoutKnownHosts() {
        var address = RepositoryAddress.parse("git@git.example.org:fleet", folder);
        var noFiles = GitAccess.ssh(folder.resolve("no-key"), folder.resolve("no-hosts"));

        assertFails(Kind.INVALID_ADDRESS, () -> GitRepository.open(address, GitAccess.none(), cache));
        assertFails(Kind.INVALID_ADDRESS, () -> GitRepository.open(address, noFiles, cache));
    }

    @Test
    void readsANonBareRepositoryAndALinkedWorkTreeOfIt() throws Exception {
        Path work = Files.createDirectories(folder.resolve("work"));
        NativeGit.run(work, "init", "-q", "-b", "main");
        Files.createDirectories(work.resolve("clusters"));
        Files.writeString(work.resolve("clusters/a.yaml"), "main");
        NativeGit.run(work, "add", ".");
        NativeGit.run(work, "commit", "-qm", "one");
        NativeGit.run(work, "worktree", "add", "-q", "-b", "topic", "../linked");
        Path linked = folder.resolve("linked");
        Files.writeString(linked.resolve("clusters/a.yaml"), "topic");
        NativeGit.run(linked, "commit", "-qam", "two");

        assertThat(headText(work)).isEqualTo("main");
        assertThat(headText(linked)).isEqualTo("topic");

        NativeGit.run(linked, "checkout", "-q", "--detach", "main");
        assertThat(headText(linked)).isEqualTo("main");
    }

    @Test
    void readsWhatNativeGitHasPacked() throws Exception {
        for (int i = 0; i < 20; i++) {
            commit("refs/heads/main", "x\n".repeat(500) + i);
        }
        NativeGit.run(origin.path, "gc", "-q");
        NativeGit.run(origin.path, "fsck", "--strict");

        try (var git = open()) {
            assertThat(text(git.read(git.resolve("main")))).endsWith("19");
        }
    }

    private String headText(Path path) {
        var address = RepositoryAddress.parse("file://" + path, folder);
        try (var git = GitRepository.open(address, GitAccess.none(), cache)) {
            return text(git.read(git.resolve("HEAD")));
        }
    }

    private static String text(SourceTree tree) {
        return new String(tree.documents().get("clusters/a.yaml"), UTF_8);
    }
}
