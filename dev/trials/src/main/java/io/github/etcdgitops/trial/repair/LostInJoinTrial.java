package io.github.etcdgitops.trial.repair;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;

/// The joining member's volume is emptied, and then another's is lost for good, in the middle of the join.
public final class LostInJoinTrial implements Trial {
    private static final String RING = "lost";

    @Override
    public String name() {
        return "lost-in-join";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 3);
        var watch = new RingWatch(bench, RING);
        var load = bench.load(RING);
        try {
            for (String step : new String[] {"SetReplicas", "AwaitStarted", "SealMember"}) {
                struck(bench, 4, step, "wipe-volume");
                figures.put("runsAfterWipeAt" + step, bench.converge(RING, 4));
                bench.bringTo(RING, 3);
            }
            // Nobody may believe that the volume is whole, so this one is held until its claim is deleted.
            struck(bench, 4, "AwaitStarted", "lose-volume");
            held(bench, figures);
            bench.kube()
                    .persistentVolumeClaims()
                    .inNamespace(bench.namespace())
                    .withName("data-" + RING + "-3")
                    .delete();
            figures.put("runsAfterDeletingTheClaim", bench.converge(RING, 4));
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
    }

    /// After this step of a join.
    private static void struck(Bench bench, int size, String step, String fault) throws Exception {
        bench.ring(RING, size);
        var run = bench.tool().start("reconcile");
        TrialFailure.unless(
                run.awaitStep(s -> s.path("step").asText().equals(step)), "the run did not come to " + step);
        String pod = RING + "-" + (size - 1);
        EtcdProcess.await("the new pod's volume", Duration.ofMinutes(2), () -> bound(bench, pod));
        run.kill();
        bench.sandbox().make(fault, bench.namespace() + "/" + pod);
    }

    private static boolean bound(Bench bench, String pod) {
        var found =
                bench.kube().pods().inNamespace(bench.namespace()).withName(pod).get();
        return found != null && found.getStatus() != null && found.getStatus().getPodIP() != null;
    }

    private static void held(Bench bench, Figures figures) throws Exception {
        for (int run = 1; run <= 4; run++) {
            bench.tool().start("reconcile").exit();
            var plan = bench.tool().planned("-o", "json");
            String findings = Plans.findings(Plans.ring(plan.stdout(), bench.namespace(), RING));
            if (findings.contains("claim-lost") && bench.isAtRest(RING, 3)) {
                figures.put("runsUntilHeld", run);
                return;
            }
        }
        throw new TrialFailure("a join on a lost volume was not ended");
    }
}
