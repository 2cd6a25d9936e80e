package io.github.etcdgitops.trial.change;

import static io.github.etcdgitops.trial.change.VersionedRing.MIDDLE;
import static io.github.etcdgitops.trial.change.VersionedRing.NEWEST;
import static io.github.etcdgitops.trial.change.VersionedRing.OLDEST;

import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// From 3.5 over 3.6 to 3.7 and back, each by one commit, under a client that also watches and keeps a lease; beside
/// it what `kubectl rollout restart` does to an equal ring. Then what can happen on the way back: it is cancelled,
/// runs are killed, members are evicted, and a member is away.
public final class DowngradesTrial implements Trial {
    private static final int HOPS = 2;

    @Override
    public String name() {
        return "downgrades";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        if (!isPossible(bench)) {
            // No registry that trials know has 3.6 and 3.7.
            figures.put("notRun", "it needs a sandbox, and etcd " + OLDEST + ", " + MIDDLE + " and " + NEWEST);
            return;
        }
        for (int size : bench.options().sizes()) {
            for (boolean secured : List.of(false, true)) {
                thereAndBack(bench, size, secured, figures);
            }
        }
        for (int size : bench.options().sizes()) {
            for (boolean secured : bench.options().quick() ? List.of(false) : List.of(false, true)) {
                new DowngradeTroubles(bench, size, secured, figures).all();
            }
        }
    }

    private static boolean isPossible(Bench bench) {
        return bench.options().sandbox().isPresent()
                && Stream.of(OLDEST, MIDDLE, NEWEST)
                        .allMatch(version -> EtcdBinaries.find(version).isPresent());
    }

    private static void thereAndBack(Bench bench, int size, boolean secured, Figures figures) throws Exception {
        String name = (secured ? "tls" : "plain") + size;
        String prefix = name + ".";
        var equal = new VersionedRing(bench, "equal-" + name, size, secured);
        equal.found(NEWEST);
        // As many restarts as each way has.
        var kubectl = new KubectlRestart(bench, equal.name(), size, secured)
                .times(HOPS, figures, prefix + "kubectl.")
                .longestGap();
        var ring = new VersionedRing(bench, name, size, secured);
        ring.found(OLDEST);
        one(ring, NEWEST, kubectl, figures, prefix + "up.");
        one(ring, OLDEST, kubectl, figures, prefix + "back.");
        ring.erase();
    }

    private static void one(VersionedRing ring, String version, Duration kubectl, Figures figures, String prefix)
            throws Exception {
        var longest = ring.watched(figures, prefix, runs -> {
            ring.ask(version);
            var run = ring.reconcile();
            runs.add(run);
            figures.put(prefix + "steps", UpgradesTrial.steps(run));
            figures.put(prefix + "millis", UpgradesTrial.workMillis(run));
            TrialFailure.unlessSame("the rolls of " + ring.name(), HOPS, finished(run));
        });
        figures.put(prefix + "shareOfGap", Math.round(longest.toMillis() * 100.0 / kubectl.toMillis()) / 100.0);
        ring.demandRuns(version);
        ring.demandAlike();
    }

    private static int finished(Run run) {
        return (int) run.steps().stream()
                .filter(step -> step.path("step").asText().equals("FinishRoll"))
                .count();
    }
}
