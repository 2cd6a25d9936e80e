package io.github.etcdgitops.trial.run;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.bench.Work;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// The clock of one run of two is an hour wrong while members are restarted one after the other under the client:
/// that of the run that has the ring's Lease, or of the other one. The first carries on, and the other one leaves.
public final class ClocksTrial implements Trial {
    private static final String RING = "clocks";
    private static final int SIZE = 3;
    /// So that the other run comes while the first one is at work.
    private static final String SLOWLY = "rollout: {soak: 90s}\n";

    private static final int BUSY = 75;
    private static final String TRUE = "+0";
    private static final int SNAPSHOT_COUNT = 10_000;
    private static final String LIBRARY = "libfaketime.so.1";
    private static final List<Path> FOLDERS =
            List.of(Path.of("/usr/lib/x86_64-linux-gnu/faketime"), Path.of("/usr/lib/aarch64-linux-gnu/faketime"));

    /// Whose clock is set, and by how much.
    private record Play(String name, String holder, String other) {}

    private static final List<Play> PLAYS = List.of(
            new Play("holderBehind", "-1h", TRUE),
            new Play("holderAhead", "+1h", TRUE),
            new Play("otherBehind", TRUE, "-1h"),
            new Play("otherAhead", TRUE, "+1h"));

    @Override
    public String name() {
        return "clocks";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var library = FOLDERS.stream()
                .map(folder -> folder.resolve(LIBRARY))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new TrialFailure("this trial needs " + LIBRARY + " in one of " + FOLDERS));
        commit(bench, SNAPSHOT_COUNT);
        bench.converge(RING, SIZE);
        var watch = new RingWatch(bench, RING, true);
        var load = bench.load(RING);
        try {
            for (int i = 0; i < PLAYS.size(); i++) {
                var play = PLAYS.get(i);
                commit(bench, SNAPSHOT_COUNT + i + 1);
                play(bench, play, library, figures);
            }
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
        bench.demandNothingToDo();
    }

    private static void play(Bench bench, Play play, Path library, Figures figures) throws Exception {
        var clock = Files.writeString(bench.folder().resolve(play.name() + ".holder"), TRUE);
        var first = bench.tool().start(play.holder().equals(TRUE) ? Map.of() : faked(library, clock), "reconcile");
        TrialFailure.unless(first.awaitStep(Work.step("RestartMember")), "nobody was restarted: " + first.tail());
        Files.writeString(clock, play.holder());
        int steps = first.steps().size();

        var others = Files.writeString(bench.folder().resolve(play.name() + ".other"), play.other());
        var other = bench.tool().start(play.other().equals(TRUE) ? Map.of() : faked(library, others), "reconcile");
        int exit = other.exit();
        TrialFailure.unlessSame(play.name() + ": the exit code of the other run: " + other.tail(), BUSY, exit);
        TrialFailure.unless(other.steps().isEmpty(), play.name() + ": the other run did something: " + other.steps());
        TrialFailure.unlessSame(play.name() + ": the exit code of the holder: " + first.tail(), 0, first.exit());
        figures.put(play.name() + ".stepsAfterwards", first.steps().size() - steps);
        figures.put(play.name() + ".otherSaid", sentence(other));
    }

    private static String sentence(Run run) {
        return (run.stdout() + run.stderr())
                .lines()
                .filter(line -> line.contains("another run") || line.contains("Lease") || line.contains("busy"))
                .findFirst()
                .orElse("");
    }

    /// Monotonic clocks stay as they are, and so do waits on them: with libfaketime's own way to wait each timed wait
    /// of a JVM ends at once, and it spins.
    private static Map<String, String> faked(Path library, Path clock) {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                clock.toString(),
                "FAKETIME_CACHE_DURATION",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
    }

    /// Each other figure has every member restarted.
    private static void commit(Bench bench, int snapshotCount) throws Exception {
        bench.git()
                .commit(
                        "A snapshot every " + snapshotCount + " entries",
                        Map.of(
                                "clusters/" + RING + ".yaml",
                                bench.document(
                                        RING,
                                        SIZE,
                                        bench.options().version(),
                                        SLOWLY + "etcd: {snapshotCount: " + snapshotCount + "}\n")));
    }
}
