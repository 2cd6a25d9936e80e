package io.github.etcdgitops.trial;

import io.github.etcdgitops.it.EtcdProcess;
import java.time.Duration;

/// While a member is being taken out, every eviction of another one is refused by the budget; afterwards not.
final class EvictionTrial implements Trial {
    private static final String RING = "eviction";

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
    }
}
