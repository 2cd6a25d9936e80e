package io.github.etcdgitops.trial.backup;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A ring that goes together with its volumes: not while a client writes, not without an approval, and not
/// before a snapshot is stored, from which another ring has the same data by hash. Killed at every boundary
/// it is carried on. What was kept of a ring goes in the same way, without a snapshot.
final class LastSnapshots {
    private static final int ENOUGH_RUNS = 8;

    private final Bench bench;
    private final String ring;
    private final int size;

    LastSnapshots(Bench bench, String ring, int size) {
        this.bench = bench;
        this.ring = ring;
        this.size = size;
    }

    void run(Figures figures, String prefix) throws Exception {
        bench.tool().environment("ETCD_GITOPS_IMAGE", bench.options().image().orElse("etcd-gitops:sandbox"));
        var place = BackupPlace.directory("last", bench.folder().resolve("last-" + ring));
        bench.git()
                .commit(
                        "A place for last snapshots",
                        Map.of("policies/last.yaml", place.document(bench.namespace(), "")));
        bench.bringTo(ring, size);
        whileAClientWrites(figures, prefix);
        var endpoint = LiveRing.way(bench, ring);
        long revision = LiveRing.revision(endpoint);
        var hash = LiveRing.hash(endpoint, revision);
        String id = DeletionTrial.clusterId(bench, ring);
        approve();
        var killed = new ArrayList<String>();
        figures.timed(prefix + "deletedWithData", () -> killed.addAll(killedUntilGone()));
        figures.put(prefix + "withDataKilledAt", killed);
        DeletionTrial.demandGone(bench, ring, 0);
        bench.demandNothingToDo();
        String again = "again" + size;
        bench.users().restoreRoot(ring, again);
        bench.git().remove("approvals/" + ring + ".yaml");
        bench.git()
                .commit(
                        "A ring that begins with the last snapshot",
                        Map.of(
                                "clusters/" + again + ".yaml",
                                bench.document(again, 1),
                                "clusters/" + again + "-restore.yaml",
                                new RestoreDocuments(bench).restore(again, place.policy(), ring, "")));
        figures.timed(prefix + "restored", () -> bench.converge(again, 1));
        TrialFailure.unlessSame(
                "the data of " + ring + " (" + id + ") after its last snapshot was restored",
                hash,
                LiveRing.hash(LiveRing.way(bench, again), revision));
        figures.put(prefix + "revisionOfTheLastSnapshot", revision);
        bench.git().remove("clusters/" + again + "-restore.yaml");
        bench.git().remove("clusters/" + again + ".yaml");
        bench.erase(again);
        bench.git().remove("tombstones/" + ring + ".yaml");
        bench.erase(ring);
    }

    /// Held, and the client does not notice.
    private void whileAClientWrites(Figures figures, String prefix) throws Exception {
        var load = bench.load(ring);
        try {
            bench.git().remove("clusters/" + ring + ".yaml");
            DeletionTrial.mourn(bench, ring, "snapshotThenDelete\n  policy: last");
            bench.tool().demand(0, "reconcile");
            approve();
            bench.tool().demand(0, "reconcile");
            TrialFailure.unlessSame(
                    "the claims of " + ring + " beside a client",
                    size,
                    DeletionTrial.claims(bench, ring).size());
            TrialFailure.unlessSame(
                    "the members of " + ring + " beside a client", size, LiveRing.demandAlike(bench, ring));
            bench.git().remove("approvals/" + ring + ".yaml");
        } finally {
            Bench.demandKept(load.stop(), figures, prefix + "used.");
        }
    }

    private void approve() throws Exception {
        byte[] approval = bench.tool()
                .demand(0, "approve", "--by", "the trial", "--reason", "nobody needs it")
                .stdout()
                .getBytes(StandardCharsets.UTF_8);
        bench.git().commit(ring + " may go for good", Map.of("approvals/" + ring + ".yaml", approval));
    }

    /// Each run gets so many boundaries further than the one before.
    private List<String> killedUntilGone() throws Exception {
        var cuts = new Cuts(bench);
        var where = new ArrayList<String>();
        int step = bench.options().quick() ? 9 : 3;
        for (int boundary = step; ; boundary += step) {
            var cut = cuts.cut(boundary);
            cut.ifPresent(where::add);
            if (cut.isEmpty()) {
                break;
            }
        }
        for (int run = 0; run < ENOUGH_RUNS; run++) {
            if (bench.tool().start("plan", "--detailed-exitcode").exit() == 0) {
                return where;
            }
            bench.tool().start("reconcile");
        }
        throw new TrialFailure(ring + " was not deleted in " + ENOUGH_RUNS + " runs");
    }

    /// What is kept of a deleted ring goes by another word in its tombstone.
    void runKept(Figures figures, String prefix) throws Exception {
        bench.bringTo(ring, size);
        bench.git().remove("clusters/" + ring + ".yaml");
        DeletionTrial.mourn(bench, ring);
        bench.tool().demand(0, "reconcile");
        DeletionTrial.demandGone(bench, ring, size);
        DeletionTrial.mourn(bench, ring, "deleteRetained");
        bench.tool().demand(0, "reconcile");
        DeletionTrial.demandGone(bench, ring, size);
        approve();
        figures.timed(prefix + "purged", () -> bench.tool().demand(0, "reconcile"));
        DeletionTrial.demandGone(bench, ring, 0);
        bench.git().remove("approvals/" + ring + ".yaml");
        bench.git().remove("tombstones/" + ring + ".yaml");
        bench.ring(ring, size);
        bench.tool().demand(10, "reconcile");
        var plan = bench.tool().start("plan", "-o", "json");
        plan.exit();
        TrialFailure.unless(
                plan.stdout().contains("volumes-deleted"),
                "a document founds " + ring + " over what is left of another one");
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }
}
