package io.github.etcdgitops.trial.forge;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.etcdgitops.gateway.Forge;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.RingMark;
import io.github.etcdgitops.trial.bench.Tool;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fence.Rights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A change on its way: opened, pushed to again, against a policy, mended, approved, merged and carried out under a
/// client, with the workflows of the documentation at each push, on all three forges. Then a fork, whose author wants
/// more than he may.
public final class PullRequestTrial implements Trial {
    private static final String KIM = "kim@example.org";
    private static final String RING = "reviewed";
    private static final long NUMBER = 12;
    private static final String BRANCH = "more-members";
    private static final int PUSHES = 6;
    private static final int RUNS = 6;

    @Override
    public String name() {
        return "pull-request";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var folder = Files.createDirectories(bench.folder().resolve("forge"));
        try (var host = new ForgeHost(folder, begin(bench));
                var planner = new PlannersView(bench.kube().getMasterUrl().toURI())) {
            var forges = new ArrayList<ReviewedForge>();
            try {
                for (var kind : Forge.Kind.values()) {
                    forges.add(new ReviewedForge(kind, bin(folder)));
                }
                var stage = new Stage(bench, host, planner, forges, folder);
                stage.reconcile(3);
                fromOpeningToMerge(stage, figures);
                forges.forEach(forge -> {
                    figures.put(forge.name() + "CommentsCreated", forge.created());
                    figures.put(forge.name() + "CommentsUpdated", forge.updated());
                    figures.put(forge.name() + "Statuses", forge.set());
                });
                figures.put("plannersRequests", planner.requests());
                planner.demandNothingElse();
                figures.timed("fork", () -> new ForkHalves(host, forges, folder, figures).run(ring(bench, 4)));
                TrialFailure.unlessSame(
                        "the planner's requests after the forks",
                        figures.toMap().get("plannersRequests"),
                        planner.requests());
            } finally {
                forges.forEach(ReviewedForge::close);
            }
        }
    }

    private static Map<String, byte[]> begin(Bench bench) {
        return Map.of(
                "etcd-gitops.yaml",
                Bench.fleet("production", ""),
                "clusters/" + RING + ".yaml",
                bench.document(RING, 3),
                "policies/policy.yaml",
                policy("odd-members: {}\n    destructive-approval: {operations: [ScaleOut]}"));
    }

    static byte[] policy(String rules) {
        return ("apiVersion: etcdgitops.dev/v1alpha1\nkind: Policy\nmetadata: {name: ruling}\nspec:\n  rules:\n    "
                        + rules + "\n")
                .getBytes(UTF_8);
    }

    private static Map<String, byte[]> ring(Bench bench, int size) {
        return Map.of("clusters/" + RING + ".yaml", bench.document(RING, size));
    }

    /// The launcher under the name that the workflows call it by, weighed as in a pod; and the one question that the
    /// second half of a fork's workflow has for the forge.
    private static Path bin(Path folder) throws IOException {
        var bin = Files.createDirectories(folder.resolve("bin"));
        program(bin.resolve("etcd-gitops"), "exec nice -n 15 '" + Tool.launcher() + "' \"$@\"");
        program(
                bin.resolve("gh"),
                "[ \"$HEAD_OWNER $HEAD_SHA\" = \"mallory $(cat '" + folder.resolve("fork.head") + "')\" ] && echo "
                        + ForkHalves.NUMBER + " || true");
        return bin;
    }

    private static void program(Path file, String line) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void fromOpeningToMerge(Stage stage, Figures figures) throws Exception {
        var mark = RingMark.of(stage.bench(), RING);
        stage.push("Five members", ring(stage.bench(), 5))
                .demand("success", "1 ring changes, 1 waits for approval", "ScaleOut", "5 members");
        stage.reconcile(3);
        mark.demandUnchanged(stage.bench(), RING, "a pull request was opened");
        var load = stage.bench().load(RING);
        try {
            stage.push("Seven, rather", ring(stage.bench(), 7))
                    .demand("success", "1 ring changes, 1 waits for approval", "7 members");
            stage.push("Four", ring(stage.bench(), 4)).demand("failure", "1 ring denied", "odd-members", "size 4");
            stage.push("Five after all", ring(stage.bench(), 5)).demand("success", "1 waits for approval", "5 members");
            stage.push("The author approves", stage.approval(ForgeHost.AUTHOR))
                    .demand("success", "1 waits for approval", "does not count", "wrote the change");
            var approved = stage.pushBy(KIM, "kim approves", stage.approval(KIM));
            approved.demand("success", "1 ring changes", "allowed");
            String merge = stage.host().merge(NUMBER);
            figures.timed("carriedOut", () -> stage.reconcile(5));
            approved.demandLastWord();
            stage.demandReported(merge);
        } finally {
            Bench.demand(load.stop(), figures, "");
        }
        LiveRing.demandAlike(stage.bench(), RING);
    }

    private record Stage(Bench bench, ForgeHost host, PlannersView planner, List<ReviewedForge> forges, Path folder) {
        private Tool tool() throws IOException {
            var tool = new Tool(Files.createDirectories(bench.folder().resolve("reconciler")), host.url());
            tool.environment("ETCD_GITOPS_GIT_TOKEN", ForgeHost.TOKEN);
            tool.environment("ETCD_GITOPS_GIT_CA", host.ca().toString());
            tool.environment("ETCD_GITOPS_ENVIRONMENT", "production");
            return tool;
        }

        /// As a schedule would, until the ring has that size.
        void reconcile(int size) throws IOException {
            var tool = tool();
            for (int run = 1; run <= RUNS; run++) {
                var last = tool.demand(0, "reconcile");
                if (bench.isAtRest(RING, size)) {
                    Rights.demandAll(tool.allMetrics());
                    return;
                }
                TrialFailure.unless(run < RUNS, RING + " did not come to " + size + ": " + last.tail());
            }
        }

        /// One more commit, and what the workflows of all forges make of it.
        Reviewed push(String message, Map<String, byte[]> files) throws Exception {
            return pushBy(ForgeHost.AUTHOR, message, files);
        }

        Reviewed pushBy(String author, String message, Map<String, byte[]> files) throws Exception {
            String base = host.ask("rev-parse", "refs/heads/main");
            String head = host.commit(BRANCH, message, files, author);
            host.pull(NUMBER, BRANCH);
            var jobs = new ArrayList<WorkflowJob>();
            for (var forge : forges) {
                jobs.add(forge.review(
                        push(forge.name() + "-" + head.substring(0, 7), head, base),
                        planner.kubeconfig(folder.resolve("planner.kubeconfig"))));
            }
            return new Reviewed(head, forges, jobs);
        }

        private ReviewedForge.Push push(String name, String head, String base) throws Exception {
            var temp = Files.createDirectories(folder.resolve("temp-" + name));
            return new ReviewedForge.Push(NUMBER, head, base, host.checkout("job-" + name, NUMBER), temp);
        }

        /// Printed by whoever reads the plan, for the merge as it would be.
        Map<String, byte[]> approval(String by) throws Exception {
            var push = push("approval-" + by, "", "");
            var kubeconfig = planner.kubeconfig(folder.resolve("planner.kubeconfig"));
            new WorkflowJob(push.checkout(), push.temp(), folder.resolve("bin"))
                    .also("etcd-gitops approve --by " + by + " --reason 'more tenants' --environment production"
                            + " --member-access port-forward --kubeconfig '" + kubeconfig + "' >approval.yaml");
            return Map.of(
                    "approvals/" + by + ".yaml",
                    Files.readAllBytes(push.checkout().resolve("approval.yaml")));
        }

        /// The branch of reports has the run, and says of which commit it was.
        void demandReported(String merge) throws Exception {
            String branch = "refs/heads/etcd-gitops/reports/production";
            String run = host.ask("show", branch + ":latest/run.json");
            String message = host.ask("log", "-1", "--format=%B", branch);
            TrialFailure.unless(run.contains(merge) && run.contains("ScaleOut"), "the report has another run: " + run);
            TrialFailure.unless(message.contains("Etcd-Gitops-Source-Sha: " + merge), "the report is of: " + message);
        }
    }

    /// What a push looks like on the forges.
    private record Reviewed(String head, List<ReviewedForge> forges, List<WorkflowJob> jobs) {
        /// Some state after `pending`, with that line; and one comment, which says those words.
        void demand(String state, String line, String... words) {
            for (int i = 0; i < forges.size(); i++) {
                var forge = forges.get(i);
                String said = jobs.get(i).said();
                TrialFailure.unlessSame(
                        "what " + forge.name() + " was told (" + said + ")",
                        List.of("pending", state),
                        forge.states(head));
                TrialFailure.unlessSame(
                        "whether its job is green: " + said,
                        !state.equals("failure"),
                        jobs.get(i).green());
                TrialFailure.unless(
                        forge.line(head).contains(line), forge.name() + " says " + forge.line(head) + ", not " + line);
                var bodies = forge.fake().bodies(NUMBER);
                TrialFailure.unlessSame("the comments on " + forge.name(), 1, bodies.size());
                TrialFailure.unless(
                        Stream.of(words).allMatch(bodies.getFirst()::contains),
                        "the comment on " + forge.name() + " does not say " + List.of(words) + ": "
                                + bodies.getFirst());
            }
        }

        /// The plan of the last push stays: what became of it is told by the branch of reports.
        void demandLastWord() {
            demand("success", "1 ring changes", "ScaleOut");
            forges.forEach(forge -> {
                TrialFailure.unlessSame("the comments made on " + forge.name(), 1L, forge.created());
                TrialFailure.unlessSame("the comments changed on " + forge.name(), PUSHES - 1L, forge.updated());
            });
        }
    }
}
