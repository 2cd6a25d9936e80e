package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Pauses;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.Doors;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A ring whose document asks for one version after another; in the clear, or with TLS between members and towards
/// clients.
record VersionedRing(Bench bench, String name, int size, boolean secured) {
    static final String OLDEST = "3.5.30";
    static final String MIDDLE = "3.6.14";
    static final String NEWEST = "3.7.1";

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /// Does something to the ring, and notes its runs.
    interface Change {
        void make(List<Run> runs) throws Exception;
    }

    void ask(String version) throws Exception {
        UpgradesTrial.commit(
                bench,
                name,
                size,
                version,
                (secured ? TlsTrial.BOTH_MUTUAL : "") + "rollout:\n  via: [\"" + MIDDLE + "\"]\n");
    }

    void found(String version) throws Exception {
        ask(version);
        bench.converge(name, size);
        if (secured) {
            Doors.demandWays(bench, name, TlsTrial.MUTUAL);
        }
    }

    Run reconcile() throws Exception {
        return bench.tool().demand(0, "reconcile");
    }

    /// Beside a client that also watches and keeps a lease. Returns the client's longest pause.
    Duration watched(Figures figures, String prefix, Change change) throws Exception {
        var watch = new RingWatch(bench, name, true);
        var client = bench.watchedLoad(name, secured);
        var pauses = Pauses.of(client.load());
        var runs = new ArrayList<Run>();
        Duration longest;
        try {
            change.make(runs);
        } finally {
            var result = client.stop();
            longest = result.writes().longestGap();
            figures.put(prefix + "pauses", pauses.during(result.writes(), runs));
            Bench.demand(result, figures, prefix);
            watch.demand(figures, prefix);
        }
        return longest;
    }

    boolean runs(String version) {
        return bench.isAtRest(name, size)
                && new Members(bench, name).versions().equals(Collections.nCopies(size, version));
    }

    /// Every member runs this version on data of this version, no downgrade is under way, and there is nothing to do.
    void demandRuns(String version) throws Exception {
        TrialFailure.unless(
                runs(version), name + " does not run " + version + " but " + new Members(bench, name).versions());
        bench.demandNothingToDo();
        EtcdProcess.await(
                "data of " + version + " and no downgrade",
                PATIENCE,
                () -> new Members(bench, name).storages().equals(Collections.nCopies(size, storage(version))));
    }

    /// While nobody writes.
    void demandAlike() {
        TrialFailure.unlessSame("the members of " + name, size, LiveRing.demandAlike(bench, name));
        if (secured) {
            Doors.demandWays(bench, name, TlsTrial.MUTUAL);
        }
    }

    /// Servers of 3.5 do not tell.
    private static Members.Storage storage(String version) {
        var etcd = EtcdVersion.parse(version).orElseThrow();
        return new Members.Storage(etcd.hasDowngrade() ? etcd.line().toString() : "", "");
    }

    void erase() throws Exception {
        bench.git().remove("clusters/" + name + ".yaml");
        bench.erase(name);
    }
}
