package io.github.etcdgitops.trial.repair;

import io.fabric8.kubernetes.api.model.Pod;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.WriteLoad;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.Volumes;
import java.time.Duration;
import java.util.Optional;

/// What happens between runs: a deleted pod comes back by itself as the same member, and a member whose
/// volume was emptied does not.
public final class HealTrial implements Trial {
    private static final String RING = "heal";
    private static final Duration LONG = Duration.ofMinutes(4);
    private static final int CRASHES = 3;

    @Override
    public String name() {
        return "heal";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(RING, 3);
        var load = bench.load(RING);
        try {
            for (int ordinal = 0; ordinal < 3; ordinal++) {
                figures.put("pod" + ordinal + "BackMillis", deleted(bench, ordinal));
            }
            wiped(bench, load, figures);
        } finally {
            Bench.demand(load.stop(), figures, "");
        }
    }

    private static long deleted(Bench bench, int ordinal) {
        var before = pod(bench, ordinal).orElseThrow();
        var id = new Members(bench, RING).healthy(before.getStatus().getPodIP());
        TrialFailure.unless(id.isPresent(), before.getMetadata().getName() + " was not well beforehand");
        long began = System.nanoTime();
        delete(bench, ordinal);
        EtcdProcess.await(
                "another pod",
                LONG,
                () -> another(bench, ordinal, before)
                        .map(p -> p.getStatus().getPodIP())
                        .flatMap(new Members(bench, RING)::healthy)
                        .equals(id));
        long took = (System.nanoTime() - began) / 1_000_000;
        EtcdProcess.await(
                "readiness",
                LONG,
                () -> another(bench, ordinal, before).filter(HealTrial::ready).isPresent());
        return took;
    }

    private static void wiped(Bench bench, WriteLoad load, Figures figures) throws Exception {
        var before = pod(bench, 1).orElseThrow();
        String id =
                new Members(bench, RING).healthy(before.getStatus().getPodIP()).orElseThrow();
        Volumes.wipe(Volumes.folder(bench, RING, 1));
        delete(bench, 1);
        EtcdProcess.await(
                "its crashes",
                LONG,
                () -> another(bench, 1, before)
                        .filter(p -> restarts(p) >= CRASHES)
                        .isPresent());
        var now = another(bench, 1, before).orElseThrow();
        figures.put("wipedRestarts", restarts(now));
        TrialFailure.unless(
                Optional.ofNullable(now.getStatus().getPodIP())
                        .flatMap(new Members(bench, RING)::healthy)
                        .isEmpty(),
                "the wiped member answers as " + id);
        TrialFailure.unless(!ready(now), "the wiped member is ready");
        long acknowledged = load.acknowledged();
        EtcdProcess.await("writes without it", LONG, () -> load.acknowledged() > acknowledged + 200);
        var plan = bench.tool().planned("-o", "json");
        var ring = Plans.ring(plan.stdout(), bench.namespace(), RING);
        figures.put("situation", ring.path("situation").asText());
        figures.put("findings", Plans.findings(ring));
        var replacements = Plans.operations(ring, "ReplaceMember");
        TrialFailure.unless(
                replacements.size() == 1
                        && replacements
                                .getFirst()
                                .path("verdict")
                                .path("result")
                                .asText()
                                .equals("hold"),
                "the plan does not ask for an approval of the replacement: " + ring);
        TrialFailure.unless(Plans.findings(ring).contains(RING + "-1"), "the plan does not name the member: " + ring);
        bench.ring(RING, 5);
        bench.tool().demand(0, "reconcile");
        TrialFailure.unless(
                bench.kube()
                                .apps()
                                .statefulSets()
                                .inNamespace(bench.namespace())
                                .withName(RING)
                                .get()
                                .getSpec()
                                .getReplicas()
                        == 3,
                "a ring that is held was changed");
    }

    private static void delete(Bench bench, int ordinal) {
        bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withName(RING + "-" + ordinal)
                .delete();
    }

    private static Optional<Pod> pod(Bench bench, int ordinal) {
        return Optional.ofNullable(bench.kube()
                .pods()
                .inNamespace(bench.namespace())
                .withName(RING + "-" + ordinal)
                .get());
    }

    private static Optional<Pod> another(Bench bench, int ordinal, Pod before) {
        return pod(bench, ordinal)
                .filter(p ->
                        !p.getMetadata().getUid().equals(before.getMetadata().getUid()));
    }

    private static int restarts(Pod pod) {
        return pod.getStatus().getContainerStatuses().stream()
                .mapToInt(c -> c.getRestartCount())
                .sum();
    }

    private static boolean ready(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
    }
}
