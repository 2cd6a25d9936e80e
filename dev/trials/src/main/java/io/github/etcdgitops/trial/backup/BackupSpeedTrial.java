package io.github.etcdgitops.trial.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.etcdgitops.it.EtcdBinaries;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Command;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Tool;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.GcLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.eclipse.jgit.util.FileUtils;

/// How fast the product backs up a large ring, hashing, comparison and manifest included, in turn with
/// `etcdctl snapshot save` of the same member into the same folder. Rates are figures only. What is demanded is that a
/// small heap is enough, and that nothing is put on a disk on the way to a bucket.
public final class BackupSpeedTrial implements Trial {
    private static final String RING = "speed";
    private static final String HEAP = "-Xmx96m";
    private static final long ROOM = 4;

    /// Of logs, and of what libraries unpack.
    private static final long FEW_BYTES = 32L << 20;

    /// Says what was put on disks by a command and those that it started; only its parent is asked for them.
    private static final List<String> COUNTING =
            List.of("sh", "-c", "\"$@\"; code=$?; grep ^write_bytes: /proc/$$/io >&2; exit $code", "counting");

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public String name() {
        return "backup-speed";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        figures.put("version", bench.options().version());
        figures.put("size", bench.options().size());
        figures.put("members", bench.options().from());
        new BackupCredentials(bench);
        var folder = BackupPlace.directory("folder", bench.folder().resolve("backups"));
        var bucket = BackupPlace.bucket(
                bench, "bucket", bench.namespace(), S3Proxy.shared().endpoint());
        bench.git().commit("A large ring and its places", documents(bench, folder, bucket));
        bench.converge(RING, bench.options().from());
        figures.timed(
                "filling",
                () -> LiveRing.fill(
                        LiveRing.way(bench, RING), bench.options().size().bytes()));
        // What etcd has written is to be on the disk before anybody's turn.
        Command.run(bench.folder(), "sync");
        var stage = new Stage(bench, new BackupCommands(bench));
        var warm = stage.backup(folder, "warm");
        var turns = new ArrayList<Turn>();
        for (int round = 1; round <= bench.options().rounds(); round++) {
            turns.add(round % 2 == 1 ? stage.etcdctlFirst(warm, folder, round) : stage.oursFirst(warm, folder, round));
            System.out.println("  " + turns.getLast());
        }
        rates(turns, figures);
        var uploaded = stage.backup(bucket, "bucket");
        figures.put("bucketBytesPerSecond", Math.round(uploaded.bytes() / uploaded.seconds()));
        figures.put("bucketWroteToDisk", uploaded.wroteToDisk());
        figures.put("bucketPeakHeapMebibytes", uploaded.heap());
        TrialFailure.unless(
                uploaded.wroteToDisk() < FEW_BYTES && turns.getLast().ours().wroteToDisk() > uploaded.bytes(),
                "on the way to a bucket " + uploaded.wroteToDisk() + " bytes were put on a disk");
    }

    private static Map<String, byte[]> documents(Bench bench, BackupPlace... places) {
        long quota = bench.options().size().bytes() * 2;
        String room = (quota * ROOM >> 20) + "Mi";
        String ring = new String(bench.document(RING, bench.options().from()), StandardCharsets.UTF_8)
                .replace("size: 1Gi", "size: " + room)
                .replace("memory: 512Mi", "memory: " + room)
                .concat("  etcd: {quotaBackendBytes: " + quota + "}\n");
        var documents = new java.util.HashMap<String, byte[]>();
        documents.put("clusters/" + RING + ".yaml", ring.getBytes(StandardCharsets.UTF_8));
        for (var place : places) {
            documents.put("policies/" + place.policy() + ".yaml", place.document(bench.namespace(), ""));
        }
        return documents;
    }

    /// Seconds of the two steps, from the first look at the member to the manifest that was read back; `whole` are
    /// those of the process, which also starts, clones, validates and looks at the ring. `heap` is in MiB.
    private record Taken(long bytes, double seconds, double whole, long heap, long wroteToDisk, String member) {}

    private record Turn(double etcdctl, Taken ours) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "etcdctl %.1f s, etcd-gitops %.1f s, its whole process %.1f s",
                    etcdctl,
                    ours.seconds(),
                    ours.whole());
        }
    }

    private record Stage(Bench bench, BackupCommands commands) {
        Turn etcdctlFirst(Taken warm, BackupPlace place, int round) throws IOException, InterruptedException {
            double etcdctl = etcdctl(warm.member());
            return new Turn(etcdctl, backup(place, "folder-" + round));
        }

        Turn oursFirst(Taken warm, BackupPlace place, int round) throws IOException, InterruptedException {
            var ours = backup(place, "folder-" + round);
            return new Turn(etcdctl(warm.member()), ours);
        }

        /// It is deleted again once it is measured: the disk has to hold the next one.
        Taken backup(BackupPlace place, String name) throws IOException {
            var collections = new GcLog(bench.folder().resolve(name + ".gc"));
            bench.tool().environment("ETCD_GITOPS_JAVA_OPTS", HEAP + " " + collections.option());
            long began = System.nanoTime();
            var run = BackupCommands.demand(0, commands.create(COUNTING, place, RING));
            double whole = (System.nanoTime() - began) / 1e9;
            long heap = collections.peak();
            var backup = commands.newest(place, RING);
            var manifest = place.manifest(backup);
            TrialFailure.unless(
                    manifest.content().hashes().getLast().members().size()
                            == Math.min(2, bench.options().from()),
                    "the hash is not of two members: " + manifest);
            FileUtils.delete(place.file(backup.prefix()).toFile(), FileUtils.RECURSIVE);
            return new Taken(
                    backup.size(),
                    steps(run) / 1e3,
                    whole,
                    heap,
                    wroteToDisk(run),
                    manifest.source().member());
        }

        double etcdctl(String member) throws IOException, InterruptedException {
            var binaries = EtcdBinaries.find(bench.options().version()).orElseThrow();
            Path file = bench.folder().resolve("etcdctl.db");
            var endpoint = new Members(bench, RING)
                    .pods().stream()
                            .filter(pod -> pod.getMetadata().getName().equals(member))
                            .findFirst()
                            .map(pod -> pod.getStatus().getPodIP() + ":2379")
                            .orElseThrow();
            var words = new ArrayList<>(Tool.AS_IN_A_POD);
            words.addAll(List.of(
                    binaries.etcdctl().toString(), "--endpoints=" + endpoint, "snapshot", "save", file.toString()));
            var builder = new ProcessBuilder(words);
            builder.environment().put("ETCDCTL_API", "3");
            long began = System.nanoTime();
            Command.run(builder, "");
            double seconds = (System.nanoTime() - began) / 1e9;
            Files.delete(file);
            return seconds;
        }

        /// Milliseconds of what the run did, by its own log.
        private static long steps(Run run) throws IOException {
            long millis = 0;
            for (var line : run.stderr().lines().filter(l -> l.startsWith("{")).toList()) {
                JsonNode event = JSON.readTree(line);
                if (Set.of("SaveSnapshot", "CertifyBackup")
                        .contains(event.path("step").asText())) {
                    millis += event.path("millis").asLong();
                }
            }
            TrialFailure.unless(millis > 0, "the run says no times: " + run.tail());
            return millis;
        }

        private static long wroteToDisk(Run run) {
            return run.stderr()
                    .lines()
                    .filter(line -> line.startsWith("write_bytes: "))
                    .mapToLong(line -> Long.parseLong(line.substring("write_bytes: ".length())))
                    .findFirst()
                    .orElseThrow(() -> new TrialFailure("what was written is not known: " + run.tail()));
        }
    }

    private static void rates(List<Turn> turns, Figures figures) {
        double etcdctl = median(turns.stream().mapToDouble(Turn::etcdctl).toArray());
        double ours = median(turns.stream().mapToDouble(t -> t.ours().seconds()).toArray());
        double whole = median(turns.stream().mapToDouble(t -> t.ours().whole()).toArray());
        var last = turns.getLast().ours();
        figures.put("bytes", last.bytes());
        figures.put("etcdctlMegabytesPerSecond", Math.round(last.bytes() / etcdctl / 1e6));
        figures.put("megabytesPerSecond", Math.round(last.bytes() / ours / 1e6));
        figures.put("ratio", String.format(Locale.ROOT, "%.2f", etcdctl / ours));
        figures.put("ratioOfWholeProcess", String.format(Locale.ROOT, "%.2f", etcdctl / whole));
        figures.put(
                "peakHeapMebibytes",
                turns.stream().mapToLong(t -> t.ours().heap()).max().orElse(0));
        figures.put(
                "sameMember",
                turns.stream().map(t -> t.ours().member()).distinct().count() == 1);
    }

    private static double median(double... values) {
        Arrays.sort(values);
        int half = values.length / 2;
        return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }
}
