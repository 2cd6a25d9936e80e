package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Random;

/// Runs are killed with SIGKILL at random moments while the ring goes from one size to another and back, under a
/// client.
public final class KillsTrial implements Trial {
    private static final String RING = "kills";

    @Override
    public String name() {
        return "kills";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        long seed = bench.options().seed();
        var random = new Random(seed);
        figures.put("seed", seed);
        int small = bench.options().from();
        int great = bench.options().to();
        bench.bringTo(RING, small);
        var watch = new RingWatch(bench, RING);
        var load = bench.load(RING);
        var moments = new ArrayList<String>();
        try {
            long began = System.nanoTime();
            bench.bringTo(RING, great);
            long whole = (System.nanoTime() - began) / 1_000_000;
            figures.put("wholeRunMillis", whole);
            for (int size = small; moments.size() < bench.options().kills(); size = small + great - size) {
                bench.ring(RING, size);
                long start = System.nanoTime();
                var moment = killAfter(bench, 500 + random.nextLong(Math.max(1, whole)));
                if (moment.isPresent()) {
                    moments.add(moment.get());
                } else {
                    // It ended before: later runs are quicker than the first one.
                    figures.count("endedBefore");
                    whole = (System.nanoTime() - start) / 1_000_000;
                }
                int runs = bench.converge(RING, size);
                if (runs > 1) {
                    figures.count("tookMoreThanOneRun");
                }
                figures.put("killedAtWork", moments.size());
            }
        } finally {
            figures.put("moments", moments);
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
        bench.demandNothingToDo();
    }

    /// Where the run was; empty when it ended by itself before.
    private static Optional<String> killAfter(Bench bench, long millis) throws Exception {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        var run = bench.tool().start("reconcile");
        EtcdProcess.await("the moment", Duration.ofMinutes(10), () -> System.nanoTime() >= end || !run.isAlive());
        if (!run.isAlive()) {
            return Optional.empty();
        }
        run.kill();
        var steps = run.steps();
        return Optional.of(millis + " ms: "
                + (steps.isEmpty()
                        ? "no step done"
                        : "after " + steps.getLast().path("operation").asText() + "/"
                                + steps.getLast().path("step").asText()));
    }
}
