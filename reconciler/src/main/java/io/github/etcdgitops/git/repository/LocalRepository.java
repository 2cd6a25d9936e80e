package io.github.etcdgitops.git.repository;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.git.repository.GitException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import org.eclipse.jgit.errors.ConfigInvalidException;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;

/// A repository on this machine: the folder of its objects, and the folder of its HEAD. The two differ in a
/// linked work tree.
public record LocalRepository(Path gitDir, Path head) {
    private static final String GITDIR = "gitdir:";

    /// Message text after the name of a repository.
    static final String NO_SHA1 = " names its objects by SHA-256, which is not supported: use a repository with SHA-1"
            + " (git init --object-format=sha1)";

    /// The repository at a path, or the one whose work tree contains the path.
    public static LocalRepository find(Path path) {
        return enclosing(path)
                .orElseThrow(() -> new GitException(
                        Kind.NO_SUCH_REPOSITORY,
                        "there is no Git repository at " + path + ", and this is not in the work tree of one"));
    }

    /// Searches upwards as Git does, but not into folders of another owner.
    public static Optional<LocalRepository> enclosing(Path path) {
        Path start = path.toAbsolutePath().normalize();
        Path here = start;
        var found = at(here);
        while (found.isEmpty() && here.getParent() != null) {
            here = here.getParent();
            found = at(here);
        }
        boolean named = here.equals(start);
        return found.filter(repository -> named || sameOwner(start, repository.gitDir()));
    }

    /// JGit reads no other ids, and fails only later when it looks up objects.
    public LocalRepository requireSha1() {
        try {
            var config = new FileBasedConfig(gitDir.resolve("config").toFile(), FS.DETECTED);
            config.load();
            String format = config.getString("extensions", null, "objectformat");
            if (format != null && !format.equalsIgnoreCase("sha1")) {
                throw new GitException(Kind.INVALID_ADDRESS, gitDir + NO_SHA1);
            }
            return this;
        } catch (IOException | ConfigInvalidException e) {
            throw new GitException(Kind.NO_SUCH_REPOSITORY, "the settings of " + gitDir + " cannot be read", e);
        }
    }

    /// The name of the remote that it was cloned from, or that it pushes to; empty where it has none. Its
    /// address is not returned: it may contain a password.
    public Optional<String> remote() {
        try {
            var config = new FileBasedConfig(gitDir.resolve("config").toFile(), FS.DETECTED);
            config.load();
            var names = config.getSubsections("remote");
            return names.contains("origin")
                    ? Optional.of("origin")
                    : names.stream().sorted().findFirst();
        } catch (IOException | ConfigInvalidException e) {
            throw new GitException(Kind.NO_SUCH_REPOSITORY, "the settings of " + gitDir + " cannot be read", e);
        }
    }

    /// The repository at a path, or the one whose work tree has its root there.
    public static Optional<LocalRepository> at(Path path) {
        try {
            if (isRepository(path)) {
                return Optional.of(new LocalRepository(path, path.resolve("HEAD")));
            }
            Path inner = path.resolve(".git");
            if (Files.isRegularFile(inner)) {
                return Optional.of(linked(inner));
            }
            return isRepository(inner)
                    ? Optional.of(new LocalRepository(inner, inner.resolve("HEAD")))
                    : Optional.empty();
        } catch (IOException | InvalidPathException e) {
            throw new GitException(Kind.NO_SUCH_REPOSITORY, "the repository at " + path + " cannot be read", e);
        }
    }

    private static boolean sameOwner(Path one, Path other) {
        try {
            return Files.getOwner(one).equals(Files.getOwner(other));
        } catch (IOException | UnsupportedOperationException _) {
            return false;
        }
    }

    /// For a work tree made by `git worktree add`, or a submodule: a file names the other folder.
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

    /// The content of HEAD: a full ref, or a commit.
    public String headTarget() {
        return target(head);
    }

    /// Whether a work tree has this branch checked out. A push would leave its files unchanged, which looks
    /// like a revert of all changes; JGit does not check this.
    public boolean isCheckedOut(String branch) {
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
