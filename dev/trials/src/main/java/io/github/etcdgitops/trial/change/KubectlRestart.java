package io.github.etcdgitops.trial.change;

import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;

/// What `kubectl rollout restart` and `kubectl rollout status` do to a ring, as a measure of what restarts cost by
/// themselves: on a set that lets the controller do as it likes.
record KubectlRestart(Bench bench, String ring, int size, boolean secured) {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /// `longestGap` is the longest time without an acknowledged write.
    record Cost(long millis, Duration longestGap) {}

    /// Of the ring, which is gone afterwards.
    Cost times(int restarts, Figures figures, String prefix) throws Exception {
        var client = bench.watchedLoad(ring, secured);
        long millis;
        Duration longest;
        // What watches a change of versions takes its share of the machine here as well.
        try (var _ = new RingWatch(bench, ring, true)) {
            long began = System.nanoTime();
            for (int time = 0; time < restarts; time++) {
                restart(time);
            }
            millis = (System.nanoTime() - began) / 1_000_000;
        } finally {
            var result = client.stop();
            longest = result.writes().longestGap();
            Bench.demand(result, figures, prefix);
        }
        figures.put(prefix + "millis", millis);
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
        return new Cost(millis, longest);
    }

    private void restart(int time) {
        var sets = bench.kube().apps().statefulSets().inNamespace(bench.namespace());
        var before = sets.withName(ring).get().getStatus().getUpdateRevision();
        sets.withName(ring)
                .edit(set -> new StatefulSetBuilder(set)
                        .editSpec()
                        .editUpdateStrategy()
                        .editRollingUpdate()
                        .withPartition(0)
                        .endRollingUpdate()
                        .endUpdateStrategy()
                        .editTemplate()
                        .editMetadata()
                        .addToAnnotations("kubectl.kubernetes.io/restartedAt", "2026-01-01T00:00:0" + time + "Z")
                        .endMetadata()
                        .endTemplate()
                        .endSpec()
                        .build());
        EtcdProcess.await("the restart", PATIENCE, () -> {
            var status = sets.withName(ring).get().getStatus();
            return !status.getUpdateRevision().equals(before)
                    && status.getUpdateRevision().equals(status.getCurrentRevision())
                    && Integer.valueOf(size).equals(status.getReadyReplicas());
        });
    }
}
