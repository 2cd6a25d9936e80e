package io.github.etcdgitops.trial.repair;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Runs that are ended at every boundary between two steps of a replacement, of making room, and of defragmenting, each
/// time for a trouble of its own: the next runs mend it. Those of volumes, deletions and recoveries are in their
/// trials.
public final class RepairBoundariesTrial implements Trial {
    private static final Set<Integer> QUICK = Set.of(4, 9, 16);
    private static final int LAST_QUICK = 16;
    private static final int ENOUGH_RUNS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /// Makes trouble, and returns what takes back what was asked for.
    private interface Trouble {
        Figures.Act make(int boundary) throws Exception;
    }

    @Override
    public String name() {
        return "repair-boundaries";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        int size = bench.options().from();
        replacing(bench, size, figures);
        freeing(bench, size, figures);
        // etcd 3.3 does not report what a defragmentation would free.
        if (bench.options().etcd().atLeast(3, 4, 0)) {
            defragmenting(bench, size, figures);
        }
    }

    private static void replacing(Bench bench, int size, Figures figures) throws Exception {
        String ring = "replaced";
        bench.bringTo(ring, size);
        var load = bench.load(ring);
        try {
            figures.put("replacing", killed(bench, ring, size, boundary -> {
                int ordinal = boundary % size;
                String former = ReplaceTrial.id(bench, ring, ordinal);
                String document = ReplaceTrial.document(bench, ring, ordinal, former);
                return () -> {
                    TrialFailure.unless(
                            !ReplaceTrial.id(bench, ring, ordinal).equals(former),
                            "nobody was replaced after " + boundary);
                    bench.git().remove(document);
                };
            }));
        } finally {
            Bench.demandKept(load.stop(), figures, "replacing.");
        }
        over(bench, ring, size);
    }

    private static void freeing(Bench bench, int size, Figures figures) throws Exception {
        String ring = "freed";
        SpaceTrial.commit(bench, ring, size, "automatic");
        bench.converge(ring, size);
        var load = bench.load(ring);
        try {
            figures.put("freeing", killed(bench, ring, size, _ -> {
                SpaceTrial.overwrite(bench, ring);
                SpaceTrial.allow(bench, ring);
                return () ->
                        EtcdProcess.await("a ring that takes writes", PATIENCE, () -> SpaceTrial.written(bench, ring));
            }));
        } finally {
            Bench.demandKept(load.stop(), figures, "freeing.");
        }
        over(bench, ring, size);
    }

    private static void defragmenting(Bench bench, int size, Figures figures) throws Exception {
        String ring = "tightened";
        DefragmentTrial.commit(bench, ring, size);
        bench.converge(ring, size);
        var load = bench.load(ring);
        try {
            figures.put("defragmenting", killed(bench, ring, size, _ -> {
                DefragmentTrial.loosen(bench, ring);
                return () -> DefragmentTrial.demandTight(bench, ring);
            }));
        } finally {
            Bench.demandKept(load.stop(), figures, "defragmenting.");
        }
        over(bench, ring, size);
    }

    private static void over(Bench bench, String ring, int size) throws Exception {
        TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    /// At each boundary once. Where runs were ended.
    private static List<String> killed(Bench bench, String ring, int size, Trouble trouble) throws Exception {
        var cuts = new Cuts(bench);
        var where = new ArrayList<String>();
        for (int boundary = 1; ; boundary += bench.options().every()) {
            if (bench.options().quick() && !QUICK.contains(boundary)) {
                if (boundary > LAST_QUICK) {
                    return where;
                }
                continue;
            }
            var after = trouble.make(boundary);
            var reached = cuts.cut(boundary);
            reached.ifPresent(where::add);
            untilNothingIsLeft(bench, ring, size);
            after.run();
            if (reached.isEmpty()) {
                return where;
            }
        }
    }

    private static void untilNothingIsLeft(Bench bench, String ring, int size) throws Exception {
        for (int run = 0; run < ENOUGH_RUNS; run++) {
            bench.converge(ring, size);
            if (bench.tool().start("plan", "--detailed-exitcode").exit() == 0) {
                return;
            }
        }
        throw new TrialFailure(ring + " still has something to do after " + ENOUGH_RUNS + " runs");
    }
}
