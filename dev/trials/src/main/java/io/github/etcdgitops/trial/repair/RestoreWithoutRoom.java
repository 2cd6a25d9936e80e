package io.github.etcdgitops.trial.repair;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.backup.Backup;
import io.github.etcdgitops.trial.backup.BackupCommands;
import io.github.etcdgitops.trial.backup.BackupPlace;
import io.github.etcdgitops.trial.backup.RestoreDocuments;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.SmallVolume;
import io.github.etcdgitops.trial.fault.StruckRing;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/// A scene of [DeadEndsTrial].
final class RestoreWithoutRoom {
    private static final Pattern ID = Pattern.compile("\"clusterId\"\\s*:\\s*\"([0-9a-f]+)\"");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private RestoreWithoutRoom() {}

    /// An in-place restore that has no room beside the data that is there ends nobody, and goes on once
    /// there is room.
    static void play(Bench bench, String ring, Figures figures) throws Exception {
        if (!SmallVolume.isPossible()) {
            figures.put(ring, "not tried: only root can mount a small volume");
            return;
        }
        String version = bench.options().version();
        bench.bringTo(ring, 3);
        LiveRing.put(LiveRing.way(bench, ring), "before", "the backup");
        var place = DeadEndsTrial.place(bench);
        var backup = new BackupCommands(bench).created(place, ring);
        LiveRing.put(LiveRing.way(bench, ring), "after", "the backup");
        String machine = DeadEndsTrial.machine(bench, ring, 0);
        bench.sandbox().make("node-gone", machine);
        try (var volume = new SmallVolume(bench, "data-" + ring + "-0")) {
            bench.sandbox().make("node-back", machine);
            EtcdProcess.await(
                    "all members",
                    PATIENCE,
                    () -> new Members(bench, ring).ways().size() == 3);
            volume.leave(32);
            var processes = new VolumeLoss(bench, ring).processesBut(-1);
            asked(bench, ring, place, backup);
            var run = bench.tool().start("reconcile");
            run.exit();
            TrialFailure.unless(run.log().contains("is too small"), "not refused for its room: " + run.tail());
            TrialFailure.unlessSame(
                    "who runs after a refusal", processes, new VolumeLoss(bench, ring).processesBut(-1));
            LiveRing.put(LiveRing.way(bench, ring), "after", "the refusal");

            long began = System.nanoTime();
            volume.leave(400);
            figures.put(
                    ring,
                    new StruckRing(bench, ring).untilWhole(3, version, began).toString());
            TrialFailure.unlessSame(
                    "the keys of " + ring, backup.keys(), LiveRing.keys(LiveRing.way(bench, ring), backup.revision()));
            bench.git().remove("clusters/" + ring + "-restore.yaml");
            bench.git().remove(new StruckRing(bench, ring).approvals());
        }
    }

    /// The document, and the approval that it needs.
    private static void asked(Bench bench, String ring, BackupPlace place, Backup backup) throws Exception {
        var found = ID.matcher(DeadEndsTrial.journal(bench, ring));
        TrialFailure.unless(found.find(), "the journal of " + ring + " has no cluster ID");
        String former = found.group(1);
        String document = new String(
                        new RestoreDocuments(bench)
                                .restore(ring, place.policy(), ring, ", backup: \"" + backup.id() + "\""),
                        StandardCharsets.UTF_8)
                .replace("spec:\n", "spec:\n  inPlace: {clusterId: \"" + former + "\"}\n");
        bench.git()
                .commit(
                        ring + " goes back to " + backup.id(),
                        Map.of("clusters/" + ring + "-restore.yaml", document.getBytes(StandardCharsets.UTF_8)));
        TrialFailure.unless(
                new StruckRing(bench, ring).approved("--cluster-id", former), "the restore asks for no approval");
    }
}
