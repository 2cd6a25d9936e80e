package io.github.etcdgitops.trial.run;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Two runs at once on one ring; and runs in a Kubernetes that is not the one on record.
public final class TwoTrial implements Trial {
    private static final String RING = "two";

    @Override
    public String name() {
        return "two";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 3);
        bench.ring(RING, 5);
        var first = bench.tool().start("reconcile");
        TrialFailure.unless(first.awaitStep(_ -> true), "the first run did nothing: " + first.tail());
        // Frozen, it cannot be done before the second one comes; its Lease still counts.
        first.signal("STOP");
        try {
            var second = bench.tool().start("reconcile", "--no-publish");
            busy(second.exit(), second);
        } finally {
            first.signal("CONT");
        }
        figures.put("refusedWhileAnotherWorks", 1);
        TrialFailure.unless(first.exit() == 0, "the first run failed: " + first.tail());
        bench.converge(RING, 5);

        bench.ring(RING, 3);
        var both = List.of(bench.tool().start("reconcile"), bench.tool().start("reconcile"));
        var exits = both.stream().map(Run::exit).toList();
        figures.put("atOnce", exits);
        figures.put("atOnceExits", exits.toString());
        TrialFailure.unless(
                exits.contains(0) && Stream.of(0, 75, 12).toList().containsAll(exits),
                "two at once ended with " + exits + ": " + both.getFirst().tail()
                        + both.getLast().tail());
        bench.converge(RING, 3);
        wrongKubernetes(bench, figures);
    }

    private static void busy(int exit, Run run) {
        TrialFailure.unless(exit == 75, "the second run ended with " + exit + ": " + run.tail());
        TrialFailure.unless(
                (run.stdout() + run.stderr()).contains("Lease is held by"), "it does not say why: " + run.tail());
    }

    private static void wrongKubernetes(Bench bench, Figures figures) throws Exception {
        String other = "00000000-0000-4000-8000-000000000000";
        bench.git().commit("Pin", Map.of("etcd-gitops.yaml", Bench.fleet(bench.namespace(), other)));
        var pinned = bench.tool().demand(78, "reconcile");
        figures.put("fleetOfAnother", 78);
        TrialFailure.unless(pinned.stderr().contains(other), "it does not name the UID: " + pinned.tail());

        bench.git().commit("Unpin", Map.of("etcd-gitops.yaml", Bench.fleet(bench.namespace(), "")));
        String branch = "etcd-gitops/reports/" + bench.namespace();
        String record = bench.git().ask("show", branch + ":latest/environment.json");
        String uid = bench.kube()
                .namespaces()
                .withName("kube-system")
                .get()
                .getMetadata()
                .getUid();
        TrialFailure.unless(record.contains(uid), "the branch does not record the cluster: " + record);
        bench.git()
                .onBranch(
                        branch,
                        Map.of(
                                "latest/environment.json",
                                record.replace(uid, other).getBytes(StandardCharsets.UTF_8)));
        var recorded = bench.tool().demand(78, "reconcile");
        figures.put("branchOfAnother", 78);
        TrialFailure.unless(recorded.stderr().contains(branch), "it does not name the branch: " + recorded.tail());
    }
}
