package io.github.etcdgitops.trial.backup;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a backup is worth: those of a ring, in an S3 API (compressed and encrypted) and in a directory (as it is),
/// stand
/// their drills, come back as new rings with the same keys, revision and hash, and do so as well when every run is
/// ended
/// one boundary between steps further than the one before. Nothing is ever restored over what is there.
public final class RestoresTrial implements Trial {
    private static final String RING = "source";
    private static final long CONTENT = 4L << 20;
    private static final int KILLED = 137;
    private static final int ENOUGH = 80;

    @Override
    public String name() {
        return "restores";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        figures.put("version", bench.options().version());
        bench.tool().environment("ETCD_GITOPS_IMAGE", bench.options().image().orElse("etcd-gitops:sandbox"));
        bench.alsoUses(bench.namespace() + "-drills");
        var credentials = new BackupCredentials(bench);
        var bucket = BackupPlace.bucket(
                bench, "bucket", bench.namespace(), S3Proxy.shared().endpoint());
        var directory = BackupPlace.directory("directory", bench.folder().resolve("backups"));
        var stage = new Stage(bench, new BackupCommands(bench), figures, List.of(bucket, directory));
        bench.git()
                .commit(
                        "A ring with backups",
                        Map.of("clusters/" + RING + ".yaml", new RestoreDocuments(bench).backedUp(RING, 3, "")));
        bench.converge(RING, 3);
        LiveRing.fill(LiveRing.way(bench, RING), CONTENT);
        policies(stage, credentials);
        figures.timed("backups", () -> bench.tool().demand(0, "reconcile"));
        figures.timed("drills", () -> drills(stage));
        figures.timed("byDocument", () -> byDocument(stage, bucket));
        figures.timed("byHand", () -> byHand(stage, directory));
        figures.timed("refused", () -> refused(stage, directory));
        if (!bench.options().quick()) {
            figures.timed("backupCut", () -> backupCut(stage, bucket));
            figures.timed("restoreCut", () -> restoreCut(stage, bucket));
        }
    }

    private record Stage(Bench bench, BackupCommands commands, Figures figures, List<BackupPlace> places) {
        /// A ring of its own, and the document that says what it begins with, in one commit.
        void restoring(String ring, int size, BackupPlace place, String backup) throws Exception {
            bench.users().restoreRoot(RING, ring);
            bench.git()
                    .commit(
                            ring + " from " + backup,
                            Map.of(
                                    "clusters/" + ring + ".yaml",
                                    bench.document(ring, size, version(size), ""),
                                    "clusters/" + ring + "-restore.yaml",
                                    new RestoreDocuments(bench)
                                            .restore(ring, place.policy(), RING, ", backup: \"" + backup + "\"")));
        }

        /// A restored ring starts with one member, and on 3.3, which has no learners, it stays at one.
        private String version(int size) {
            var options = bench.options();
            return size > 1 && !options.etcd().hasLearners() ? "3.4.23" : options.version();
        }

        /// At the revision of the backup it holds what the backup holds, hash included.
        void demandHolds(String ring, BackupPlace place, Backup backup) throws IOException {
            var live = LiveRing.way(bench, ring);
            var proven = place.manifest(backup).content().hashes().getLast();
            var wanted = new LiveRing.Hash(proven.revision(), proven.compactRevision(), proven.hash());
            TrialFailure.unlessSame("the hash of " + ring, wanted, LiveRing.hash(live, proven.revision()));
            TrialFailure.unlessSame("the keys of " + ring, backup.keys(), LiveRing.keys(live, backup.revision()));
            TrialFailure.unless(
                    LiveRing.revision(live) >= backup.revision(), ring + " is behind revision " + backup.revision());
        }
    }

    private static void policies(Stage stage, BackupCredentials credentials) throws Exception {
        String namespace = stage.bench().namespace();
        String common =
                BackupPlace.schedule() + "  drill: {every: 24h, namespace: " + namespace + "-drills, maxAge: 48h}\n";
        String encoded = "  compression: zstd\n  encryption: {recipient: " + credentials.recipient() + "}\n";
        var written = new RestoreDocuments(stage.bench());
        var documents = new HashMap<String, byte[]>();
        documents.put("policies/bucket.yaml", written.policy(stage.places().getFirst(), common + encoded));
        documents.put("policies/directory.yaml", written.policy(stage.places().getLast(), common));
        stage.bench().git().commit("Backups and drills", documents);
    }

    /// Each policy's newest backup is tried once; nothing of that is left, and the next run tries none.
    private static void drills(Stage stage) throws Exception {
        var bench = stage.bench();
        bench.tool().demand(0, "reconcile");
        for (var place : stage.places()) {
            var drills = stage.commands().newest(place, RING).line().path("drills");
            TrialFailure.unless(
                    drills.size() == 1 && drills.get(0).path("passed").asBoolean(),
                    place.policy() + " has the drills " + drills);
        }
        String drilled = bench.namespace() + "-drills";
        TrialFailure.unless(
                bench.kube()
                                .batch()
                                .v1()
                                .jobs()
                                .inNamespace(drilled)
                                .list()
                                .getItems()
                                .isEmpty()
                        && bench.kube()
                                .pods()
                                .inNamespace(drilled)
                                .list()
                                .getItems()
                                .isEmpty(),
                "something of the drills is left in " + drilled);
        var plan = bench.tool().planned("-o", "json").stdout();
        List<JsonNode> again = Plans.operations(Plans.ring(plan, bench.namespace(), RING), "DrillBackup");
        TrialFailure.unless(again.isEmpty(), "drills are planned again: " + again);
    }

    private static void byDocument(Stage stage, BackupPlace place) throws Exception {
        var backup = stage.commands().newest(place, RING);
        stage.restoring("again", 3, place, backup.id());
        stage.bench().converge("again", 3);
        stage.demandHolds("again", place, backup);
        LiveRing.put(LiveRing.way(stage.bench(), "again"), "after", "the restore");
        stage.bench().tool().demand(0, "reconcile");
        stage.demandHolds("again", place, backup);
    }

    private static void byHand(Stage stage, BackupPlace place) throws Exception {
        var bench = stage.bench();
        var backup = stage.commands().newest(place, RING);
        bench.users().restoreRoot(RING, "handmade");
        bench.ring("handmade", 1);
        bench.tool()
                .demand(
                        0,
                        "restore",
                        bench.namespace() + "/handmade",
                        "--policy",
                        place.policy(),
                        "--of",
                        bench.namespace() + "/" + RING,
                        "--backup",
                        backup.id(),
                        "--no-other-runs");
        stage.demandHolds("handmade", place, backup);
        TrialFailure.unless(bench.isAtRest("handmade", 1), "handmade is not at rest");
        bench.tool()
                .demand(
                        0,
                        "drill",
                        bench.namespace() + "/" + RING,
                        "--policy",
                        place.policy(),
                        "--backup",
                        backup.id());
    }

    /// A ring that is there, and one whose claim is left.
    private static void refused(Stage stage, BackupPlace place) throws Exception {
        var bench = stage.bench();
        var run = bench.tool()
                .start("restore", bench.namespace() + "/" + RING, "--policy", place.policy(), "--no-other-runs");
        BackupCommands.demand(21, run, "nothing is restored over it");
        String waiting = new String(bench.document("waiting", 1), StandardCharsets.UTF_8)
                + "  suspend: {reason: a holiday, by: the trial}\n";
        bench.git()
                .commit("A ring that waits", Map.of("clusters/waiting.yaml", waiting.getBytes(StandardCharsets.UTF_8)));
        var suspended = bench.tool()
                .start(
                        "restore",
                        bench.namespace() + "/waiting",
                        "--of",
                        bench.namespace() + "/" + RING,
                        "--policy",
                        place.policy(),
                        "--no-other-runs");
        BackupCommands.demand(21, suspended, "suspended in Git by the trial: a holiday");
    }

    /// A one-off backup whose runs are ended at each boundary: what is listed is sound, and it is taken in the end,
    /// once.
    private static void backupCut(Stage stage, BackupPlace place) throws Exception {
        var bench = stage.bench();
        String request = """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: EtcdBackup
            metadata: {name: cut}
            spec:
              cluster: {namespace: %s, name: %s}
              policy: %s
            """.formatted(bench.namespace(), RING, place.policy());
        bench.git().commit("A backup", Map.of("clusters/cut.yaml", request.getBytes(StandardCharsets.UTF_8)));
        var where = new ArrayList<String>();
        for (int boundary = 1; cut(stage, boundary, where); boundary++) {
            for (var backup : stage.commands().list(place)) {
                String name = backup.ring().substring(backup.ring().indexOf('/') + 1);
                BackupCommands.demand(0, stage.commands().verify(place, name, backup.id()));
            }
        }
        long taken = stage.commands().list(place).stream()
                .filter(b -> b.id().endsWith("-once-cut"))
                .count();
        TrialFailure.unless(taken == 1, "the backup was taken " + taken + " times");
        stage.figures().put("backupCutAt", where);
    }

    private static void restoreCut(Stage stage, BackupPlace place) throws Exception {
        var backup = stage.commands().newest(place, RING);
        stage.restoring("cut", 1, place, backup.id());
        var where = new ArrayList<String>();
        for (int boundary = 1; cut(stage, boundary, where); boundary++) {
            TrialFailure.unless(boundary < ENOUGH, "there is no end to it: " + where);
        }
        stage.bench().converge("cut", 1);
        stage.demandHolds("cut", place, backup);
        stage.figures().put("restoreCutAt", where);
    }

    /// Ends a run at this boundary; false when it came to its own end before.
    private static boolean cut(Stage stage, int boundary, List<String> where) throws Exception {
        var run =
                stage.bench().tool().start(Map.of("ETCD_GITOPS_FAULT_KILL_AT", String.valueOf(boundary)), "reconcile");
        int exit = run.exit();
        TrialFailure.unless(
                exit == KILLED || exit == 0,
                "the run to be cut at " + boundary + " ended with " + exit + ": " + run.tail());
        run.stderr().lines().filter(l -> l.startsWith("fault: ")).forEach(where::add);
        return exit == KILLED;
    }
}
