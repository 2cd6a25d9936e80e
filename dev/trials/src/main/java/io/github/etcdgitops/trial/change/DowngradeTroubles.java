package io.github.etcdgitops.trial.change;

import static io.github.etcdgitops.trial.change.VersionedRing.MIDDLE;
import static io.github.etcdgitops.trial.change.VersionedRing.NEWEST;
import static io.github.etcdgitops.trial.change.VersionedRing.OLDEST;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.EveryBoundary;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.fault.Evictions;
import io.github.etcdgitops.trial.fault.MemberAway;
import java.util.List;

/// What can happen on a ring's way back from 3.7 to 3.5. Each time it gets there, under a client that also watches.
record DowngradeTroubles(Bench bench, int size, boolean secured, Figures figures) {
    /// It does not restart first, and does not lead then.
    private static final int AWAY = 1;

    void all() throws Exception {
        cancelled(ring("cancelled"));
        killed(ring("killed"));
        evicted(ring("evicted"));
        away(ring("away"));
    }

    private VersionedRing ring(String what) throws Exception {
        var ring = new VersionedRing(bench, what + (secured ? "-tls" : "") + size, size, secured);
        ring.found(NEWEST);
        return ring;
    }

    private void over(VersionedRing ring) throws Exception {
        ring.demandRuns(OLDEST);
        ring.demandAlike();
        ring.erase();
    }

    /// Each half in its middle: once before and once after most members run the earlier version.
    private void cancelled(VersionedRing ring) throws Exception {
        String prefix = ring.name() + ".";
        ring.watched(figures, prefix, runs -> {
            cancelled(ring, List.of(NEWEST, MIDDLE), size / 2, runs);
            cancelled(ring, List.of(MIDDLE, OLDEST), size - size / 2, runs);
        });
        over(ring);
    }

    /// The run is killed when so many members run the second version, and the commit is taken back. Then it is asked
    /// for again.
    private void cancelled(VersionedRing ring, List<String> versions, int members, List<Run> runs) throws Exception {
        String prefix = ring.name() + ".from" + versions.getFirst() + ".";
        ring.ask(versions.getLast());
        var run = bench.tool().start("reconcile");
        runs.add(run);
        EtcdProcess.await(
                members + " members that were rolled", Work.LONGEST, () -> rolled(run) >= members || !run.isAlive());
        TrialFailure.unless(run.isAlive(), "the run ended before it could be killed: " + run.tail());
        run.kill();
        figures.put(prefix + "killedWith", new Members(bench, ring.name()).versions());
        ring.ask(versions.getFirst());
        var back = ring.reconcile();
        runs.add(back);
        figures.put(prefix + "steps", UpgradesTrial.steps(back));
        TrialFailure.unless(
                back.steps().stream().anyMatch(Work.step("CancelDowngrade")), "nothing was cancelled: " + back.tail());
        ring.demandRuns(versions.getFirst());
        ring.ask(versions.getLast());
        runs.add(ring.reconcile());
        ring.demandRuns(versions.getLast());
    }

    private static long rolled(Run run) {
        return run.steps().stream().filter(Work.step("AwaitRolled")).count();
    }

    private void killed(VersionedRing ring) throws Exception {
        String prefix = ring.name() + ".";
        var boundaries = new EveryBoundary(bench, ring.name());
        ring.watched(figures, prefix, _ -> {
            ring.ask(OLDEST);
            figures.put(prefix + "killed", boundaries.until(() -> ring.runs(OLDEST)));
        });
        figures.put(prefix + "elsewhere", boundaries.elsewhere());
        figures.put(prefix + "where", boundaries.where());
        over(ring);
    }

    /// Everybody, all the time, also in the second in which a member restarts.
    private void evicted(VersionedRing ring) throws Exception {
        String prefix = ring.name() + ".";
        var evictions = new Evictions(bench, ring.name());
        ring.watched(figures, prefix, runs -> {
            for (String version : List.of(MIDDLE, OLDEST)) {
                ring.ask(version);
                var run = bench.tool().start("reconcile");
                runs.add(run);
                figures.put(prefix + "answersTo" + version, evictions.duringRoll(run, size));
            }
        });
        over(ring);
    }

    private void away(VersionedRing ring) throws Exception {
        String prefix = ring.name() + ".";
        ring.watched(figures, prefix, runs -> {
            new MemberAway(bench, ring.name()).during(AWAY, size, () -> {
                ring.ask(OLDEST);
                var held = bench.tool().demand(13, "reconcile", "--fail-on-deferred");
                runs.add(held);
                UpgradesTrial.said(held, "the ring is not green: " + ring.name() + "-" + AWAY);
                figures.put(
                        prefix + "said",
                        held.stdout()
                                .lines()
                                .filter(line -> line.contains("waits: "))
                                .toList());
                figures.put(prefix + "stepsMeanwhile", UpgradesTrial.steps(held));
                var members = new Members(bench, ring.name());
                TrialFailure.unless(
                        members.storages().stream()
                                .allMatch(storage -> storage.downgradeTo().isEmpty()),
                        "a downgrade was announced: " + members.storages());
                TrialFailure.unless(
                        members.versions().stream().allMatch(NEWEST::equals),
                        "somebody was restarted: " + members.versions());
            });
            runs.add(ring.reconcile());
        });
        over(ring);
    }
}
