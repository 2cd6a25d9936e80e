package io.github.etcdgitops.trial;

import io.github.etcdgitops.it.EtcdProcess;
import java.time.Duration;
import java.util.List;

/// The API server is away for a minute, in the middle of a join and of a departure: nobody notices at the ring, and the
/// next runs converge.
final class OutageTrial implements Trial {
    private static final String RING = "outage";
    private static final String SECONDS = "60";
    private static final List<String> MOMENTS = List.of("AddLearner", "AwaitStarted", "Promote");
    private static final List<String> LEAVING = List.of("BlockEvictions", "RemoveMember", "AwaitPodGone");

    @Override
    public String name() {
        return "outage";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 3);
        var watch = new RingWatch(bench, RING);
        var load = bench.load(RING);
        try {
            for (int i = 0; i < MOMENTS.size(); i++) {
                without(bench, 4, MOMENTS.get(i), figures);
                without(bench, 3, LEAVING.get(i), figures);
            }
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
    }

    /// From the end of this step on.
    private static void without(Bench bench, int size, String step, Figures figures) throws Exception {
        bench.ring(RING, size);
        var run = bench.tool().start("reconcile");
        TrialFailure.unless(
                run.awaitStep(s -> s.path("step").asText().equals(step)), "the run did not come to " + step);
        bench.sandbox().make("api-down", SECONDS);
        figures.put("exitAfter" + step, run.exit());
        EtcdProcess.await("the API's return", Duration.ofMinutes(3), () -> answers(bench));
        figures.put("runsAfter" + step, bench.converge(RING, size));
    }

    private static boolean answers(Bench bench) {
        try {
            return bench.kube().namespaces().withName("kube-system").get() != null;
        } catch (RuntimeException _) {
            return false;
        }
    }
}
