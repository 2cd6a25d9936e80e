package io.github.etcdgitops.trial.backup;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.Relay;
import io.github.etcdgitops.it.Relay.Direction;
import io.github.etcdgitops.it.S3Proxy;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.RingMark;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.ResizeTrial;
import io.github.etcdgitops.trial.fault.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Whatever goes wrong with a backup is said, exits as it should, touches no ring, leaves nothing behind
/// that looks like a backup, and the next run is well.
public final class BackupFaultsTrial implements Trial {
    private static final String RING = "faults";
    private static final String OTHER = "other";
    private static final String WAITING = "waiting";

    /// More than two parts of an upload.
    private static final long CONTENT = 20L << 20;

    private static final long SLOW = 256L << 10;
    private static final int TENTHS = 10;
    private static final List<String> CUT = List.of("the connection was lost", "no data arrived for");

    @Override
    public String name() {
        return "backup-faults";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        figures.put("version", bench.options().version());
        new BackupCredentials(bench);
        bench.ring(OTHER, 1);
        bench.ring(WAITING, 1);
        bench.bringTo(RING, 3);
        LiveRing.fill(LiveRing.way(bench, RING), CONTENT);
        LiveRing.put(LiveRing.way(bench, RING), "known", StoredDamage.LIVE_VALUE);
        var pace = new Taps.Slow(SLOW);
        try (var cutting = new Relay(S3Proxy.shared().endpoint());
                var slow = new Relay(S3Proxy.shared().endpoint(), pace);
                var silent = new Relay(S3Proxy.shared().endpoint(), Taps.silent())) {
            var places = new Places(bench, cutting, slow, silent);
            places.commit(bench);
            var stage = new Stage(bench, new BackupCommands(bench), figures, places, RingMark.of(bench, RING));
            var unanswered = stage.commands().create(places.silent(), WAITING);
            stage.timed(
                    "damaged", () -> new StoredDamage(stage.commands(), figures).all(places.directory(), RING, OTHER));
            stage.timed("credentials", () -> credentials(stage));
            stage.timed("bucketGone", () -> bucketGone(stage));
            stage.timed("diskFull", () -> diskFull(stage));
            stage.timed("uploadCut", () -> uploadCut(stage, cutting));
            stage.timed("streamCut", () -> streamCut(stage));
            stage.timed("slow", () -> slow(stage, slow, pace));
            stage.timed("silent", () -> silent(stage, unanswered));
            bench.tool().demand(0, "reconcile");
        }
    }

    private record Places(
            BackupPlace directory,
            BackupPlace bucket,
            BackupPlace wrongSecret,
            BackupPlace unknownKey,
            BackupPlace slow,
            BackupPlace silent,
            BackupPlace full) {
        Places(Bench bench, Relay cutting, Relay slow, Relay silent) throws IOException {
            this(
                    BackupPlace.directory("directory", bench.folder().resolve("backups")),
                    BackupPlace.bucket(bench, "bucket", bench.namespace(), cutting.endpoint()),
                    refused(bench, BackupCredentials.WRONG_SECRET),
                    refused(bench, BackupCredentials.UNKNOWN_KEY),
                    BackupPlace.bucket(bench, "slow", bench.namespace() + "-slow", slow.endpoint()),
                    BackupPlace.bucket(bench, "silent", bench.namespace() + "-silent", silent.endpoint()),
                    BackupPlace.directory("full", bench.folder().resolve("full")));
        }

        private static BackupPlace refused(Bench bench, String credentials) throws IOException {
            String bucket = bench.namespace() + "-" + credentials;
            return BackupPlace.bucket(
                    bench, credentials, bucket, S3Proxy.shared().endpoint(), credentials);
        }

        private List<BackupPlace> all() {
            return List.of(directory, bucket, wrongSecret, unknownKey, slow, silent, full);
        }

        void commit(Bench bench) throws IOException, InterruptedException {
            var documents = new HashMap<String, byte[]>();
            all().forEach(p -> documents.put("policies/" + p.policy() + ".yaml", p.document(bench.namespace(), "")));
            bench.git().commit("Places for backups", documents);
        }
    }

    private record Stage(Bench bench, BackupCommands commands, Figures figures, Places places, RingMark mark) {
        /// Whatever the faults were, the ring is what it was.
        void timed(String name, Figures.Act act) throws Exception {
            figures.timed(name, act);
            mark.demandUnchanged(bench, RING, name);
        }

        /// A backup of the ring that fails, with these words, and of which nothing is to be seen.
        void fails(BackupPlace place, String said, String... more) throws IOException {
            fails(place, List.of(said), more);
        }

        /// The same, with words of which one must have been said.
        void fails(BackupPlace place, List<String> either, String... more) throws IOException {
            var before = place.keys();
            var run = BackupCommands.demand(20, commands.create(place, RING, more));
            String log = run.log();
            TrialFailure.unless(
                    either.stream().anyMatch(log::contains),
                    run.out().getFileName() + " said none of " + either + ", but: " + run.tail());
            var after = place.keys();
            TrialFailure.unless(after.equals(before), either + " left " + after + " where there was " + before);
        }

        void listed(BackupPlace place, int backups) throws IOException {
            var listed = commands.list(place);
            TrialFailure.unless(
                    listed.size() == backups && listed.stream().allMatch(Backup::verified),
                    place.policy() + " lists " + listed + " and not " + backups);
        }

        /// The next one is well, and sound.
        void nextIsFine(BackupPlace place, int backups) throws IOException {
            BackupCommands.demand(0, commands.create(place, RING));
            listed(place, backups);
            BackupCommands.demand(0, commands.verify(place, RING, "all"), "  sound  ");
        }
    }

    private static void credentials(Stage stage) throws IOException {
        var wrongs = Map.of(
                stage.places().wrongSecret(), "the secret access key does not belong to that access key id",
                stage.places().unknownKey(), "the store does not know the access key id");
        for (var wrong : wrongs.entrySet()) {
            stage.fails(wrong.getKey(), wrong.getValue());
            var list = stage.bench()
                    .tool()
                    .start("backup list", "--policy", wrong.getKey().policy());
            BackupCommands.demand(77, list, wrong.getValue());
        }
    }

    private static void bucketGone(Stage stage) throws IOException {
        var place = stage.places().bucket();
        Path away = place.folder().resolveSibling(place.folder().getFileName() + "-away");
        Files.move(place.folder(), away);
        stage.fails(place, "the bucket does not exist; create it, or correct its name");
        var list = stage.bench().tool().start("backup list", "--policy", place.policy());
        BackupCommands.demand(78, list, "the bucket does not exist; create it, or correct its name");
        Files.move(away, place.folder());
        stage.nextIsFine(place, 1);
    }

    /// The volume holds less than the snapshot has, and then it is made larger.
    private static void diskFull(Stage stage) throws IOException, InterruptedException {
        var place = stage.places().full();
        try (var disk = new SmallDisk(place.folder(), "8m")) {
            var run = stage.commands().create(disk.before(), place, RING);
            BackupCommands.demand(20, run, "the volume is full: ", " bytes are free in " + place.folder());
            TrialFailure.unless(disk.files().isEmpty(), "a full volume still has " + disk.files());
            TrialFailure.unless(stage.commands().list(place, disk.before()).isEmpty(), "a full volume lists a backup");
            disk.resize("64m");
            BackupCommands.demand(0, stage.commands().create(disk.before(), place, RING));
            TrialFailure.unless(stage.commands().list(place, disk.before()).size() == 1, "the larger volume has none");
        }
    }

    /// The connections to the store are cut at every tenth of all that is sent, for good; and once in the
    /// middle and not for good, which nobody notices.
    private static void uploadCut(Stage stage, Relay relay) throws IOException {
        var place = stage.places().bucket();
        relay.cutAfter(Direction.TO_SERVER, Long.MAX_VALUE, false);
        BackupCommands.demand(0, stage.commands().create(place, RING));
        long sent = relay.passed(Direction.TO_SERVER);
        stage.figures().put("uploadBytes", sent);
        for (int tenth = 0; tenth < TENTHS; tenth++) {
            relay.cutAfter(Direction.TO_SERVER, sent * tenth / TENTHS, true);
            stage.fails(place, "the connection broke");
            relay.revive();
        }
        stage.listed(place, 2);
        relay.cutAfter(Direction.TO_SERVER, sent / 2, false);
        stage.nextIsFine(place, 3);
    }

    /// The same for the snapshot on its way from the member: it goes through the API server, and a relay
    /// before that. Where what is sent to the API server meets the cut first, the port-forward stays open and
    /// silent, and the silence ends the call.
    private static void streamCut(Stage stage) throws IOException {
        var place = stage.places().directory();
        var tap = new Taps.LongestConnection();
        try (var relay = new Relay(stage.bench().kube().getMasterUrl().toURI(), tap)) {
            var way = new String[] {
                "--kubeconfig", stage.bench().relayedKubeconfig(relay).toString(), "--member-access", "port-forward"
            };
            int before = stage.commands().list(place).size();
            tap.cutAt(Long.MAX_VALUE);
            BackupCommands.demand(0, stage.commands().create(place, RING, way));
            long streamed = tap.longest();
            stage.figures().put("streamBytes", streamed);
            TrialFailure.unless(streamed > CONTENT, "the snapshot did not pass the relay: " + streamed);
            for (int tenth = 1; tenth < TENTHS; tenth++) {
                tap.cutAt(streamed * tenth / TENTHS);
                stage.fails(place, CUT, way);
            }
            // Shortly before the end: how many frames carry the stream, each with a header, differs from run to run.
            tap.cutAt(streamed - streamed / 50);
            stage.fails(place, CUT, way);
            tap.cutAt(Long.MAX_VALUE);
            BackupCommands.demand(0, stage.commands().create(place, RING, way));
            TrialFailure.unless(
                    stage.commands().list(place).size() == before + 2, "other backups than those that were well");
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /// A destination that takes its time is waited for, and the ring's Lease is kept meanwhile: a second
    /// run on the ring goes away.
    private static void slow(Stage stage, Relay relay, Taps.Slow pace) throws IOException {
        var place = stage.places().slow();
        long began = System.nanoTime();
        var run = stage.commands().create(place, RING);
        EtcdProcess.await(
                "the upload",
                Duration.ofMinutes(2),
                () -> relay.passed(Direction.TO_SERVER) > 1 << 18 || !run.isAlive());
        BackupCommands.demand(75, stage.commands().create(place, RING), "the ring's Lease is held by ");
        TrialFailure.unless(place.keys().isEmpty(), "half a backup is to be seen: " + place.keys());
        pace.hurry();
        BackupCommands.demand(0, run);
        stage.figures().put("slowSeconds", ResizeTrial.seconds(began));
        stage.listed(place, 1);
    }

    /// A store that takes nothing and says nothing is given up.
    private static void silent(Stage stage, Run run) throws IOException {
        BackupCommands.demand(20, run, "the store did not answer in time");
        TrialFailure.unless(stage.places().silent().keys().isEmpty(), "a silent store has a backup");
        BackupCommands.demand(0, stage.commands().create(stage.places().directory(), WAITING));
    }
}
