package io.github.etcdgitops.trial.forge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.git.SmartHttpServer;
import io.github.etcdgitops.it.LoopbackTls;
import io.github.etcdgitops.trial.bench.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A config repository on a server of Git over HTTPS, which everybody may read and a token may push to, with the refs
/// that a forge makes of a pull request: `refs/pull/N/head` and its merge. And a person's clone of it.
final class ForgeHost implements AutoCloseable {
    static final String TOKEN = "token-of-the-reconciler-4711";

    private final Path folder;
    private final Path bare;
    private final Path work;
    private final Path ca;
    private final SmartHttpServer server;

    ForgeHost(Path folder, Map<String, byte[]> files) throws IOException, InterruptedException {
        this.folder = folder;
        var tls = new LoopbackTls();
        ca = tls.ca(folder.resolve("git-ca.pem"));
        bare = Files.createDirectories(folder.resolve("acme/rings.git"));
        work = Files.createDirectories(folder.resolve("clone-of-a-person"));
        git(bare, "init", "--bare", "--quiet", "--initial-branch=main");
        git(bare, "config", "receive.denyNonFastForwards", "true");
        server = SmartHttpServer.encrypted(folder, Optional.of(TOKEN), tls.server());
        server.open = true;
        git(work, "init", "--quiet", "--initial-branch=main");
        commit("main", "Begin", files);
    }

    String url() {
        return server.url() + "/acme/rings.git";
    }

    Path ca() {
        return ca;
    }

    Path personsClone() {
        return work;
    }

    /// The `Authorization` headers that came, an empty text for each request without one.
    List<String> authorizations() {
        return List.copyOf(server.authorizations);
    }

    /// Whoever writes what nobody else is said to write.
    static final String AUTHOR = "trial@example.org";

    String commit(String branch, String message, Map<String, byte[]> files) throws IOException, InterruptedException {
        return commit(branch, message, files, AUTHOR);
    }

    /// On a branch of the repository, which begins at `main`. A file without content goes. Returns the commit.
    String commit(String branch, String message, Map<String, byte[]> files, String author)
            throws IOException, InterruptedException {
        if (git(work, "branch", "--list", branch).isBlank()) {
            git(work, "checkout", "--quiet", "-B", branch);
        } else {
            git(work, "checkout", "--quiet", branch);
        }
        for (var file : files.entrySet()) {
            var path = work.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            if (file.getValue().length == 0) {
                Files.deleteIfExists(path);
            } else {
                Files.write(path, file.getValue());
            }
        }
        git(work, "add", "--all");
        git(work, "commit", "--quiet", "--allow-empty", "-m", message, "--author", "Trial <" + author + ">");
        push("HEAD:refs/heads/" + branch);
        return git(work, "rev-parse", "HEAD");
    }

    private void push(String what) throws IOException, InterruptedException {
        String basic = Base64.getEncoder().encodeToString(("x-access-token:" + TOKEN).getBytes(UTF_8));
        git(work, "-c", "http.extraHeader=Authorization: Basic " + basic, "push", "--quiet", url(), what);
    }

    /// What the forge makes of the branch as a pull request into `main`.
    void pull(long number, String branch) throws IOException, InterruptedException {
        String head = ask("rev-parse", "refs/heads/" + branch);
        String main = ask("rev-parse", "refs/heads/main");
        String tree = ask("merge-tree", "--write-tree", main, head);
        String merge = ask("commit-tree", tree, "-p", main, "-p", head, "-m", "Merge " + branch);
        ask("update-ref", "refs/pull/" + number + "/head", head);
        ask("update-ref", "refs/pull/" + number + "/merge", merge);
    }

    /// Somebody presses the button.
    String merge(long number) throws IOException, InterruptedException {
        String merge = ask("rev-parse", "refs/pull/" + number + "/merge");
        ask("update-ref", "refs/heads/main", merge);
        return merge;
    }

    String ask(String... arguments) throws IOException, InterruptedException {
        return git(bare, arguments);
    }

    /// As the first step of a job makes it: the merge, with all branches beside it, and no credential is left in it.
    Path checkout(String name, long number) throws IOException, InterruptedException {
        var checkout = Files.createDirectories(folder.resolve(name));
        git(checkout, "init", "--quiet", "--initial-branch=none");
        git(
                checkout,
                "fetch",
                "--quiet",
                url(),
                "+refs/heads/*:refs/remotes/origin/*",
                "+refs/pull/" + number + "/merge:refs/remotes/pull/" + number + "/merge");
        git(checkout, "checkout", "--quiet", "--detach", "refs/remotes/pull/" + number + "/merge");
        return checkout;
    }

    private String git(Path where, String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("git", "-c", "safe.directory=*", "-c", "http.sslCAInfo=" + ca));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(where.toFile());
        builder.environment().keySet().removeIf(k -> k.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("GIT_TERMINAL_PROMPT", "0");
        for (String role : List.of("AUTHOR", "COMMITTER")) {
            builder.environment().put("GIT_" + role + "_NAME", "Trial");
            builder.environment().put("GIT_" + role + "_EMAIL", AUTHOR);
        }
        return Command.run(builder, "").strip();
    }

    @Override
    public void close() {
        server.close();
    }
}
