package io.github.etcdgitops.trial.backup;

import io.github.etcdgitops.it.Relay;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Tool;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.ResizeTrial;
import io.github.etcdgitops.trial.watch.GcLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

/// Many rings of one member that are all due at the same minute: one run takes every backup, never more than five at a
/// time, and the next one takes none.
public final class BackupFleetTrial implements Trial {
    private static final int AT_ONCE = 5;

    /// How long the relay before the store holds each snapshot back.
    private static final long HOLD_MILLIS = 200;

    private static final Duration HALF_A_DAY = Duration.ofHours(12);
    private static final Duration MORE_THAN_HALF_A_DAY = Duration.ofHours(13);

    @Override
    public String name() {
        return "backup-fleet";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        int rings = bench.options().rings();
        figures.put("rings", rings);
        new BackupCredentials(bench);
        var uploads = new Taps.Uploads(HOLD_MILLIS);
        try (var relay = new Relay(S3Proxy.shared().endpoint(), uploads)) {
            var place = BackupPlace.bucket(bench, "bucket", bench.namespace(), relay.endpoint());
            found(bench, rings, figures);
            schedule(bench, place);
            takesAll(bench, place, uploads, "first", figures);
            age(bench, place);
            takesAll(bench, place, uploads, "due", figures);
        }
    }

    /// More rings at a time than backups at a time.
    private static void found(Bench bench, int rings, Figures figures) throws Exception {
        var documents = new HashMap<String, byte[]>();
        for (int i = 0; i < rings; i++) {
            String ring = String.format("ring-%04d", i);
            documents.put("clusters/" + ring + ".yaml", bench.document(ring, 1));
        }
        String fleet = new String(Bench.fleet(bench.namespace(), ""), StandardCharsets.UTF_8)
                + "  limits: {maxParallel: " + 4 * AT_ONCE + ", maxParallelBackups: " + AT_ONCE + "}\n";
        documents.put("etcd-gitops.yaml", fleet.getBytes(StandardCharsets.UTF_8));
        bench.git().commit(rings + " rings", documents);
        long began = System.nanoTime();
        bench.tool().demand(0, "reconcile");
        figures.put("foundedSeconds", ResizeTrial.seconds(began));
    }

    private static void schedule(Bench bench, BackupPlace place) throws Exception {
        var time = Instant.now().plus(HALF_A_DAY).atZone(ZoneOffset.UTC);
        String schedule = "  schedule: {cron: \"" + time.getMinute() + " " + time.getHour() + " * * *\"}\n";
        bench.git().commit("Backups", Map.of("policies/bucket.yaml", place.document(bench.namespace(), schedule)));
    }

    /// Those that were taken are yesterday's now, so that the same minute has passed for all of them since.
    private static void age(Bench bench, BackupPlace place) throws IOException {
        for (var backup : new BackupCommands(bench).list(place)) {
            place.moved(backup, MORE_THAN_HALF_A_DAY);
        }
    }

    private static void takesAll(Bench bench, BackupPlace place, Taps.Uploads uploads, String name, Figures figures)
            throws IOException {
        int rings = bench.options().rings();
        int before = place.backups();
        uploads.most();
        uploads.all();
        var collections = new GcLog(bench.folder().resolve(name + ".gc"));
        long began = System.nanoTime();
        var run = bench.tool().start(Map.of("ETCD_GITOPS_JAVA_OPTS", collections.option()), "reconcile");
        BackupCommands.demand(0, run);
        figures.put(name + "Seconds", ResizeTrial.seconds(began));
        int most = uploads.most();
        figures.put(name + "MostAtOnce", most);
        figures.put(name + "PeakHeapMebibytes", collections.peak());
        figures.put(
                name + "PeakMebibytes",
                Math.round(Tool.metrics(run).value("etcd_gitops_process_peak_memory_bytes") / (1 << 20)));
        TrialFailure.unless(most <= AT_ONCE, most + " snapshots were stored at the same time");
        TrialFailure.unless(most > 1 || rings == 1, "one after the other: the bound was not tried");
        TrialFailure.unless(uploads.all() == rings, "other snapshots than one of each ring were stored");
        var listed = new BackupCommands(bench).list(place);
        long of = listed.stream().map(Backup::ring).distinct().count();
        TrialFailure.unless(
                place.backups() == before + rings
                        && listed.size() == before + rings
                        && of == rings
                        && listed.stream().allMatch(Backup::verified),
                listed.size() + " backups of " + of + " rings are listed, " + place.backups() + " are there");
        bench.tool().demand(0, "reconcile");
        TrialFailure.unless(uploads.all() == 0 && place.backups() == listed.size(), "the next run took more");
    }
}
