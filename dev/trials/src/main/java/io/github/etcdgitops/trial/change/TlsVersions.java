package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.watch.Doors;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/// TLS and the versions of etcd: new rings that begin with it on each, and a running one that must be
/// upgraded before its clients can move.
final class TlsVersions {
    private static final String FIRST = "3.3.25";
    private static final String EARLIER = "3.4.23";
    private static final String LATER = "3.5.16";
    private static final String NEWEST = "3.5.30";

    private TlsVersions() {}

    static void run(Bench bench, Figures figures) throws Exception {
        var versions = bench.options().quick()
                ? List.of(FIRST)
                : List.copyOf(
                        new TreeSet<>(List.of(FIRST, EARLIER, bench.options().version())));
        for (String version : versions) {
            founded(bench, version, figures);
        }
        afterUpgrade(bench, figures);
    }

    private static void founded(Bench bench, String version, Figures figures) throws Exception {
        String ring = "founded-" + version.replace('.', '-');
        String prefix = "founded." + version + ".";
        boolean grows = EtcdVersion.parse(version).orElseThrow().atLeast(3, 5, 0);
        UpgradesTrial.commit(bench, ring, 3, version, TlsTrial.BOTH_MUTUAL);
        figures.timed(prefix + "founding", () -> bench.converge(ring, 3));
        Doors.demandWays(bench, ring, TlsTrial.MUTUAL);
        figures.put(prefix + "refused", new Doors(bench, ring).demandClosed());
        if (grows) {
            grown(bench, ring, version, figures, prefix);
        }
        TlsTrial.etcdctl(bench, ring, grows ? 5 : 3);
        bench.demandNothingToDo();
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    /// By two members, under a client.
    private static void grown(Bench bench, String ring, String version, Figures figures, String prefix)
            throws Exception {
        var watch = new RingWatch(bench, ring);
        var load = bench.load(ring, () -> true);
        try {
            UpgradesTrial.commit(bench, ring, 5, version, TlsTrial.BOTH_MUTUAL);
            figures.timed(prefix + "growing", () -> bench.tool().demand(0, "reconcile"));
        } finally {
            Bench.demand(load.stop(), figures, prefix);
            watch.demand(figures, prefix);
        }
        TrialFailure.unlessSame("the members of " + ring, 5, LiveRing.demandAlike(bench, ring));
        new Doors(bench, ring).demandClosed();
    }

    /// What of TLS waits for a newer version comes after it, in the same chain.
    private static void afterUpgrade(Bench bench, Figures figures) throws Exception {
        String ring = "upgraded";
        String prefix = "upgraded.";
        UpgradesTrial.commit(bench, ring, 3, EARLIER, "");
        bench.converge(ring, 3);
        var moved = new AtomicBoolean();
        var watch = new RingWatch(bench, ring, true);
        var load = bench.load(ring, moved::get);
        try {
            TlsTrial.commit(bench, ring, 3, EARLIER, "mutual", "mutual");
            UpgradesTrial.said(bench.tool().planned(), "cannot reliably serve plain and TLS clients");
            figures.put(prefix + "peers.beganMillis", load.runningMillis());
            // The clients' part of the document stays an error.
            TlsTrial.note(bench.tool().demand(10, "reconcile"), figures, prefix + "peers.");
            Doors.demandWays(bench, ring, "2379 clear, 2381 TLS");
            UpgradesTrial.said(bench.tool().planned(), "cannot reliably serve plain and TLS clients");
            UpgradesTrial.commit(
                    bench, ring, 3, NEWEST, TlsTrial.BOTH_MUTUAL + "rollout:\n  via: [\"" + LATER + "\"]\n");
            figures.put(prefix + "all.beganMillis", load.runningMillis());
            var run = bench.tool().start("reconcile");
            EtcdProcess.await("clients served both ways", Work.LONGEST, () -> mixed(run));
            moved.set(true);
            int exit = run.exit();
            TrialFailure.unless(exit == 0, "all in one chain ended with " + exit + ": " + run.tail());
            TlsTrial.note(run, figures, prefix + "all.");
        } finally {
            Bench.demand(load.stop(), figures, prefix);
            watch.demand(figures, prefix);
        }
        bench.demandNothingToDo();
        Doors.demandWays(bench, ring, TlsTrial.MUTUAL);
        TrialFailure.unlessSame(
                "the versions", List.of(NEWEST), List.copyOf(new TreeSet<>(new Members(bench, ring).versions())));
        TrialFailure.unlessSame("the members of " + ring, 3, LiveRing.demandAlike(bench, ring));
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    /// All members serve clients both ways, or the run is over.
    private static boolean mixed(Run run) {
        return !run.isAlive()
                || run.steps().stream()
                                .filter(s -> s.path("step").asText().equals("ProveTransport")
                                        && s.path("detail").asText().contains("clients mixed"))
                                .count()
                        >= 3;
    }
}
