package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.util.List;

/// 3 → 5 → 3 → 1 → 3 by commits, under a client, both ways to reach members. Without learners there is no way back from
/// one member.
public final class ResizeTrial implements Trial {
    private static final String RING = "resize";

    private record Resize(int size, String access) {}

    private static final List<Resize> RESIZES = List.of(
            new Resize(5, "pod-ip"), new Resize(3, "port-forward"), new Resize(1, "auto"), new Resize(3, "auto"));

    @Override
    public String name() {
        return "resize";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        figures.put("version", bench.options().version());
        long began = System.nanoTime();
        bench.bringTo(RING, 3);
        figures.put("bootstrapSeconds", seconds(began));
        var watch = new RingWatch(bench, RING);
        var load = bench.load(RING);
        int size = 3;
        try {
            for (var resize : resizes(bench)) {
                began = System.nanoTime();
                bench.bringTo(RING, resize.size(), "--member-access", resize.access());
                figures.put(size + "to" + resize.size() + "Seconds", seconds(began));
                size = resize.size();
            }
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
        bench.demandNothingToDo();
        events(bench);
    }

    private static List<Resize> resizes(Bench bench) {
        return bench.options().etcd().hasLearners() ? RESIZES : RESIZES.subList(0, RESIZES.size() - 1);
    }

    /// What `kubectl describe statefulset` would show.
    private static void events(Bench bench) {
        var reasons = bench.kube().v1().events().inNamespace(bench.namespace()).list().getItems().stream()
                .filter(e -> e.getInvolvedObject().getKind().equals("StatefulSet"))
                .map(e -> e.getReason())
                .toList();
        TrialFailure.unless(
                reasons.containsAll(List.of("ScaleOutBegun", "ScaleOutDone", "ScaleInBegun", "ScaleInDone")),
                "the Events do not tell of the resizes: " + reasons);
    }

    public static long seconds(long began) {
        return Math.round((System.nanoTime() - began) / 1e9);
    }
}
