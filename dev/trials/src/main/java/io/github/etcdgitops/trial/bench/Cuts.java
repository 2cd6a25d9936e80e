package io.github.etcdgitops.trial.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Runs that are ended at boundaries between steps. `where` is the list of those at which one was.
public record Cuts(Bench bench, List<String> where) {
    private static final int KILLED = 137;

    /// Somebody else's Lease, which the next run finds free.
    private static final int BUSY = 75;

    private static final int ENOUGH = 300;
    private static final int MOST_RUNS = 6;

    public Cuts(Bench bench) {
        this(bench, new ArrayList<>());
    }

    /// Ends each run one boundary further than the one before, from the first boundary of an operation
    /// to its last, and from the first of the next one on, until there is nothing left to do. Returns
    /// how many were ended.
    public int relentlessly(BooleanSupplier done, int quick) throws Exception {
        int every = bench.options().every();
        int ended = 0;
        for (int boundary = bench.options().quick() ? quick : 1; !done.getAsBoolean(); boundary += every) {
            var reached = cut(boundary);
            reached.ifPresent(where::add);
            ended += reached.isPresent() ? 1 : 0;
            if (bench.options().quick()) {
                toTheEnd(done);
            }
            if (reached.isEmpty() || reached.get().matches(".*/Finish(Roll|Unroll)?/after.*")) {
                boundary = 1 - every;
            }
            TrialFailure.unless(ended < ENOUGH, "after " + ended + " runs there is still something to do");
        }
        toTheEnd(done);
        return ended;
    }

    private void toTheEnd(BooleanSupplier done) throws Exception {
        for (int run = 0; run < MOST_RUNS; run++) {
            int exit = bench.tool().start("reconcile").exit();
            if (exit == 0 && done.getAsBoolean()) {
                return;
            }
        }
        throw new TrialFailure("it did not come to its end in " + MOST_RUNS + " runs");
    }

    /// Where the run was ended; empty when it came to its own end before that boundary.
    public Optional<String> cut(int boundary) throws Exception {
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
