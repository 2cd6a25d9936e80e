package io.github.etcdgitops.trial.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.trial.backup.RestoreDocuments;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// From inside the cluster, with the image, the rights that ship and real claims: a ring is backed up to a claim that
/// is
/// mounted into the reconciler's Jobs, its backup stands a drill, and a new ring begins with it. The image for the pods
/// of drill and restore is that of the reconciler's own pod.
public final class DeployedBackupsTrial implements Trial {
    private static final String RING = "source";
    private static final String NEW = "again";
    private static final long CONTENT = 4L << 20;

    @Override
    public String name() {
        return "deployed-backups";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.alsoUses(bench.namespace() + "-drills");
        try (var deployment = new Deployment(bench)) {
            deployment.install("base");
            claim(deployment);
            bench.git()
                    .commit(
                            "A ring with backups",
                            Map.of("clusters/" + RING + ".yaml", new RestoreDocuments(bench).backedUp(RING, 3, "")));
            done(deployment, "found");
            LiveRing.fill(LiveRing.way(bench, RING), CONTENT);
            bench.git().commit("Backups and drills", Map.of("policies/nightly.yaml", policy(bench)));
            demandStep(done(deployment, "backup"), "CertifyBackup", "backup ");
            long revision = LiveRing.revision(LiveRing.way(bench, RING));
            demandStep(done(deployment, "drill"), "TryRestore", "passed in ");
            bench.git()
                    .commit(
                            "A new ring",
                            Map.of(
                                    "clusters/" + NEW + ".yaml", bench.document(NEW, 3),
                                    "clusters/" + NEW + "-restore.yaml",
                                            new RestoreDocuments(bench).restore(NEW, "nightly", RING, "")));
            demandStep(done(deployment, "restore"), "CompareData", "hash ");
            TrialFailure.unless(bench.isAtRest(NEW, 3), NEW + " did not come to three");
            demandSame(bench, revision, figures);
        }
    }

    private static void demandSame(Bench bench, long revision, Figures figures) {
        var source = LiveRing.way(bench, RING);
        var restored = LiveRing.way(bench, NEW);
        var wanted = LiveRing.hash(source, revision);
        var found = LiveRing.hash(restored, revision);
        TrialFailure.unless(wanted.equals(found), "the hashes differ: " + wanted + ", " + found);
        long keys = LiveRing.keys(source, revision);
        TrialFailure.unless(keys == LiveRing.keys(restored, revision), "the keys differ");
        figures.put("keys", keys);
        figures.put("revision", revision);
    }

    /// A run as the CronJob would start it, with the claim beside what it has.
    private static JobRun done(Deployment deployment, String name) throws Exception {
        var run = deployment.start("etcd-gitops", name, DeployedBackupsTrial::mount);
        int exit = run.exit();
        TrialFailure.unless(exit == 0, name + " ended with " + exit + ": " + run.tail());
        return run;
    }

    private static void mount(ObjectNode job) {
        var pod = (ObjectNode) job.at("/template/spec");
        pod.withArray("volumes")
                .addObject()
                .put("name", "backups")
                .putObject("persistentVolumeClaim")
                .put("claimName", "backups");
        ((ObjectNode) pod.at("/containers/0"))
                .withArray("volumeMounts")
                .addObject()
                .put("name", "backups")
                .put("mountPath", "/backups");
    }

    private static void demandStep(JobRun run, String step, String detail) throws Exception {
        TrialFailure.unless(
                run.steps().stream()
                        .anyMatch(s -> s.path("step").asText().equals(step)
                                && s.path("result").asText().equals("done")
                                && s.path("detail").asText().contains(detail)),
                "no step " + step + " that says '" + detail + "': " + run.tail());
    }

    private static void claim(Deployment deployment) throws Exception {
        deployment.apply("""
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: backups, namespace: etcd-gitops}
            spec:
              accessModes: [ReadWriteOnce]
              resources: {requests: {storage: 1Gi}}
            """);
    }

    private static byte[] policy(Bench bench) {
        return """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: BackupPolicy
            metadata: {name: nightly}
            spec:
              clusters: {matchLabels: {backed: up}}
              every: 24h
              destination: {directory: {path: /backups}}
              compression: zstd
              drill: {every: 24h, namespace: %s-drills, maxAge: 48h}
            """.formatted(bench.namespace()).getBytes(StandardCharsets.UTF_8);
    }
}
