package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.ring.StepResult;
import java.time.Duration;
import java.util.Optional;

/// Lowers the partition in a roll under way, so that new pods get the new template.
public record Renewals(StepContext context) {
    public Optional<String> lowered(int ordinal) {
        return context.statefulSet()
                .filter(set -> set.rollout().partition() <= ordinal)
                .map(_ -> "new pods get the new template");
    }

    public StepResult lower(int ordinal, Duration deadline) {
        var view = new RollView(context);
        context.kube().setPartition(context.ref(), view.set(), ordinal, context.epoch());
        return context.until(
                deadline,
                () -> view.settled()
                        ? Optional.empty()
                        : Optional.of("the StatefulSet's controller has not processed the change yet"),
                () -> "partition " + ordinal);
    }
}
