package io.github.etcdgitops.trial.backup;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What people rely on: a ring of three under a writing client is backed up by a schedule, by a document and by hand,
/// to
/// an S3 API (compressed and encrypted) and to a directory (as it is); what is stored is what the ring held; and
/// retention takes away what it announced, and never the last verified one.
public final class BackupsTrial implements Trial {
    private static final String RING = "backups";
    private static final long CONTENT = 4L << 20;

    /// A schedule's time is twelve hours away, and so is the one before it: nothing falls due while the trial runs.
    private static final Duration HALF_A_DAY = Duration.ofHours(12);

    private static final Duration MORE_THAN_HALF_A_DAY = Duration.ofHours(13);

    @Override
    public String name() {
        return "backups";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        figures.put("version", bench.options().version());
        var credentials = new BackupCredentials(bench);
        var bucket = BackupPlace.bucket(
                bench, "bucket", bench.namespace(), S3Proxy.shared().endpoint());
        var directory = BackupPlace.directory("directory", bench.folder().resolve("backups"));
        bench.bringTo(RING, 3);
        LiveRing.fill(LiveRing.way(bench, RING), CONTENT);
        var stage = new Stage(bench, new BackupCommands(bench), figures, List.of(bucket, directory));
        var watch = new RingWatch(bench, RING);
        var load = bench.load(RING);
        try {
            policies(stage, credentials, "retention: {last: 2}");
            figures.timed("scheduled", () -> scheduled(stage));
            figures.timed("content", () -> content(stage, credentials));
            figures.timed("onRequest", () -> onRequest(stage));
            figures.timed("due", () -> due(stage));
            figures.timed("retention", () -> retention(stage));
            figures.timed("lastVerified", () -> lastVerified(stage, directory, credentials));
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
    }

    private record Stage(Bench bench, BackupCommands commands, Figures figures, List<BackupPlace> places) {
        void reconcile() throws IOException {
            bench.tool().demand(0, "reconcile");
        }

        List<JsonNode> planned(String kind) throws IOException {
            var plan = bench.tool().planned("-o", "json").stdout();
            return Plans.operations(Plans.ring(plan, bench.namespace(), RING), kind);
        }

        Map<BackupPlace, Integer> counts() throws IOException {
            var counts = new HashMap<BackupPlace, Integer>();
            for (var place : places) {
                counts.put(place, place.backups());
            }
            return counts;
        }

        /// One run takes one more for each place, which the tool lists; the next one takes none.
        void takesOnce(String why) throws IOException {
            var before = counts();
            reconcile();
            for (var place : places) {
                var listed = commands.list(place);
                TrialFailure.unless(
                        listed.size() == before.get(place) + 1
                                && listed.getLast().verified(),
                        why + ": " + place.policy() + " had " + before.get(place) + " backups, and has " + listed);
            }
            var after = counts();
            reconcile();
            TrialFailure.unless(counts().equals(after), why + ": the run after it took more");
        }
    }

    private static void policies(Stage stage, BackupCredentials credentials, String more) throws Exception {
        var time = Instant.now().plus(HALF_A_DAY).atZone(ZoneOffset.UTC);
        String schedule =
                "  schedule: {cron: \"" + time.getMinute() + " " + time.getHour() + " * * *\"}\n  " + more + "\n";
        String encoded = "  compression: zstd\n  encryption: {recipient: " + credentials.recipient() + "}\n";
        String namespace = stage.bench().namespace();
        stage.bench()
                .git()
                .commit(
                        "Backups, " + more,
                        Map.of(
                                "policies/bucket.yaml",
                                        stage.places().getFirst().document(namespace, schedule + encoded),
                                "policies/directory.yaml",
                                        stage.places().getLast().document(namespace, schedule)));
    }

    /// The first one of each policy is due at once; then none is.
    private static void scheduled(Stage stage) throws Exception {
        demandReasons(stage.planned("TakeBackup"), "this ring has no verified backup yet");
        stage.takesOnce("no backup yet");
    }

    /// What is stored, what the manifest says of it, and what the ring held at that revision are one.
    private static void content(Stage stage, BackupCredentials credentials) throws Exception {
        var live = LiveRing.way(stage.bench(), RING);
        for (var place : stage.places()) {
            var backup = stage.commands().newest(place, RING);
            var manifest = place.manifest(backup);
            BackupCommands.demand(
                    0,
                    stage.commands().verify(place, RING, backup.id()),
                    backup.id() + "  sound  " + backup.size() + " bytes, revision " + backup.revision() + ", sha256 "
                            + backup.sha256());
            long revision = backup.revision();
            var hashes = manifest.content().hashes();
            var proven = hashes.getLast();
            TrialFailure.unless(proven.members().size() == 2, "the hash is not of two members: " + hashes);
            var wanted = new LiveRing.Hash(revision, proven.compactRevision(), proven.hash());
            TrialFailure.unlessSame("the manifest and the ring", wanted, LiveRing.hash(live, revision));
            TrialFailure.unlessSame(
                    "the keys of the manifest and of the ring", backup.keys(), LiveRing.keys(live, revision));
            var snapshot = decoded(stage, credentials, place, backup);
            var folder = Files.createDirectory(stage.bench().folder().resolve("restored-" + place.policy()));
            OwnRestore.ask(stage.bench().options().version(), snapshot, folder, address -> {
                var etcd = stage.bench().wayToCopy(RING, address);
                TrialFailure.unlessSame("the ring and the snapshot", wanted, LiveRing.hash(etcd, revision));
                TrialFailure.unlessSame("the keys of the snapshot", backup.keys(), LiveRing.keys(etcd, revision));
                return etcd;
            });
            stage.figures().put(place.policy() + "Keys", backup.keys());
            stage.figures().put(place.policy() + "Bytes", backup.size());
            stage.figures().put(place.policy() + "StoredBytes", backup.storedSize());
        }
    }

    private static Path decoded(Stage stage, BackupCredentials credentials, BackupPlace place, Backup backup)
            throws Exception {
        var manifest = place.manifest(backup).stored();
        boolean encrypted = manifest.recipient().isPresent();
        TrialFailure.unless(
                encrypted == manifest.zstd() && encrypted == place.policy().equals("bucket"),
                place.policy() + " is not encoded as it should be: " + manifest);
        Path file = stage.bench().folder().resolve(place.policy() + ".db");
        try (var object = Files.newInputStream(place.file(backup.key()));
                var plain = credentials.encodings().decode(object, manifest.zstd(), encrypted)) {
            Files.copy(plain, file);
        }
        return file;
    }

    /// A document asks for one, once; and so does a person.
    private static void onRequest(Stage stage) throws Exception {
        for (var place : stage.places()) {
            String request = """
                apiVersion: etcdgitops.dev/v1alpha1
                kind: EtcdBackup
                metadata: {name: asked-of-%s}
                spec:
                  cluster: {namespace: %s, name: %s}
                  policy: %s
                """.formatted(place.policy(), stage.bench().namespace(), RING, place.policy());
            stage.bench()
                    .git()
                    .commit(
                            "A backup",
                            Map.of(
                                    "clusters/" + place.policy() + "-backup.yaml",
                                    request.getBytes(StandardCharsets.UTF_8)));
        }
        stage.takesOnce("a document asks for one");
        for (var place : stage.places()) {
            String asked = stage.commands().newest(place, RING).id();
            TrialFailure.unless(asked.endsWith("-once-asked-of-" + place.policy()), "the newest is " + asked);
            String byHand = stage.commands().created(place, RING).id();
            TrialFailure.unless(byHand.endsWith("-manual"), "by hand, and called " + byHand);
        }
    }

    /// With the newest as old as yesterday's, the schedule's time has passed: one is made up, and one only.
    private static void due(Stage stage) throws Exception {
        for (var place : stage.places()) {
            for (var backup : stage.commands().list(place)) {
                place.moved(backup, MORE_THAN_HALF_A_DAY);
            }
        }
        demandReasons(stage.planned("TakeBackup"), "the schedule asked for one at ");
        stage.takesOnce("the schedule's time has passed");
    }

    /// Two are kept. What goes is announced, goes, and nothing else does.
    private static void retention(Stage stage) throws Exception {
        var expected = new HashMap<BackupPlace, Set<String>>();
        var kept = new HashMap<BackupPlace, List<String>>();
        for (var place : stage.places()) {
            var all = stage.commands().list(place);
            var first = all.getFirst();
            var goes = new TreeSet<String>();
            for (int days = 1; days <= 3; days++) {
                goes.add(place.copyOf(first, Duration.ofDays(days)));
            }
            expected.put(place, goes);
            kept.put(place, all.stream().map(Backup::id).toList());
        }
        var plan = stage.planned("PruneBackups");
        TrialFailure.unless(plan.size() == stage.places().size(), "the plan shows " + plan);
        for (var place : stage.places()) {
            var announced = plan.stream()
                    .map(o -> o.path("summary").asText())
                    .filter(s -> expected.get(place).stream().allMatch(s::contains))
                    .toList();
            TrialFailure.unless(!announced.isEmpty(), "the plan does not name " + expected.get(place) + ": " + plan);
            var dry = BackupCommands.demand(0, stage.commands().prune(place, RING, "--dry-run"));
            TrialFailure.unlessSame(
                    "what a dry run says",
                    expected.get(place),
                    dry.stdout()
                            .lines()
                            .map(l -> l.replaceAll(".*/(.+)/$", "$1"))
                            .collect(Collectors.toSet()));
        }
        stage.reconcile();
        for (var place : stage.places()) {
            TrialFailure.unlessSame(
                    "what is kept",
                    kept.get(place),
                    stage.commands().list(place).stream().map(Backup::id).toList());
        }
        stage.figures().put("removed", 3 * stage.places().size());
    }

    /// One is to be kept, and the newest is damaged: then that which is verified stays, and so it does when somebody
    /// asks for its removal.
    private static void lastVerified(Stage stage, BackupPlace place, BackupCredentials credentials) throws Exception {
        var all = stage.commands().list(place);
        var damaged = all.getLast();
        var verified = all.get(all.size() - 2);
        policies(stage, credentials, "retention: {last: 1}");
        cutOff(place.file(damaged.key()));
        BackupCommands.demand(20, stage.commands().verify(place, RING, damaged.id()), "the snapshot is truncated");
        BackupCommands.demand(
                78,
                stage.commands().prune(place, RING, "--backup", verified.id()),
                "backup " + verified.id() + " is the newest verified one of the ring, and stays");
        BackupCommands.demand(0, stage.commands().prune(place, RING));
        TrialFailure.unlessSame(
                "what is there",
                all.stream().map(Backup::id).toList(),
                stage.commands().list(place).stream().map(Backup::id).toList());
        demandReasons(stage.planned("TakeBackup"), "the schedule asked for one at ");
    }

    private static void cutOff(Path file) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
        }
    }

    private static void demandReasons(List<JsonNode> operations, String reason) {
        TrialFailure.unless(
                !operations.isEmpty()
                        && operations.stream()
                                .allMatch(o -> o.path("reason").asText().startsWith(reason)),
                "the plan does not say '" + reason + "': " + operations);
    }
}
