package io.github.etcdgitops.trial.repair;

import io.github.etcdgitops.trial.backup.BackupPlace;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.fault.StruckRing;
import io.github.etcdgitops.trial.fault.StruckRing.Fault;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A second fault in each kind of operation, at a fixed step, of a ring under the client: how long it takes until
/// the ring is at full tolerance, in how many runs, and whether somebody must approve.
public final class SecondFaultsTrial implements Trial {
    private static final String VERSION = "3.5.16";
    private static final String NEXT = "3.5.30";

    /// The run goes on, or is killed with the fault.
    private enum Run {
        GOES_ON,
        KILLED
    }

    private record Blow(Fault fault, int ordinal) {}

    /// @param first what happens before the run that is struck
    /// @param step after which the others happen
    private record Scene(
            String name, int from, int to, String version, List<Blow> first, String step, List<Blow> then, Run run) {}

    private static final List<Scene> SCENES = List.of(
            scene("volume-in-growth", 3, 5, VERSION, "AwaitStarted", Fault.VOLUME_LOST, 0, Run.GOES_ON),
            scene("volume-in-growth-killed", 3, 5, VERSION, "SetReplicas", Fault.VOLUME_LOST, 1, Run.KILLED),
            scene("space-in-growth", 3, 5, VERSION, "AwaitStarted", Fault.NO_SPACE, 0, Run.KILLED),
            scene("removed-in-growth", 3, 5, VERSION, "AwaitStarted", Fault.MEMBER_REMOVED, 1, Run.KILLED),
            scene("volume-in-shrinking", 5, 3, VERSION, "RemoveMember", Fault.VOLUME_LOST, 0, Run.KILLED),
            scene("space-in-shrinking", 5, 3, VERSION, "SetReplicas", Fault.NO_SPACE, 0, Run.KILLED),
            new Scene(
                    "surplus-volumes",
                    5,
                    3,
                    VERSION,
                    List.of(new Blow(Fault.VOLUME_LOST, 3), new Blow(Fault.VOLUME_LOST, 4)),
                    "Begin",
                    List.of(),
                    Run.GOES_ON),
            scene("volume-in-upgrade", 3, 3, NEXT, "CompareMember", Fault.VOLUME_LOST, 0, Run.GOES_ON),
            scene("volume-in-upgrade-killed", 3, 3, NEXT, "WriteTemplate", Fault.VOLUME_LOST, 2, Run.KILLED),
            scene("space-in-upgrade", 3, 3, NEXT, "CompareMember", Fault.NO_SPACE, 0, Run.KILLED),
            new Scene(
                    "volume-in-replacement",
                    5,
                    5,
                    VERSION,
                    List.of(new Blow(Fault.VOLUME_LOST, 4)),
                    "AddNewcomer",
                    List.of(new Blow(Fault.VOLUME_LOST, 1)),
                    Run.KILLED),
            new Scene(
                    "quorum-in-replacement",
                    3,
                    3,
                    VERSION,
                    List.of(new Blow(Fault.VOLUME_LOST, 2)),
                    "RemoveFormer",
                    List.of(new Blow(Fault.VOLUME_LOST, 1)),
                    Run.KILLED));

    /// Of other operations than those, the trials `replace`, `space`, `machines` and `quorum` tell.
    private static Scene scene(
            String name, int from, int to, String version, String step, Fault fault, int ordinal, Run run) {
        return new Scene(name, from, to, version, List.of(), step, List.of(new Blow(fault, ordinal)), run);
    }

    @Override
    public String name() {
        return "second-faults";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.tool().environment("ETCD_GITOPS_IMAGE", bench.options().image().orElse("etcd-gitops:sandbox"));
        var place = BackupPlace.directory("place", bench.folder().resolve("backups"));
        bench.git()
                .commit(
                        "Back rings up",
                        Map.of("policies/place.yaml", place.document(bench.namespace(), BackupPlace.schedule())));
        var failed = new ArrayList<String>();
        for (Scene scene : scenes(bench)) {
            try {
                play(bench, scene, figures);
            } catch (TrialFailure e) {
                figures.put(scene.name(), "FAILED");
                failed.add(scene.name() + ": " + e.getMessage());
            }
        }
        TrialFailure.unless(failed.isEmpty(), String.join("\n", failed));
    }

    /// With `--quick` a third of them, another third each day.
    private static List<Scene> scenes(Bench bench) {
        long day = Duration.ofMillis(System.currentTimeMillis()).toDays();
        return bench.options().quick()
                ? SCENES.stream()
                        .filter(scene -> SCENES.indexOf(scene) % 3 == day % 3)
                        .toList()
                : SCENES;
    }

    private static void play(Bench bench, Scene scene, Figures figures) throws Exception {
        var struck = new StruckRing(bench, scene.name());
        struck.ask(scene.from(), VERSION);
        bench.converge(scene.name(), scene.from());
        var load = bench.load(scene.name());
        try {
            for (Blow blow : scene.first()) {
                new VolumeLoss(bench, scene.name()).lose(blow.ordinal());
            }
            struck.ask(scene.to(), scene.version());
            var run = bench.tool().start("reconcile");
            TrialFailure.unless(
                    run.awaitStep(Work.step(scene.step())), "no run came to " + scene.step() + ": " + run.tail());
            long began = System.nanoTime();
            if (scene.run() == Run.KILLED) {
                run.kill();
            }
            for (Blow blow : scene.then()) {
                struck.strike(run, blow.fault(), blow.ordinal());
            }
            run.exit();
            var mended = struck.untilWhole(scene.to(), scene.version(), began);
            figures.put(scene.name(), mended.toString());
            System.out.println("  " + scene.name() + ": " + mended);
        } finally {
            var result = load.stop();
            figures.put(scene.name() + ".acked", result.acked());
            figures.put(scene.name() + ".lost", result.lost().size());
            bench.git().remove(struck.file());
            bench.erase(scene.name());
            // A survivor need not have learnt that the last writes were agreed on.
            TrialFailure.unless(
                    result.lost().isEmpty() || scene.name().startsWith("quorum"),
                    "acknowledged writes are lost: " + result.lost().size());
        }
    }
}
