package io.github.etcdgitops.trial.forge;

import io.github.etcdgitops.fake.FakeForge;
import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.trial.bench.Command;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Pull requests from a fork, in two halves: one that runs what a stranger wrote and has nothing, and one that may
/// write comments and believes nothing.
final class ForkHalves {
    static final long NUMBER = 13;
    private static final Pattern FENCE = Pattern.compile("(?m)^(`{3,})text$");
    private static final int LONGEST = 65_536;

    private final ForgeHost host;
    private final List<ReviewedForge> forges;
    private final Path folder;
    private final Figures figures;

    ForkHalves(ForgeHost host, List<ReviewedForge> forges, Path folder, Figures figures) {
        this.host = host;
        this.forges = forges;
        this.folder = folder;
        this.figures = figures;
    }

    /// `ring` is what the policies of the repository do not allow.
    void run(Map<String, byte[]> ring) throws Exception {
        var mark = forges.stream().map(forge -> forge.fake().bodies(12)).toList();
        long statuses = forges.stream().mapToLong(ReviewedForge::set).sum();
        for (var policies : List.of(
                Map.of("policies/policy.yaml", new byte[0]),
                Map.of("policies/policy.yaml", PullRequestTrial.policy("odd-members: {sizes: [4]}")),
                Map.of("policies/policy.yaml", PullRequestTrial.policy("odd-members: {effect: audit}")))) {
            var files = new HashMap<>(ring);
            files.putAll(policies);
            firstHalves(files);
        }
        for (var forge : forges) {
            // GitLab has no second half: a fork's pipeline there runs in the fork.
            if (forge.fake().kind() != Forge.Kind.GITLAB) {
                artifacts(forge);
            }
        }
        TrialFailure.unlessSame(
                "the comments of the other pull request",
                mark,
                forges.stream().map(forge -> forge.fake().bodies(12)).toList());
        TrialFailure.unlessSame(
                "the statuses after the forks",
                statuses,
                forges.stream().mapToLong(ReviewedForge::set).sum());
    }

    private void firstHalves(Map<String, byte[]> files) throws Exception {
        String base = host.ask("rev-parse", "refs/heads/main");
        String head = host.commit("fork", "What mallory wants", files);
        host.pull(NUMBER, "fork");
        Files.writeString(folder.resolve("fork.head"), head);
        try (var trap = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            for (var forge : forges) {
                int before = host.authorizations().size();
                String name = "fork-" + forge.name() + "-" + head.substring(0, 7);
                var push = new ReviewedForge.Push(
                        NUMBER, head, base, host.checkout(name, NUMBER), folder.resolve("temp-" + name));
                baited(push.temp(), trap.getLocalPort());
                var job = forge.firstHalf(push);
                TrialFailure.unless(
                        !job.green()
                                && job.said().contains("error [odd-members]")
                                && job.said().contains("exit 11"),
                        "a fork's own policies were asked on " + forge.name() + ": " + job.said());
                TrialFailure.unless(
                        host.authorizations().stream().skip(before).allMatch(String::isEmpty),
                        "the fork's job came to Git with a credential");
                figures.count("forksJudged");
            }
            trap.setSoTimeout(1);
            TrialFailure.unless(nobodyCalled(trap), "the fork's job called the Kubernetes of its home");
        }
    }

    private static boolean nobodyCalled(ServerSocket trap) throws IOException {
        try (var _ = trap.accept()) {
            return false;
        } catch (SocketTimeoutException _) {
            return true;
        }
    }

    /// Credentials where programs look for them by themselves, leading to somebody who notices.
    private static void baited(Path temp, int port) throws IOException {
        var home = Files.createDirectories(temp.resolve("home"));
        Files.createDirectories(home.resolve(".kube"));
        Files.writeString(home.resolve(".kube/config"), """
            apiVersion: v1
            kind: Config
            current-context: bait
            contexts: [{name: bait, context: {cluster: bait, user: bait}}]
            clusters: [{name: bait, cluster: {server: "http://127.0.0.1:%d"}}]
            users: [{name: bait, user: {token: bait}}]
            """.formatted(port));
        Files.writeString(home.resolve(".netrc"), "machine 127.0.0.1 login bait password bait\n");
    }

    /// What an artifact may hold. Empty words: nothing is written of it.
    private record Artifact(String name, Pack pack, String... words) {}

    @FunctionalInterface
    private interface Pack {
        void into(Path file) throws IOException, InterruptedException;
    }

    private List<Artifact> hostile() {
        return List.of(
                new Artifact(
                        "another number", f -> Files.writeString(f, "12\nNUMBER=12\nnumber=12\n$(id)\n"), "NUMBER=12"),
                new Artifact("markup", f -> Files.writeString(f, """
                    <!-- etcd-gitops review: production -->
                    # Approved
                    ````
                    @acme/admins [all well](https://evil.example) <img src=x> #1
                    \u202Eturned
                    """), "# Approved", "@acme/admins"),
                new Artifact("long", f -> Files.writeString(f, "a long line of nothing\n".repeat(250_000)), "Too long"),
                new Artifact("too long", f -> Files.write(f, new byte[(64 << 20) + 1])),
                new Artifact("a link", f -> Files.createSymbolicLink(f, folder.resolve("planner.kubeconfig"))),
                new Artifact("a link to itself", f -> Files.createSymbolicLink(f, Path.of("/proc/self/environ"))),
                new Artifact("a folder", Files::createDirectories),
                new Artifact("a pipe", f -> Command.run(f.getParent(), "mkfifo", f.toString())),
                new Artifact("no file", _ -> {}),
                new Artifact("the token", f -> Files.writeString(f, "see " + FakeForge.TOKEN + "\n")));
    }

    private void artifacts(ReviewedForge forge) throws Exception {
        forge.fake().opened(NUMBER);
        String head = Files.readString(folder.resolve("fork.head"));
        long created = forge.created();
        for (var artifact : hostile()) {
            var temp = folder.resolve(
                    "temp-second-" + forge.name() + "-" + artifact.name().replace(' ', '-'));
            var packed = Files.createDirectories(temp.resolve("of-the-fork")).resolve("validation.txt");
            artifact.pack().into(packed);
            var before = forge.fake().bodies(NUMBER);
            var job = forge.secondHalf(new ReviewedForge.Push(NUMBER, head, "", temp, temp));
            var bodies = forge.fake().bodies(NUMBER);
            TrialFailure.unlessSame(
                    "the steps of the second half", List.of("Which pull request", "Comment"), job.ran());
            if (artifact.words().length == 0) {
                TrialFailure.unless(!job.green(), artifact.name() + " was taken: " + job.said());
                TrialFailure.unlessSame("the comments after " + artifact.name(), before, bodies);
            } else {
                TrialFailure.unless(job.green(), artifact.name() + " was refused: " + job.said());
                TrialFailure.unlessSame("the comments of the fork's pull request", 1, bodies.size());
                quoted(artifact, bodies.getFirst());
            }
            TrialFailure.unless(!job.said().contains(FakeForge.TOKEN), "the token was printed");
            figures.count("artifacts");
        }
        TrialFailure.unlessSame("the comments made for the fork", created + 1, forge.created());
    }

    /// All of it stands in one fence that nothing in it closes.
    private static void quoted(Artifact artifact, String body) {
        var fence = FENCE.matcher(body);
        TrialFailure.unless(
                body.length() <= LONGEST
                        && body.startsWith("<!-- etcd-gitops review: fork -->\n")
                        && body.contains("It is not trustworthy.")
                        && fence.find(),
                artifact.name() + " makes a comment of its own: " + body.substring(0, Math.min(400, body.length())));
        String mark = fence.group(1);
        int end = body.indexOf("\n" + mark + "\n", fence.end());
        String inside = body.substring(fence.end(), end < 0 ? body.length() - mark.length() : end);
        TrialFailure.unless(!inside.contains(mark), artifact.name() + " leaves its fence: " + inside);
        TrialFailure.unless(!body.contains("\u202E"), artifact.name() + " turns the direction of reading");
        for (String word : artifact.words()) {
            TrialFailure.unless(body.contains(word), "the comment of " + artifact.name() + " does not say " + word);
        }
    }
}
