package io.github.etcdgitops.trial.run;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import java.time.Duration;
import java.util.Map;

/// A run stands still for minutes in the midst of a restart, as a virtual machine does that is moved, and goes on
/// after another one has taken its ring: it finds that out before it does anything more.
public final class FrozenTrial implements Trial {
    private static final String RING = "frozen";
    private static final int SIZE = 3;
    private static final Duration LONGEST = Duration.ofMinutes(6);

    @Override
    public String name() {
        return "frozen";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        commit(bench, "3.5.16");
        bench.converge(RING, SIZE);
        var load = bench.load(RING);
        try {
            commit(bench, "3.5.30");
            var first = bench.tool().start("reconcile");
            TrialFailure.unless(first.awaitStep(Work.step("RestartMember")), "nobody was restarted: " + first.tail());
            first.signal("STOP");
            try {
                successor(bench, figures, System.nanoTime());
            } finally {
                first.signal("CONT");
            }
            int steps = first.steps().size();
            int exit = first.exit();
            figures.put("exitOfTheFrozen", exit);
            figures.put("stoppedBy", first.steps().getLast().path("detail").asText());
            figures.put("stepsAfterwards", first.steps().size() - steps);
            TrialFailure.unless(exit == 21, "the run that stood still ended with " + exit + ": " + first.tail());
        } finally {
            Bench.demand(load.stop(), figures, "");
        }
        bench.demandNothingToDo();
    }

    /// Runs one after the other, until one has the ring and carries on.
    private static void successor(Bench bench, Figures figures, long stopped) throws Exception {
        for (int busy = 0; ; busy++) {
            var next = bench.tool().start("reconcile");
            int exit = next.exit();
            long seconds = (System.nanoTime() - stopped) / 1_000_000_000;
            if (exit == 0) {
                figures.put("busyRuns", busy);
                figures.put("carriedOnAfterSeconds", seconds);
                return;
            }
            TrialFailure.unless(exit == 75, "a run beside it ended with " + exit + ": " + next.tail());
            TrialFailure.unless(seconds < LONGEST.toSeconds(), "nobody got the ring in " + seconds + " s");
        }
    }

    private static void commit(Bench bench, String version) throws Exception {
        bench.git()
                .commit(
                        "Run " + version,
                        Map.of("clusters/" + RING + ".yaml", bench.document(RING, SIZE, version, "")));
    }
}
