package io.github.etcdgitops.execute;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import java.util.ArrayList;
import java.util.Optional;
import java.util.TreeSet;

/// Whether a plan still matches the one that would be made now.
final class Staleness {
    private Staleness() {}

    /// How the plan differs from the same plan made again now; empty when it does not.
    static Optional<String> of(ClusterPlan plan, ClusterPlan again) {
        if (!plan.fingerprint().equals(again.fingerprint())) {
            return Optional.of("the ring changed after the plan was made: " + differences(plan, again));
        }
        var before = plan.operations().stream().map(PlannedOperation::operation).toList();
        var now = again.operations().stream().map(PlannedOperation::operation).toList();
        return before.equals(now)
                ? Optional.empty()
                : Optional.of("a new plan would differ: "
                        + again.operations().stream()
                                .map(o -> o.operation().summary())
                                .toList());
    }

    private static String differences(ClusterPlan plan, ClusterPlan again) {
        var differences = new ArrayList<String>();
        var keys = new TreeSet<>(plan.fingerprint().keySet());
        keys.addAll(again.fingerprint().keySet());
        keys.forEach(key -> {
            String before = plan.fingerprint().getOrDefault(key, "absent");
            String now = again.fingerprint().getOrDefault(key, "absent");
            if (!before.equals(now)) {
                differences.add(key + " was " + before + ", is " + now);
            }
        });
        return String.join("; ", differences);
    }
}
