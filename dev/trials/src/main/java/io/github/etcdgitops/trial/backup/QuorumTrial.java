package io.github.etcdgitops.trial.backup;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A ring loses its quorum. The plan says so, runs save what is left and replace nobody. A new ring begins
/// with it, with what was written after the last backup of the schedule as well; and once somebody has
/// approved it, so does the ring itself.
public final class QuorumTrial implements Trial {
    private static final long CONTENT = 1L << 20;

    @Override
    public String name() {
        return "quorum";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.tool().environment("ETCD_GITOPS_IMAGE", bench.options().image().orElse("etcd-gitops:sandbox"));
        for (int size : bench.options().sizes()) {
            var place = BackupPlace.directory("place" + size, bench.folder().resolve("backups" + size));
            figures.timed("of" + size, () -> figures.put("of" + size + ".killedAt", of(bench, size, place)));
        }
    }

    private static List<String> of(Bench bench, int size, BackupPlace place) throws Exception {
        String ring = "left" + size;
        var written = new RestoreDocuments(bench);
        bench.git()
                .commit(
                        ring + " is backed up",
                        Map.of(
                                "clusters/" + ring + ".yaml",
                                written.backedUp(ring, size, bench.users().tls()),
                                "policies/" + place.policy() + ".yaml",
                                written.policy(place, BackupPlace.schedule())));
        bench.converge(ring, size);
        LiveRing.fill(LiveRing.way(bench, ring), CONTENT);
        bench.tool().demand(0, "reconcile");
        LiveRing.put(LiveRing.way(bench, ring), "after", "the backup");
        int alike = LiveRing.demandAlike(bench, ring);
        TrialFailure.unlessSame("the members of " + ring, size, alike);
        long revision = LiveRing.revision(LiveRing.way(bench, ring));

        var saved = saved(bench, ring, size, place, revision);
        begins(bench, ring, place, saved);
        var killedAt = new QuorumRecovery(bench, ring, size).recover(saved);
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.git().remove("policies/" + place.policy() + ".yaml");
        bench.erase(ring);
        return killedAt;
    }

    /// All volumes but those of a minority go.
    private static Backup saved(Bench bench, String ring, int size, BackupPlace place, long revision) throws Exception {
        var loss = new VolumeLoss(bench, ring);
        int lost = size / 2 + 1;
        for (int ordinal = 0; ordinal < lost; ordinal++) {
            loss.lose(ordinal);
            bench.kube()
                    .pods()
                    .inNamespace(bench.namespace())
                    .withName(ring + "-" + ordinal)
                    .delete();
        }
        EtcdProcess.await(
                "the plan to say that the quorum is lost",
                Duration.ofMinutes(3),
                () -> says(bench, size - lost + " of " + size + " voters answer"));
        bench.tool().start("reconcile").exit();
        var backup = new BackupCommands(bench).newest(place, ring);
        TrialFailure.unless(
                backup.id().endsWith(StoredBackup.WITHOUT_QUORUM + revision) && backup.verified(),
                "what is left at revision " + revision + " was not saved, the newest backup is " + backup.id());
        int backups = place.backups();
        bench.tool().start("reconcile").exit();
        TrialFailure.unlessSame("the backups after another run", backups, place.backups());
        for (int ordinal = 0; ordinal < lost; ordinal++) {
            TrialFailure.unless(loss.isLost(ordinal), "a claim was given up without a majority");
        }
        return backup;
    }

    private static boolean says(Bench bench, String words) {
        try {
            var run = bench.tool().start("plan");
            run.exit();
            return run.stdout().contains(words);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void begins(Bench bench, String ring, BackupPlace place, Backup saved) throws Exception {
        String again = ring + "-again";
        bench.git()
                .commit(
                        again + " begins with what is left",
                        Map.of(
                                "clusters/" + again + ".yaml",
                                bench.document(
                                        again,
                                        3,
                                        bench.options().version(),
                                        bench.users().tls()),
                                "clusters/" + again + "-restore.yaml",
                                new RestoreDocuments(bench)
                                        .restore(again, place.policy(), ring, ", backup: \"" + saved.id() + "\"")));
        bench.converge(again, 3);
        var live = LiveRing.way(bench, again);
        TrialFailure.unlessSame("the keys of " + again, saved.keys(), LiveRing.keys(live, saved.revision()));
        TrialFailure.unless(
                LiveRing.revision(live) >= saved.revision(), again + " is behind revision " + saved.revision());
        bench.git().remove("clusters/" + again + ".yaml");
        bench.git().remove("clusters/" + again + "-restore.yaml");
        bench.erase(again);
    }
}
