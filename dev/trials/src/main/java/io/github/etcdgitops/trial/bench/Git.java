package io.github.etcdgitops.trial.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A config repository: a bare one that runs read and publish to, and a work tree from which it is
/// pushed to. It refuses every push that is not a fast-forward.
public final class Git {
    private final Path bare;
    private final Path work;

    Git(Path folder) throws IOException, InterruptedException {
        bare = Files.createDirectories(folder.resolve("config.git"));
        work = Files.createDirectories(folder.resolve("work"));
        run(bare, "init", "--bare", "--quiet", "--initial-branch=main");
        run(bare, "config", "receive.denyNonFastForwards", "true");
        run(bare, "config", "receive.denyDeletes", "true");
        run(work, "init", "--quiet", "--initial-branch=main");
    }

    String url() {
        return bare.toUri().toString();
    }

    /// Where it lies on this machine.
    public Path folder() {
        return bare;
    }

    public void commit(String message, Map<String, byte[]> files) throws IOException, InterruptedException {
        commitOn("main", message, files);
    }

    /// Puts a commit on the work tree and pushes it as `branch`. An approval is not by whoever wrote what it is for:
    /// its author is called as its file.
    public void commitOn(String branch, String message, Map<String, byte[]> files)
            throws IOException, InterruptedException {
        for (var file : files.entrySet()) {
            var path = work.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        run(work, "add", "--all");
        String author = author(files.keySet());
        run(work, "commit", "--quiet", "--allow-empty", "-m", message, "--author", author);
        run(work, "push", "--quiet", bare.toString(), "HEAD:refs/heads/" + branch);
    }

    private static String author(Set<String> files) {
        return files.size() == 1 && files.stream().allMatch(file -> file.startsWith("approvals/"))
                ? files.iterator().next().replaceAll("approvals/(.*)\\.yaml", "$1 <$1@example.org>")
                : "Trial <trial@example.org>";
    }

    /// The work tree, for whoever puts files there.
    public Path work() {
        return work;
    }

    /// Commits whatever is in the work tree, and pushes it as `branch`.
    public void commitAs(String branch, String message, String author) throws IOException, InterruptedException {
        run(work, "add", "--all");
        run(work, "commit", "--quiet", "--allow-empty", "-m", message, "--author", author);
        run(work, "push", "--quiet", "--force", bare.toString(), "HEAD:refs/heads/" + branch);
    }

    /// Brings the work tree back to what it was at `commit`, by a commit on top of it all.
    public void reset(String commit) throws IOException, InterruptedException {
        run(work, "reset", "--quiet", "--hard", ask("rev-parse", "main"));
        run(work, "clean", "--quiet", "-ffdx");
        run(work, "read-tree", "--reset", "-u", commit);
        commitAs("main", "As before", "Trial <trial@example.org>");
    }

    public void remove(String file) throws IOException, InterruptedException {
        Files.delete(work.resolve(file));
        commit("Without " + file, Map.of());
    }

    /// Puts one more commit on a branch that runs publish to.
    public void onBranch(String branch, Map<String, byte[]> files) throws IOException, InterruptedException {
        run(work, "fetch", "--quiet", bare.toString(), branch);
        run(work, "checkout", "--quiet", "--detach", "FETCH_HEAD");
        commitOn(branch, "A change by hand", files);
        run(work, "checkout", "--quiet", "main");
    }

    /// The commit of a ref of the bare repository, or nothing.
    public String tip(String ref) throws IOException, InterruptedException {
        return run(bare, "for-each-ref", "--format=%(objectname)", "refs/heads/" + ref)
                .strip();
    }

    /// Output of a read-only git command in the bare repository.
    public String ask(String... arguments) throws IOException, InterruptedException {
        return run(bare, arguments).strip();
    }

    private static String run(Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-c", "safe.directory=*"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(k -> k.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        for (String role : List.of("AUTHOR", "COMMITTER")) {
            builder.environment().put("GIT_" + role + "_NAME", "Trial");
            builder.environment().put("GIT_" + role + "_EMAIL", "trial@example.org");
        }
        return Command.run(builder, "");
    }
}
