package io.github.etcdgitops.trial.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.change.ResizeTrial;
import io.github.etcdgitops.trial.fault.Evictions;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;
import java.util.List;

/// The image as a Job of the CronJob's template, with the rights that ship and no others, against a Git
/// server that it reaches over the network: from the first look to a ring that grew, shrank, was drained,
/// and whose reconciler was killed and stopped. Needs a cluster of one node, this machine, and the image
/// on it.
public final class DeployedTrial implements Trial {
    private static final String RING = "deployed";
    private static final String SUSPEND = "etcdgitops.dev/suspend";

    @Override
    public String name() {
        return "deployed";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        try (var deployment = new Deployment(bench)) {
            bench.ring(RING, 3);
            look(bench, deployment, figures);
            deployment.install("base");
            demand(0, deployment.start("etcd-gitops", "ask-executor", job -> arguments(job, "doctor")));
            var first = deployment.await("etcd-gitops");
            demand(0, first);
            TrialFailure.unless(bench.isAtRest(RING, 3), "the first run did not bring up three: " + first.tail());
            var watch = new RingWatch(bench, RING);
            var load = bench.load(RING);
            try {
                bench.ring(RING, 4);
                demand(0, deployment.start("grow"));
                bench.ring(RING, 3);
                figures.put(
                        "evictionsRefused", new Evictions(bench, RING).refusedDuring(deployment.start("shrink"), 3));
                crashed(bench, deployment, figures);
                killed(bench, deployment, figures);
                stopped(bench, deployment, figures);
            } finally {
                Bench.demand(load.stop(), figures, "");
                watch.demand(figures, "");
            }
            drained(bench, deployment, figures);
            figures.put("commits", reports(bench));
        }
    }

    /// The overlay for whoever wants to look first: it plans, and its identity can change nothing even if
    /// it tried.
    private static void look(Bench bench, Deployment deployment, Figures figures) throws Exception {
        deployment.install("overlays/dry-run");
        demand(
                0,
                deployment.start("etcd-gitops", "ask-planner", job -> arguments(job, "doctor", "--identity=planner")));
        demand(0, deployment.start("look"));
        TrialFailure.unless(!reports(bench).isEmpty(), "the dry run published no plan");
        var refused = deployment.start("etcd-gitops", "refused", job -> arguments(job, "reconcile"));
        TrialFailure.unless(
                refused.exit() == 77 && refused.log().contains("etcd-gitops-watermark-"),
                "whoever may only look could remember a commit: " + refused.tail());
        // Of a commit that is named by its id nothing is remembered: it comes to the ring itself.
        String commit = bench.git().tip("main");
        var tried = deployment.start("etcd-gitops", "try", job -> arguments(job, "reconcile", "--ref=" + commit));
        int exit = tried.exit();
        figures.put("plannerThatWritesExits", exit);
        TrialFailure.unless(
                exit == 20 && tried.log().contains("HTTP 403"),
                "whoever may only look was not refused, but ended with " + exit + ": " + tried.tail());
        TrialFailure.unless(replicas(bench) == 0, "whoever may only look founded a ring");
    }

    private static void arguments(ObjectNode job, String... arguments) {
        var list = ((ObjectNode) job.at("/template/spec/containers/0")).putArray("args");
        List.of(arguments).forEach(list::add);
    }

    /// The process is killed, and its pod stays on record; the Job tries again, in a pod that takes the
    /// Lease over at once.
    private static void crashed(Bench bench, Deployment deployment, Figures figures) throws Exception {
        bench.ring(RING, 4);
        var run = deployment.start("etcd-gitops", "crashed", job -> job.put("backoffLimit", 2));
        TrialFailure.unless(run.awaitStep(Work.step("SetReplicas")), "it took no member in: " + run.tail());
        run.crash();
        demand(0, run);
        var exits = run.ends().stream().map(end -> end.getExitCode()).toList();
        figures.put("exitsOfTheCrashed", exits);
        TrialFailure.unlessSame("the exits of the pods", List.of(137, 0), exits);
        TrialFailure.unless(bench.isAtRest(RING, 4), "the second pod did not carry on to four: " + run.tail());
    }

    /// The pod is lost in the middle; the Job makes another, which carries on.
    private static void killed(Bench bench, Deployment deployment, Figures figures) throws Exception {
        bench.ring(RING, 5);
        var run = deployment.start("killed");
        TrialFailure.unless(run.awaitStep(Work.step("SetReplicas")), "it took no member in: " + run.tail());
        run.killPod();
        demand(0, run);
        var steps = run.steps();
        figures.put("stepsAfterTheKill", steps.size());
        TrialFailure.unless(!steps.isEmpty(), "nothing was left to do for the second pod: " + run.tail());
        TrialFailure.unless(bench.isAtRest(RING, 5), "the second pod did not carry on to five: " + run.tail());
    }

    /// The annotation on its namespace: the step in hand ends, and nothing more is done until it is taken
    /// away.
    private static void stopped(Bench bench, Deployment deployment, Figures figures) throws Exception {
        bench.ring(RING, 3);
        var run = deployment.start("stopped");
        TrialFailure.unless(run.awaitStep(Work.step("RemoveMember")), "it removed no member: " + run.tail());
        deployment.kubectl("annotate", "namespace", Deployment.NAMESPACE, SUSPEND + "=on-call says so");
        int stepsThen = run.steps().size();
        figures.put("stoppedExits", run.exit());
        int replicas = replicas(bench);
        figures.put("stepsAfterTheStop", run.steps().size() - stepsThen);
        figures.put("stoppedAtReplicas", replicas);
        TrialFailure.unless(replicas > 3, "it was not stopped before it was done: " + run.tail());
        var next = deployment.start("still-stopped");
        figures.put("whileStoppedExits", next.exit());
        TrialFailure.unless(
                next.steps().stream().noneMatch(s -> s.path("result").asText().equals("done"))
                        && replicas(bench) == replicas,
                "something was done in spite of the annotation: " + next.tail());
        deployment.kubectl("annotate", "namespace", Deployment.NAMESPACE, SUSPEND + "-");
        demand(0, deployment.start("on-again"));
        TrialFailure.unless(bench.isAtRest(RING, 3), "it did not go on to three");
    }

    /// Its machine is taken out of service and comes back.
    private static void drained(Bench bench, Deployment deployment, Figures figures) throws Exception {
        String node =
                bench.kube().nodes().list().getItems().getFirst().getMetadata().getName();
        String member = RING + "-1";
        String uid = uid(bench, member);
        deployment.kubectl(
                "drain", node, "--pod-selector", "statefulset.kubernetes.io/pod-name=" + member, "--timeout=2m");
        try {
            TrialFailure.unless(!uid(bench, member).equals(uid), "the drain evicted nobody");
            TrialFailure.unless(new Members(bench, RING).voters().size() == 3, "a drained member was removed");
        } finally {
            deployment.kubectl("uncordon", node);
        }
        long began = System.nanoTime();
        EtcdProcess.await("the drained member", Duration.ofMinutes(3), () -> {
            var pod = bench.kube().pods().inNamespace(bench.namespace()).withName(member);
            return pod.isReady();
        });
        figures.put("drainedBackSeconds", ResizeTrial.seconds(began));
        var after = deployment.start("after-the-drain");
        demand(0, after);
        TrialFailure.unless(after.steps().isEmpty(), "a member that came back was not left alone: " + after.tail());
    }

    /// Of the pod; nothing, when there is none.
    private static String uid(Bench bench, String pod) {
        var found =
                bench.kube().pods().inNamespace(bench.namespace()).withName(pod).get();
        return found == null ? "" : found.getMetadata().getUid();
    }

    private static List<String> reports(Bench bench) throws Exception {
        String branch = "etcd-gitops/reports/" + bench.namespace();
        return bench.git().tip(branch).isEmpty()
                ? List.of()
                : bench.git().ask("log", "--format=%s", branch).lines().toList();
    }

    /// Replicas of the ring's StatefulSet; 0 without one.
    private static int replicas(Bench bench) {
        var set = bench.kube()
                .apps()
                .statefulSets()
                .inNamespace(bench.namespace())
                .withName(RING)
                .get();
        return set == null ? 0 : set.getSpec().getReplicas();
    }

    private static void demand(int exit, JobRun run) {
        int got = run.exit();
        TrialFailure.unless(got == exit, run.name() + " ended with " + got + " instead of " + exit + ": " + run.tail());
    }
}
