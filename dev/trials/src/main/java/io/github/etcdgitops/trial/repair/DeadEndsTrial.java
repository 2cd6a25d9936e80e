package io.github.etcdgitops.trial.repair;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.backup.BackupPlace;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.fault.MemberAway;
import io.github.etcdgitops.trial.fault.StruckRing;
import io.github.etcdgitops.trial.fault.StruckRing.Fault;
import io.github.etcdgitops.trial.watch.ToleranceWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Rings that no run could finish once, each a scene of its own: every run plans something or says who must
/// do what, and with that done the ring is at full tolerance again.
public final class DeadEndsTrial implements Trial {
    private static final Pattern CLUSTER_ID = Pattern.compile("names the cluster ID ([0-9a-f]+)");
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String SLOW = "join-without-machine";
    private static final int HELD = 20;
    private static final int RUNS = 6;

    private static final Set<String> BEGINNING_WITH_ONE = Set.of("recovery-called-off", "restore-without-room");

    private interface Scene {
        void play(Bench bench, String ring, Figures figures) throws Exception;
    }

    private static final Map<String, Scene> SCENES = Map.of(
            "recovery-called-off",
            DeadEndsTrial::recoveryCalledOff,
            "way-back-without-quorum",
            DeadEndsTrial::wayBackWithoutQuorum,
            SLOW,
            DeadEndsTrial::joinWithoutMachine,
            "foundings-that-wait",
            DeadEndsTrial::foundingsThatWait,
            "restore-without-room",
            RestoreWithoutRoom::play);

    @Override
    public String name() {
        return "dead-ends";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.tool().environment("ETCD_GITOPS_IMAGE", bench.options().image().orElse("etcd-gitops:sandbox"));
        var place = place(bench);
        bench.git()
                .commit(
                        "Back rings up",
                        Map.of("policies/place.yaml", place.document(bench.namespace(), BackupPlace.schedule())));
        var failed = new ArrayList<String>();
        for (String scene : scenes(bench)) {
            try {
                SCENES.get(scene).play(bench, scene, figures);
            } catch (TrialFailure | IllegalStateException e) {
                figures.put(scene, "FAILED");
                failed.add(scene + ": " + e.getMessage());
            }
            bench.git().remove("clusters/" + scene + ".yaml");
            bench.erase(scene);
        }
        TrialFailure.unless(failed.isEmpty(), String.join("\n", failed));
    }

    /// With `--quick` without the one that waits for minutes. etcd 3.3 has no learners, so a ring that starts with one
    /// member stays at one: there, no ring of three is recovered or restored.
    private static List<String> scenes(Bench bench) {
        boolean learners = bench.options().etcd().hasLearners();
        return SCENES.keySet().stream()
                .filter(scene -> learners || !BEGINNING_WITH_ONE.contains(scene))
                .filter(scene -> !bench.options().quick() || !scene.equals(SLOW))
                .sorted()
                .toList();
    }

    static BackupPlace place(Bench bench) throws IOException {
        return BackupPlace.directory("place", bench.folder().resolve("backups"));
    }

    /// The machines of a majority are gone in the midst of 3 → 5, a recovery is approved and begun, and the
    /// machines are back before anybody was ended: the recovery is called off, and the growth is finished.
    private static void recoveryCalledOff(Bench bench, String ring, Figures figures) throws Exception {
        var struck = new StruckRing(bench, ring);
        String version = bench.options().version();
        struck.ask(3, version);
        bench.converge(ring, 3);
        var load = bench.load(ring);
        try {
            struck.ask(5, version);
            var run = bench.tool().start("reconcile");
            TrialFailure.unless(run.awaitStep(Work.step("AwaitStarted")), "nobody joined: " + run.tail());
            run.kill();
            var machines = List.of(machine(bench, ring, 1), machine(bench, ring, 2));
            for (String machine : machines) {
                bench.sandbox().make("node-gone", machine);
            }
            struck.approved("--cluster-id", askedFor(bench));
            untilJournalled(bench, ring);
            long began = System.nanoTime();
            for (String machine : machines) {
                bench.sandbox().make("node-back", machine);
            }
            EtcdProcess.await(
                    "the quorum",
                    PATIENCE,
                    () -> new Members(bench, ring).ways().size() >= 3);
            bench.git().remove(struck.approvals());
            figures.put(ring, struck.untilWhole(5, version, began).toString());
        } finally {
            Bench.demandKept(load.stop(), figures, ring + ".");
        }
    }

    /// Which cluster ID the plan wants named, once runs have saved what is left.
    private static String askedFor(Bench bench) throws Exception {
        var found = new ArrayList<String>();
        EtcdProcess.await("a recovery to be offered", PATIENCE, () -> {
            try {
                bench.tool().start("reconcile").exit();
                var plan = bench.tool().start("plan");
                plan.exit();
                var asked = CLUSTER_ID.matcher(plan.stdout());
                if (asked.find()) {
                    found.add(asked.group(1));
                }
                return !found.isEmpty();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return found.getLast();
    }

    /// Each run is ended one boundary further, until the journal has the recovery.
    private static void untilJournalled(Bench bench, String ring) throws Exception {
        var cuts = new Cuts(bench);
        for (int boundary = 1; !journal(bench, ring).contains("\"RECOVER\""); boundary++) {
            TrialFailure.unless(cuts.cut(boundary).isPresent(), "the recovery did not begin");
        }
        TrialFailure.unless(
                bench.kube()
                                .apps()
                                .statefulSets()
                                .inNamespace(bench.namespace())
                                .withName(ring)
                                .get()
                                .getSpec()
                                .getReplicas()
                        > 0,
                "the ring was ended");
    }

    static String journal(Bench bench, String ring) {
        return String.join(
                "\n",
                bench.kube()
                        .configMaps()
                        .inNamespace(bench.namespace())
                        .withName(ring + "-journal")
                        .get()
                        .getData()
                        .values());
    }

    static String machine(Bench bench, String ring, int ordinal) {
        return bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withName(ring + "-" + ordinal)
                .get()
                .getSpec()
                .getNodeName();
    }

    /// A roll to an image that is not there costs one member, and a lost volume another one: the way back
    /// waits for no leader, and the lost member is replaced.
    private static void wayBackWithoutQuorum(Bench bench, String ring, Figures figures) throws Exception {
        var struck = new StruckRing(bench, ring);
        String version = bench.options().version();
        struck.ask(3, version);
        bench.converge(ring, 3);
        var load = bench.load(ring);
        try (var watch = new ToleranceWatch(new Members(bench, ring), 3, version)) {
            struck.ask(3, bench.options().notThere());
            var run = bench.tool().start("reconcile");
            TrialFailure.unless(run.awaitStep(Work.step("RestartMember")), "nobody was restarted: " + run.tail());
            long began = System.nanoTime();
            struck.strike(run, Fault.VOLUME_LOST, 1);
            run.exit();
            int runs = 0;
            while (!watch.isFull()) {
                TrialFailure.unless(++runs <= RUNS, ring + " is not whole after " + RUNS + " runs: " + run.tail());
                run = bench.tool().start("reconcile");
                run.exit();
            }
            struck.ask(3, version);
            figures.put(ring, struck.untilWhole(3, version, began).toString() + " (" + runs + " until then)");
        } finally {
            Bench.demandKept(load.stop(), figures, ring + ".");
        }
    }

    /// No machine takes the member that joins: each run says so and ends its wait, and the size of before
    /// calls the join off.
    private static void joinWithoutMachine(Bench bench, String ring, Figures figures) throws Exception {
        var closed = bench.kube().nodes().list().getItems().stream()
                .map(node -> node.getMetadata().getName())
                .sorted()
                .skip(3)
                .toList();
        closed.forEach(node -> MemberAway.cordon(bench, node, true));
        commitApart(bench, ring, 3);
        bench.converge(ring, 3);
        var load = bench.load(ring);
        try {
            commitApart(bench, ring, 5);
            long began = System.nanoTime();
            var run = bench.tool().start("reconcile");
            TrialFailure.unlessSame("the exit code of the join: " + run.tail(), HELD, run.exit());
            figures.put(ring + ".endedSeconds", seconds(began));
            TrialFailure.unless(run.log().contains("node"), "no machine is named: " + run.tail());
            long again = System.nanoTime();
            bench.tool().start("reconcile").exit();
            figures.put(ring + ".nextRunSeconds", seconds(again));
            figures.put(ring + ".said", findings(bench, ring));
            long back = System.nanoTime();
            commitApart(bench, ring, 3);
            figures.put(
                    ring,
                    new StruckRing(bench, ring)
                            .untilWhole(3, bench.options().version(), back)
                            .toString());
        } finally {
            closed.forEach(node -> MemberAway.cordon(bench, node, false));
            Bench.demandKept(load.stop(), figures, ring + ".");
        }
    }

    private static void commitApart(Bench bench, String ring, int size) throws Exception {
        String apart = """
            podTemplate:
                affinity:
                  podAntiAffinity:
                    requiredDuringSchedulingIgnoredDuringExecution:
                      - topologyKey: kubernetes.io/hostname
                        labelSelector: {matchLabels: {etcdgitops.dev/cluster: %s}}
            """.strip().formatted(ring);
        String document = new String(bench.document(ring, size), StandardCharsets.UTF_8).replace("podTemplate:", apart);
        bench.git()
                .commit(
                        ring + " has " + size + ", each on a machine of its own",
                        Map.of("clusters/" + ring + ".yaml", document.getBytes(StandardCharsets.UTF_8)));
    }

    /// A class that is not there, an image that is not there, and a ring that can be founded: that one does
    /// not wait for them, each says what it lacks, and comes once its document names another one.
    private static void foundingsThatWait(Bench bench, String ring, Figures figures) throws Exception {
        String version = bench.options().version();
        String classless = new String(bench.document("no-class", 3), StandardCharsets.UTF_8)
                .replace("    size: 1Gi\n", "    size: 1Gi\n    storageClassName: nowhere\n");
        bench.git()
                .commit(
                        "Three rings",
                        Map.of(
                                "clusters/no-class.yaml",
                                classless.getBytes(StandardCharsets.UTF_8),
                                "clusters/no-image.yaml",
                                bench.document("no-image", 3, bench.options().notThere(), ""),
                                "clusters/" + ring + ".yaml",
                                bench.document(ring, 3)));
        long began = System.nanoTime();
        var run = bench.tool().start("reconcile");
        EtcdProcess.await(
                "the good ring",
                PATIENCE,
                () -> new Members(bench, ring).voters().size() == 3 && new Members(bench, ring).serving() == 3);
        figures.put(ring + ".goodSeconds", seconds(began));
        run.exit();
        figures.put(ring + ".endedSeconds", seconds(began));
        TrialFailure.unless(run.log().contains("nowhere"), "no class is named: " + run.tail());
        TrialFailure.unless(run.log().contains(bench.options().notThere()), "no image is named: " + run.tail());
        var waiting = List.of("no-class", "no-image");
        for (String each : waiting) {
            figures.put(ring + "." + each + ".said", findings(bench, each));
        }
        long mended = System.nanoTime();
        bench.git()
                .commit(
                        "Correct two documents",
                        Map.of(
                                "clusters/no-class.yaml",
                                bench.document("no-class", 3),
                                "clusters/no-image.yaml",
                                bench.document("no-image", 3)));
        for (String each : waiting) {
            figures.put(
                    ring + "." + each,
                    new StruckRing(bench, each).untilWhole(3, version, mended).toString());
        }
        for (String each : waiting) {
            bench.git().remove("clusters/" + each + ".yaml");
            bench.erase(each);
        }
    }

    private static String findings(Bench bench, String ring) throws Exception {
        var plan = bench.tool().start("plan", "-o", "json");
        plan.exit();
        return Plans.findings(Plans.ring(plan.stdout(), bench.namespace(), ring));
    }

    private static long seconds(long since) {
        return Duration.ofNanos(System.nanoTime() - since).toSeconds();
    }
}
