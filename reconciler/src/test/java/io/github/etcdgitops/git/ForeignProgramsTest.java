package io.github.etcdgitops.git;

import static io.github.etcdgitops.git.TestReports.files;
import static io.github.etcdgitops.git.TestReports.publish;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.git.remote.GitAccess;
import io.github.etcdgitops.git.repository.RepositoryAddress;
import io.github.etcdgitops.git.tree.LocalTree;
import io.github.etcdgitops.git.tree.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.eclipse.jgit.lib.ObjectId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a repository on this machine brings along counts for Git's own commands, and not for ours.
class ForeignProgramsTest extends WithOrigin {
    private static final List<String> HOOKS = List.of(
            "pre-push",
            "pre-receive",
            "update",
            "post-receive",
            "post-update",
            "reference-transaction",
            "pre-auto-gc",
            "post-checkout",
            "fsmonitor-watchman");

    private Path work;
    private Path ran;

    @BeforeEach
    void createsWorkTreeWithForeignPrograms() throws IOException, InterruptedException {
        work = Files.createDirectories(folder.resolve("work"));
        ran = folder.resolve("ran");
        NativeGit.run(work, "init", "-q", "-b", "main");
        Files.createDirectories(work.resolve("clusters"));
        Files.writeString(work.resolve("clusters/a.yaml"), "1");
        Files.writeString(work.resolve(".gitattributes"), "* filter=theirs\n");
        NativeGit.run(work, "add", ".");
        NativeGit.run(work, "commit", "-q", "-m", "One");
        Path hooks = Files.createDirectories(folder.resolve("hooks"));
        for (String name : HOOKS) {
            Path hook = Files.writeString(hooks.resolve(name), "#!/bin/sh\ntouch '" + ran + "'\n");
            assertThat(hook.toFile().setExecutable(true)).isTrue();
            Files.copy(hook, work.resolve(".git/hooks").resolve(name));
        }
        String program = hooks.resolve("update").toString();
        for (String key : List.of(
                "core.fsmonitor",
                "core.sshCommand",
                "filter.theirs.clean",
                "filter.theirs.smudge",
                "filter.theirs.process",
                "uploadpack.packObjectsHook",
                "credential.helper")) {
            NativeGit.run(work, "config", key, program);
        }
        NativeGit.run(work, "config", "core.hooksPath", hooks.toString());
    }

    private GitRepository theirs() {
        return GitRepository.open(
                RepositoryAddress.parse(work.toString(), Path.of("/")), GitAccess.none(), folder.resolve("cache"));
    }

    private static String document(SourceTree tree) {
        return new String(Objects.requireNonNull(tree.documents().get("clusters/a.yaml")), UTF_8);
    }

    @Test
    void noProgramOfARepositoryIsRun() throws Exception {
        try (var git = theirs()) {
            assertThat(document(git.read(git.resolve("main")))).isEqualTo("1");
            publish(git, files("README.md", "hello"));
        }
        assertThat(document(LocalTree.repository(work))).isEqualTo("1");

        assertThat(ran).doesNotExist();
        NativeGit.run(work, "branch", "theirs");
        assertThat(ran).as("what Git itself does").exists();
    }

    @Test
    void ignoresReplaceRefs() throws Exception {
        String commit = commit("refs/heads/main", "1");
        ObjectId another = ObjectId.fromString(commit("refs/heads/other", "2"));
        origin.set("refs/replace/" + commit, another);
        assertThat(NativeGit.run(origin.path, "show", "main:clusters/a.yaml")).isEqualTo("2");

        try (var git = open()) {
            assertThat(document(git.read(git.resolve("main")))).isEqualTo("1");
        }
    }
}
