package io.github.etcdgitops.git;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.git.GitException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;

/// A repository on this machine: where its objects are, and where its HEAD is. The two differ in a linked work tree.
record LocalRepository(Path gitDir, Path head) {
    private static final String GITDIR = "gitdir:";

    static LocalRepository find(Path path) {
        try {
            if (isRepository(path)) {
                return new LocalRepository(path, path.resolve("HEAD"));
            }
            Path inner = path.resolve(".git");
            if (Files.isRegularFile(inner)) {
                return linked(inner);
            }
            if (isRepository(inner)) {
                return new LocalRepository(inner, inner.resolve("HEAD"));
            }
        } catch (IOException | InvalidPathException e) {
            throw new GitException(Kind.NO_SUCH_REPOSITORY, "the repository at " + path + " cannot be read", e);
        }
        throw new GitException(Kind.NO_SUCH_REPOSITORY, "there is no Git repository at " + path);
    }

    /// A work tree made by `git worktree add`, or a submodule: a file says where the rest is.
    private static LocalRepository linked(Path pointer) throws IOException {
        String text = Files.readString(pointer, UTF_8).strip();
        if (text.startsWith(GITDIR)) {
            Path own = pointer.resolveSibling(text.substring(GITDIR.length()).strip())
                    .normalize();
            Path common = own.resolve("commondir");
            Path gitDir = Files.isRegularFile(common)
                    ? own.resolve(Files.readString(common, UTF_8).strip()).normalize()
                    : own;
            if (isRepository(gitDir)) {
                return new LocalRepository(gitDir, own.resolve("HEAD"));
            }
        }
        throw new GitException(Kind.NO_SUCH_REPOSITORY, pointer + " does not point to a Git repository");
    }

    private static boolean isRepository(Path path) {
        return Files.isDirectory(path.resolve("objects"))
                && Files.isDirectory(path.resolve("refs"))
                && Files.exists(path.resolve("HEAD"));
    }

    /// What HEAD says: a full ref, or a commit.
    String headTarget() {
        return target(head);
    }

    /// Whether a work tree shows this branch. A push would leave its files behind, as if somebody had taken all
    /// changes back; JGit does not look.
    boolean isCheckedOut(String branch) {
        var heads = new ArrayList<Path>();
        if (gitDir.endsWith(".git")) {
            heads.add(gitDir.resolve("HEAD"));
        }
        Path linked = gitDir.resolve("worktrees");
        if (Files.isDirectory(linked)) {
            try (var folders = Files.list(linked)) {
                folders.map(f -> f.resolve("HEAD")).filter(Files::exists).forEach(heads::add);
            } catch (IOException e) {
                throw unreadable(linked, e);
            }
        }
        return heads.stream().anyMatch(h -> target(h).equals(branch));
    }

    private static String target(Path head) {
        try {
            String text = Files.readString(head, UTF_8).strip();
            return text.startsWith("ref:") ? text.substring("ref:".length()).strip() : text;
        } catch (IOException e) {
            throw unreadable(head, e);
        }
    }

    private static GitException unreadable(Path path, IOException e) {
        return new GitException(Kind.NO_SUCH_REPOSITORY, path + " cannot be read", e);
    }
}
