package io.github.etcdgitops.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A run is ended at each boundary between steps, for founding, growing and shrinking; the next run takes over.
///
/// Every boundary is cut once: for founding with a ring made anew each time, for the others in a ring under a client.
final class BoundariesTrial implements Trial {
    private static final int KILLED = 137;

    /// More boundaries than any run has.
    private static final int NEVER = 1_000_000;

    @Override
    public String name() {
        return "boundaries";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        int every = bench.options().quick() ? 0 : bench.options().every();
        var where = new ArrayList<String>();
        figures.put("where", where);
        founding(bench, every, where, figures);
        resizing(bench, every, where, figures);
    }

    private static void founding(Bench bench, int every, List<String> where, Figures figures) throws Exception {
        for (int boundary = every == 0 ? 9 : bench.options().from(); ; boundary += every) {
            bench.ring("found", 3);
            boolean killed = cut(bench, boundary, where);
            bench.converge("found", 3);
            bench.erase("found");
            if (!killed) {
                return;
            }
            figures.count("founding");
            if (every == 0) {
                return;
            }
        }
    }

    private static void resizing(Bench bench, int every, List<String> where, Figures figures) throws Exception {
        bench.bringTo("resized", 3);
        var watch = new RingWatch(bench, "resized");
        var load = bench.load("resized");
        boolean growing = true;
        boolean shrinking = true;
        try {
            for (int boundary = every == 0 ? 7 : bench.options().from(); growing || shrinking; boundary += every) {
                growing = step(bench, 5, growing ? boundary : NEVER, where, figures);
                shrinking = step(bench, 3, shrinking ? boundary : NEVER, where, figures);
                if (every == 0) {
                    return;
                }
            }
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
    }

    private static boolean step(Bench bench, int size, int boundary, List<String> where, Figures figures)
            throws Exception {
        bench.ring("resized", size);
        boolean killed = cut(bench, boundary, where);
        if (!killed && bench.isAtRest("resized", size)) {
            return false;
        }
        bench.converge("resized", size);
        figures.count(size == 5 ? "growing" : "shrinking");
        return true;
    }

    /// False when the run came to its end before that boundary.
    private static boolean cut(Bench bench, int boundary, List<String> where) throws Exception {
        var run = bench.tool().start(Map.of("ETCD_GITOPS_FAULT_KILL_AT", String.valueOf(boundary)), "reconcile");
        int exit = run.exit();
        TrialFailure.unless(
                exit == KILLED || exit == 0, "the run to be cut at " + boundary + " ended with " + exit + run.tail());
        run.stderr().lines().filter(l -> l.startsWith("fault: ")).forEach(l -> where.add(boundary + " " + l));
        return exit == KILLED;
    }
}
