package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.step.StepResult;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.IntStream;

/// Gives places whose members are gone the new template of a roll under way.
record Renewals(StepContext context) {
    Optional<String> lowered(int ordinal) {
        return context.statefulSet()
                .filter(set -> set.rollout().partition() <= ordinal)
                .map(_ -> "new pods get the new template");
    }

    StepResult lower(int ordinal, Duration deadline) {
        var view = new RollView(context);
        context.kube().setPartition(context.ref(), view.set(), ordinal, context.epoch());
        return context.until(
                deadline,
                () -> view.settled()
                        ? Optional.empty()
                        : Optional.of("the StatefulSet's controller has not seen it yet"),
                () -> "partition " + ordinal);
    }

    /// Whoever still is a member there would be restarted, unless its pod has the new template already.
    static Optional<String> check(int ordinal, ClusterState fresh) {
        var set = fresh.kube().statefulSet().optional().flatMap(s -> s);
        if (set.filter(s -> s.rollout().settled() && s.rollout().inProgress()).isEmpty()) {
            return Optional.of("the StatefulSet is not in the midst of a roll");
        }
        var members = fresh.ring().optional().map(ring -> ring.byOrdinal(fresh.ref()));
        var pods = fresh.kube().pods().optional().orElseGet(Collections::emptySortedMap);
        String newest = set.get().rollout().updateRevision();
        return IntStream.range(ordinal, set.get().rollout().partition())
                .filter(o -> Optional.ofNullable(pods.get(o))
                        .filter(pod -> pod.revision().equals(newest))
                        .isEmpty())
                .filter(o -> members.filter(all -> !all.containsKey(o)).isEmpty())
                .mapToObj(o -> fresh.ref().podName(o) + " is a member of the ring, and would be restarted")
                .findFirst();
    }
}
