package io.github.etcdgitops.trial.repair;

import io.fabric8.kubernetes.client.readiness.Readiness;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.UpgradesTrial;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/// A member is cut off from its peers: the ring writes on, a change that is wanted meanwhile waits, and is carried out
/// once the member is back. Then the same with the leader. One that stays cut off is replaced where somebody asks for
/// it, although it answers us.
public final class IsolatedTrial implements Trial {
    private static final String RING = "isolated";
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Override
    public String name() {
        return "isolated";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 3);
        // The isolated member may lead; and without pre-vote, which etcd 3.3 lacks, it costs the ring its leader when
        // it comes back.
        var watch = RingWatch.throughElections(bench, RING);
        var load = bench.load(RING);
        try {
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                String pod = bench.namespace() + "/" + RING + "-" + ordinal;
                bench.sandbox().make("isolate", pod);
                long acknowledged = load.acknowledged();
                EtcdProcess.await(
                        "writes without it", Duration.ofMinutes(2), () -> load.acknowledged() > acknowledged + 1000);
                bench.ring(RING, 4);
                bench.tool().demand(0, "reconcile");
                TrialFailure.unless(
                        new Members(bench, RING).voters().size() == 3, "a ring that is not green was changed");
                bench.sandbox().make("heal", pod);
                figures.put("runsAfterHealing" + ordinal, bench.converge(RING, 4));
                bench.bringTo(RING, 3);
            }
            forGood(bench, figures);
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
    }

    /// Whoever comes in its place has a way to the others.
    private static void forGood(Bench bench, Figures figures) throws Exception {
        String pod = bench.namespace() + "/" + RING + "-1";
        String former = ReplaceTrial.id(bench, RING, 1);
        var siblings = new VolumeLoss(bench, RING).processesBut(1);
        bench.sandbox().make("isolate", pod);
        EtcdProcess.await(
                "a pod that is not ready",
                PATIENCE,
                () -> new Members(bench, RING)
                        .pods().stream()
                                .filter(p -> p.getMetadata().getName().equals(RING + "-1"))
                                .noneMatch(Readiness::isPodReady));
        bench.tool().demand(0, "reconcile");
        TrialFailure.unlessSame("who is asked for by nobody", former, ReplaceTrial.id(bench, RING, 1));
        String document = ReplaceTrial.document(bench, RING, 1, former);
        figures.timed("replaced", () -> {
            var run = bench.tool().start("reconcile");
            EtcdProcess.await(
                    "the end of its membership",
                    PATIENCE,
                    () -> new Members(bench, RING).voters().equals(new TreeSet<>(List.of(RING + "-0", RING + "-2"))));
            bench.sandbox().make("heal", pod);
            UpgradesTrial.said(run, "ReplaceMember");
            bench.converge(RING, 3);
        });
        TrialFailure.unless(!ReplaceTrial.id(bench, RING, 1).equals(former), "it is the same member");
        TrialFailure.unlessSame("the siblings' processes", siblings, new VolumeLoss(bench, RING).processesBut(1));
        bench.git().remove(document);
    }
}
