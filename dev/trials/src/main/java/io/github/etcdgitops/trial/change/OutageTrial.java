package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.ApiOutage;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.util.List;

/// The API server is away for a minute, in the middle of a join, of a departure, and of rolls: nobody
/// notices at the ring, and the next runs converge.
public final class OutageTrial implements Trial {
    private static final String RING = "outage";
    private static final int SECONDS = 60;
    private static final List<String> JOINING = List.of("AddLearner", "AwaitStarted", "Promote");
    private static final List<String> JOINING_AS_VOTER = List.of("AddVoter", "AwaitStarted", "SealMember");
    private static final List<String> ROLLING = List.of("WriteTemplate", "RestartMember", "PinPartition");
    private static final List<String> LEAVING = List.of("BlockEvictions", "RemoveMember", "AwaitPodGone");

    @Override
    public String name() {
        return "outage";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 3);
        try (var outage = new ApiOutage(bench)) {
            members(bench, outage, figures);
            rolls(bench, outage, figures);
        }
    }

    private static void members(Bench bench, ApiOutage outage, Figures figures) throws Exception {
        var watch = new RingWatch(bench, RING);
        var load = bench.load(RING);
        var joining = bench.options().etcd().hasLearners() ? JOINING : JOINING_AS_VOTER;
        try {
            for (int i = 0; i < joining.size(); i++) {
                bench.ring(RING, 4);
                without(bench, outage, 4, joining.get(i), figures);
                bench.ring(RING, 3);
                without(bench, outage, 3, LEAVING.get(i), figures);
            }
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
    }

    private static void rolls(Bench bench, ApiOutage outage, Figures figures) throws Exception {
        var watch = new RingWatch(bench, RING, true);
        var load = bench.load(RING);
        String version = bench.options().version();
        try {
            for (int i = 0; i < ROLLING.size(); i++) {
                UpgradesTrial.commit(bench, RING, 3, version, "etcd: {snapshotCount: " + (20_000 + i) + "}\n");
                without(bench, outage, 3, ROLLING.get(i), figures);
            }
            TlsTrial.commit(bench, RING, 3, version, "mutual", "plain");
            without(bench, outage, 3, "AdvertisePeers", figures);
            // The run that carries on ends with what was begun; the other half is the next one's.
            bench.tool().demand(0, "reconcile");
        } finally {
            Bench.demand(load.stop(), figures, "rolls.");
            watch.demand(figures, "rolls.");
        }
        bench.demandNothingToDo();
    }

    /// From the end of this step on.
    private static void without(Bench bench, ApiOutage outage, int size, String step, Figures figures)
            throws Exception {
        var run = bench.tool().start("reconcile");
        TrialFailure.unless(
                run.awaitStep(s -> s.path("step").asText().equals(step)), "the run did not come to " + step);
        outage.begin(SECONDS);
        figures.put("exitAfter" + step, run.exit());
        outage.awaitEnd();
        figures.put("runsAfter" + step, bench.converge(RING, size));
    }
}
