package io.github.etcdgitops.trial.repair;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Rings under the client whose files have much free space get smaller ones, one member after the other, the leader
/// last and after its leadership was moved; a run that finds little to gain does nothing.
public final class DefragmentTrial implements Trial {
    static final String WANTED = "maintenance:\n  defragment: {unusedPercent: 50, minimumSize: 16Mi}\n";
    private static final long MIB = 1 << 20;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern DEFRAGMENTED =
            Pattern.compile("\"message\":\"Defragment ([^\", ]+).*\"result\":\"done\"");

    @Override
    public String name() {
        return "defragment";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            String ring = "loose" + size;
            String prefix = "of" + size + ".";
            commit(bench, ring, size);
            bench.converge(ring, size);
            bench.demandNothingToDo();
            var load = bench.load(ring);
            var watch = new RingWatch(bench, ring);
            try {
                loosen(bench, ring);
                var siblings = new VolumeLoss(bench, ring).processesBut(-1);
                String leader = new Members(bench, ring).leader();
                figures.timed(prefix + "defragmented", () -> {
                    var run = bench.tool().demand(0, "reconcile");
                    var order = DEFRAGMENTED
                            .matcher(run.stderr())
                            .results()
                            .map(found -> found.group(1))
                            .toList();
                    TrialFailure.unlessSame("how many were defragmented", size, order.size());
                    TrialFailure.unlessSame("who was the last of " + order, leader, order.getLast());
                });
                demandTight(bench, ring);
                TrialFailure.unlessSame("the processes", siblings, new VolumeLoss(bench, ring).processesBut(-1));
            } finally {
                Bench.demandKept(load.stop(), figures, prefix);
                watch.demand(figures, prefix);
            }
            bench.demandNothingToDo();
            TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
            bench.git().remove("clusters/" + ring + ".yaml");
            bench.erase(ring);
        }
    }

    static void commit(Bench bench, String ring, int size) throws Exception {
        bench.git()
                .commit(
                        ring + " keeps its files small",
                        Map.of(
                                "clusters/" + ring + ".yaml",
                                bench.document(ring, size, bench.options().version(), WANTED)));
    }

    /// Most of each file is free.
    static void loosen(Bench bench, String ring) {
        LiveRing.fill(LiveRing.way(bench, ring), 48 * MIB);
        LiveRing.forget(LiveRing.way(bench, ring), "key-");
        EtcdProcess.await(
                "files that are mostly free",
                PATIENCE,
                () -> files(bench, ring).stream().allMatch(file -> file.bytes() > 40 * MIB && file.isLoose()));
    }

    static void demandTight(Bench bench, String ring) {
        TrialFailure.unless(
                files(bench, ring).stream().noneMatch(file -> file.bytes() > 40 * MIB),
                "a file is as large as before: " + files(bench, ring));
    }

    private static List<Members.FileSize> files(Bench bench, String ring) {
        return new Members(bench, ring).files();
    }
}
