package io.github.etcdgitops.trial;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// A run is ended at each boundary between steps, for founding, growing, shrinking, upgrading, taking an
/// upgrade back, and going to TLS; the next run takes over.
///
/// Every boundary is cut once: for founding with a ring made anew each time, for the others in a ring
/// under a client.
final class BoundariesTrial implements Trial {
    private static final int KILLED = 137;

    /// Somebody else's Lease, which the next run finds free.
    private static final int BUSY = 75;

    private static final int ENOUGH = 300;
    private static final int MOST_RUNS = 6;

    @Override
    public String name() {
        return "boundaries";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var where = new ArrayList<String>();
        figures.put("where", where);
        int small = bench.options().from();
        bench.ring("found", small);
        figures.put("founding", relentlessly(bench, atRest(bench, "found", small), 9, where));
        bench.erase("found");
        resizing(bench, where, figures);
        upgrading(bench, where, figures);
        securing(bench, where, figures);
    }

    private static void resizing(Bench bench, List<String> where, Figures figures) throws Exception {
        int small = bench.options().from();
        int great = bench.options().to();
        bench.bringTo("resized", small);
        var watch = new RingWatch(bench, "resized");
        var load = bench.load("resized");
        try {
            bench.ring("resized", great);
            figures.put("growing", relentlessly(bench, atRest(bench, "resized", great), 7, where));
            bench.ring("resized", small);
            figures.put("shrinking", relentlessly(bench, atRest(bench, "resized", small), 7, where));
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
    }

    /// To the next release, and back from one that cannot be pulled.
    private static void upgrading(Bench bench, List<String> where, Figures figures) throws Exception {
        int size = bench.options().from();
        UpgradesTrial.commit(bench, "upgraded", size, "3.4.23", "");
        bench.converge("upgraded", size);
        var watch = new RingWatch(bench, "upgraded", true);
        var load = bench.load("upgraded");
        try {
            UpgradesTrial.commit(bench, "upgraded", size, "3.5.16", "");
            figures.put("upgrading", relentlessly(bench, runs(bench, "upgraded", size, "3.5.16"), 10, where));
            UpgradesTrial.commit(bench, "upgraded", size, "3.5.29", "");
            int exit = bench.tool().start("reconcile").exit();
            TrialFailure.unless(exit == 20, "an image that is not there ended with " + exit);
            figures.put("takingBack", relentlessly(bench, runs(bench, "upgraded", size, "3.5.16"), 5, where));
        } finally {
            Bench.demand(load.stop(), figures, "upgrade.");
            watch.demand(figures, "upgrade.");
        }
    }

    /// Peers and clients go to TLS, first both ways, and then that way alone; and from both ways back.
    private static void securing(Bench bench, List<String> where, Figures figures) throws Exception {
        String ring = "secured";
        int size = bench.options().from();
        UpgradesTrial.commit(bench, ring, size, TlsTrial.NEWEST, "");
        bench.converge(ring, size);
        var moved = new AtomicBoolean();
        var watch = new RingWatch(bench, ring, true);
        var load = bench.load(ring, moved::get);
        try {
            TlsTrial.commit(bench, ring, size, TlsTrial.NEWEST, "plain", "mixed");
            figures.put(
                    "clientsMixed", relentlessly(bench, open(bench, ring, size, TlsTrial.CLIENTS_MIXED), 10, where));
            TlsTrial.commit(bench, ring, size, TlsTrial.NEWEST, "plain", "plain");
            figures.put("clientsBack", relentlessly(bench, open(bench, ring, size, TlsTrial.PLAIN), 10, where));
            TlsTrial.commit(bench, ring, size, TlsTrial.NEWEST, "mutual", "mixed");
            figures.put("mixed", relentlessly(bench, open(bench, ring, size, TlsTrial.MIXED), 10, where));
            moved.set(true);
            TlsTrial.commit(bench, ring, size, TlsTrial.NEWEST, "mutual", "mutual");
            figures.put("mutual", relentlessly(bench, open(bench, ring, size, TlsTrial.MUTUAL), 10, where));
        } finally {
            Bench.demand(load.stop(), figures, "tls.");
            watch.demand(figures, "tls.");
        }
        TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
    }

    private static BooleanSupplier open(Bench bench, String ring, int size, String ways) {
        return () -> bench.isAtRest(ring, size) && Doors.ways(bench, ring).equals(new TreeSet<>(List.of(ways)));
    }

    private static BooleanSupplier atRest(Bench bench, String ring, int size) {
        return () -> bench.isAtRest(ring, size);
    }

    private static BooleanSupplier runs(Bench bench, String ring, int size, String version) {
        return () -> bench.isAtRest(ring, size)
                && new Members(bench, ring).versions().equals(Collections.nCopies(size, version));
    }

    /// Ends each run one boundary further than the one before, from the first boundary of an operation
    /// to its last, and from the first of the next one on, until there is nothing left to do. Returns
    /// how many were ended.
    private static int relentlessly(Bench bench, BooleanSupplier done, int quick, List<String> where) throws Exception {
        int every = bench.options().every();
        int ended = 0;
        for (int boundary = bench.options().quick() ? quick : 1; !done.getAsBoolean(); boundary += every) {
            var reached = cut(bench, boundary);
            reached.ifPresent(where::add);
            ended += reached.isPresent() ? 1 : 0;
            if (bench.options().quick()) {
                toTheEnd(bench, done);
            }
            if (reached.isEmpty() || reached.get().matches(".*/Finish(Roll|Unroll)?/after.*")) {
                boundary = 1 - every;
            }
            TrialFailure.unless(ended < ENOUGH, "after " + ended + " runs there is still something to do");
        }
        toTheEnd(bench, done);
        return ended;
    }

    private static void toTheEnd(Bench bench, BooleanSupplier done) throws Exception {
        for (int run = 0; run < MOST_RUNS; run++) {
            int exit = bench.tool().start("reconcile").exit();
            if (exit == 0 && done.getAsBoolean()) {
                return;
            }
        }
        throw new TrialFailure("it did not come to its end in " + MOST_RUNS + " runs");
    }

    /// Where the run was ended; empty when it came to its own end before that boundary.
    private static Optional<String> cut(Bench bench, int boundary) throws Exception {
        var run = bench.tool().start(Map.of("ETCD_GITOPS_FAULT_KILL_AT", String.valueOf(boundary)), "reconcile");
        int exit = run.exit();
        TrialFailure.unless(
                exit == KILLED || exit == 0 || exit == BUSY,
                "the run to be cut at " + boundary + " ended with " + exit + ": " + run.tail());
        return run.stderr()
                .lines()
                .filter(l -> l.startsWith("fault: "))
                .map(l -> boundary + " " + l)
                .findFirst();
    }
}
