package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.util.Collections;
import java.util.function.BooleanSupplier;

/// A run is ended at each boundary between steps, for founding, growing, shrinking, upgrading, and taking
/// an upgrade back; the next run takes over.
///
/// Every boundary is cut once: for founding with a ring made anew each time, for the others in a ring
/// under a client.
public final class BoundariesTrial implements Trial {
    @Override
    public String name() {
        return "boundaries";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var cuts = new Cuts(bench);
        figures.put("where", cuts.where());
        int small = bench.options().from();
        bench.ring("found", small);
        figures.put("founding", cuts.relentlessly(atRest(bench, "found", small), 9));
        bench.erase("found");
        resizing(bench, cuts, figures);
        upgrading(bench, cuts, figures);
    }

    private static void resizing(Bench bench, Cuts cuts, Figures figures) throws Exception {
        int small = bench.options().from();
        int great = bench.options().to();
        bench.bringTo("resized", small);
        var watch = new RingWatch(bench, "resized");
        var load = bench.load("resized");
        try {
            bench.ring("resized", great);
            figures.put("growing", cuts.relentlessly(atRest(bench, "resized", great), 7));
            bench.ring("resized", small);
            figures.put("shrinking", cuts.relentlessly(atRest(bench, "resized", small), 7));
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
    }

    /// To the next release, and back from one that cannot be pulled.
    private static void upgrading(Bench bench, Cuts cuts, Figures figures) throws Exception {
        int size = bench.options().from();
        UpgradesTrial.commit(bench, "upgraded", size, "3.4.23", "");
        bench.converge("upgraded", size);
        var watch = new RingWatch(bench, "upgraded", true);
        var load = bench.load("upgraded");
        try {
            UpgradesTrial.commit(bench, "upgraded", size, "3.5.16", "");
            figures.put("upgrading", cuts.relentlessly(runs(bench, "upgraded", size, "3.5.16"), 10));
            UpgradesTrial.commit(bench, "upgraded", size, "3.5.29", "");
            int exit = bench.tool().start("reconcile").exit();
            TrialFailure.unless(exit == 20, "an image that is not there ended with " + exit);
            figures.put("takingBack", cuts.relentlessly(runs(bench, "upgraded", size, "3.5.16"), 5));
        } finally {
            Bench.demand(load.stop(), figures, "upgrade.");
            watch.demand(figures, "upgrade.");
        }
    }

    private static BooleanSupplier atRest(Bench bench, String ring, int size) {
        return () -> bench.isAtRest(ring, size);
    }

    private static BooleanSupplier runs(Bench bench, String ring, int size, String version) {
        return () -> bench.isAtRest(ring, size)
                && new Members(bench, ring).versions().equals(Collections.nCopies(size, version));
    }
}
