package io.github.etcdgitops.trial;

import io.github.etcdgitops.it.EtcdProcess;
import java.time.Duration;

/// A member is cut off from its peers: the ring writes on, a change that is wanted meanwhile waits, and is carried out
/// once the member is back. Then the same with the leader.
final class IsolatedTrial implements Trial {
    private static final String RING = "isolated";

    @Override
    public String name() {
        return "isolated";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 3);
        var watch = new RingWatch(bench, RING);
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
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
    }
}
