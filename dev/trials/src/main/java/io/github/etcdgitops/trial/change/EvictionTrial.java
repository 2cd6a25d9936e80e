package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.fault.Evictions;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;

/// While a member is being taken out, or restarted, every eviction of another one is refused by the
/// budget; afterwards not.
public final class EvictionTrial implements Trial {
    private static final String RING = "eviction";
    private static final String ROLLED = "rolled";

    @Override
    public String name() {
        return "eviction";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 5);
        var evictions = new Evictions(bench, RING);
        var watch = new RingWatch(bench, RING);
        var load = bench.load(RING);
        try {
            for (int size : new int[] {4, 3}) {
                bench.ring(RING, size);
                var run = bench.tool().start("reconcile");
                figures.put("refusedTo" + size, evictions.refusedDuring(run, size));
                run.steps().stream()
                        .filter(Work.step("RemoveMember"))
                        .forEach(s -> figures.put(
                                "removalMillisTo" + size, s.path("millis").asLong()));
            }
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
        TrialFailure.unless(bench.isAtRest(RING, 3), "the ring did not come to 3");
        EtcdProcess.await("evictions allowed again", Duration.ofMinutes(1), () -> evictions.wouldBeAllowed(0));
        figures.put("allowedAgain", true);
        rolled(bench, figures);
    }

    /// Everybody is evicted all the time, also in the second in which a member restarts: by another
    /// version, and on the way to TLS.
    private static void rolled(Bench bench, Figures figures) throws Exception {
        UpgradesTrial.commit(bench, ROLLED, 3, bench.options().before(), "");
        bench.converge(ROLLED, 3);
        var evictions = new Evictions(bench, ROLLED);
        var watch = new RingWatch(bench, ROLLED, true);
        var load = bench.load(ROLLED);
        try {
            UpgradesTrial.commit(bench, ROLLED, 3, bench.options().newest(), "");
            figures.put("inUpgrade", evictions.duringRoll(bench.tool().start("reconcile"), 3));
            TlsTrial.commit(bench, ROLLED, 3, bench.options().newest(), "mutual", "plain");
            figures.put("inTls", evictions.duringRoll(bench.tool().start("reconcile"), 3));
        } finally {
            Bench.demand(load.stop(), figures, "rolled.");
            watch.demand(figures, "rolled.");
        }
        LiveRing.demandAlike(bench, ROLLED);
    }
}
