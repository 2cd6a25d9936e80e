package io.github.etcdgitops.trial.run;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.util.List;

/// The same state gives the same bytes and no further commit; two publishers at once lose neither.
public final class ReportsTrial implements Trial {
    private static final String RING = "reports";
    private static final int PAIRS = 5;
    private static final int[][] RACES = {{5, 7}, {4, 6}, {9, 8}};

    @Override
    public String name() {
        return "reports";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        String branch = "etcd-gitops/reports/" + bench.namespace();
        bench.bringTo(RING, 3);
        idle(bench, branch, figures);
        bench.ring(RING, 5);
        samePlan(bench, figures);
        for (int[] sizes : RACES) {
            race(bench, branch, sizes);
            figures.count("races");
        }
        String history = bench.git().ask("rev-list", "--min-parents=2", "--count", branch);
        TrialFailure.unless(history.equals("0"), "the history is not linear");
        figures.put("commits", Integer.parseInt(bench.git().ask("rev-list", "--count", branch)));
    }

    /// Other rings of this Kubernetes are orphans to this repository and are in its report. They may change while the
    /// trial runs, so a pair of runs counts only when nothing else did; the ring's own page must never change.
    private static void idle(Bench bench, String branch, Figures figures) throws Exception {
        bench.tool().demand(0, "reconcile");
        for (int pair = 1; pair <= PAIRS; pair++) {
            String before = bench.git().tip(branch);
            bench.tool().demand(0, "reconcile");
            bench.tool().demand(0, "reconcile");
            String after = bench.git().tip(branch);
            figures.put("idlePairs", pair);
            if (after.equals(before)) {
                return;
            }
            String changed = bench.git().ask("diff", "--name-only", before, after);
            TrialFailure.unless(
                    !changed.contains("/" + bench.namespace() + "/"), "an idle run changed the report: " + changed);
        }
        throw new TrialFailure("every run with nothing to do made a commit");
    }

    private static void samePlan(Bench bench, Figures figures) throws Exception {
        for (int pair = 1; pair <= PAIRS; pair++) {
            String once = bench.tool().planned("-o", "json").stdout();
            String again = bench.tool().planned("-o", "json").stdout();
            TrialFailure.unless(once.contains("ScaleOut"), "the plan is empty: " + once);
            TrialFailure.unless(
                    Plans.ring(once, bench.namespace(), RING).equals(Plans.ring(again, bench.namespace(), RING)),
                    "two plans of the same ring differ");
            figures.put("planPairs", pair);
            figures.put("planBytes", once.length());
            if (once.equals(again)) {
                return;
            }
        }
        throw new TrialFailure("no two plans were the same");
    }

    /// Two dry runs of different commits: each publishes a plan of its own.
    private static void race(Bench bench, String branch, int[] sizes) throws Exception {
        String before = bench.git().tip(branch);
        var refs = List.of("race-" + sizes[0], "race-" + sizes[1]);
        for (int i = 0; i < 2; i++) {
            bench.git()
                    .commitOn(
                            refs.get(i),
                            "Size " + sizes[i],
                            java.util.Map.of("clusters/" + RING + ".yaml", bench.document(RING, sizes[i])));
        }
        var runs = List.of(
                bench.tool().start("reconcile", "--dry-run", "--ref", refs.getFirst()),
                bench.tool().start("reconcile", "--dry-run", "--ref", refs.getLast()));
        for (var run : runs) {
            TrialFailure.unless(run.exit() == 0, "a publisher failed: " + run.tail());
        }
        bench.git().ask("merge-base", "--is-ancestor", before, branch);
        String made = bench.git().ask("log", "--format=%B", before + ".." + branch);
        for (String ref : refs) {
            String commit = bench.git().tip(ref);
            TrialFailure.unless(
                    made.contains("Etcd-Gitops-Source-Sha: " + commit), "the report of " + ref + " is lost");
        }
    }
}
