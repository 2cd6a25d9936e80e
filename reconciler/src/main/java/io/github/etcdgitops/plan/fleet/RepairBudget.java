package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Up to how many rings with lost members are mended unasked. A volume now and then is wear. Many at once
/// have a common cause: a rack, a driver that tells nonsense, somebody who cleans up. New volumes do not
/// mend that, and what still is on the former ones may be all that is left. So where more rings than
/// `most` have lost members, nothing of it is begun before somebody has looked, and has approved it.
///
/// Follows from the plans alone. What was begun is carried on: those rings lack members meanwhile.
public record RepairBudget(int most, Predicate<Operation> approved) {
    /// The rule by whose name operations are held.
    public static final String RULE = "repair-budget";

    /// The same plans, with what would be begun unasked held where there is too much of it. The plans are
    /// those of all rings.
    public List<ClusterPlan> limited(List<ClusterPlan> plans) {
        long lost = plans.stream().filter(RepairBudget::hasLosses).count();
        return lost <= most
                ? plans
                : held(
                        plans,
                        Set.of(),
                        lost + " rings have lost members at the same time, and at most " + most
                                + " are repaired without approval (spec.limits.maxUnaskedRepairs of the Fleet). So"
                                + " many losses at once usually have a common cause. Find it before you"
                                + " give up the former volumes");
    }

    /// The same where others have seen all rings, and let it be begun for `chosen`.
    public List<ClusterPlan> only(List<ClusterPlan> plans, Set<ClusterRef> chosen) {
        return held(
                plans, chosen, "only a run that covers all rings of the environment starts repairs without approval");
    }

    /// The rings for which such is begun in this plan.
    public static Set<ClusterRef> chosen(List<ClusterPlan> plans) {
        var chosen = new TreeSet<ClusterRef>();
        plans.stream()
                .filter(plan -> plan.operations().stream()
                        .anyMatch(o -> isUnasked(o) && o.verdict().lets()))
                .forEach(plan -> chosen.add(plan.ref()));
        return chosen;
    }

    private static boolean hasLosses(ClusterPlan plan) {
        return plan.operations().stream().anyMatch(o -> o.operation().mendsLosses());
    }

    private static boolean isUnasked(PlannedOperation planned) {
        return planned.operation().consent() == Consent.STANDING;
    }

    private List<ClusterPlan> held(List<ClusterPlan> plans, Set<ClusterRef> but, String why) {
        return plans.stream()
                .map(plan -> but.contains(plan.ref()) ? plan : plan.gated(o -> held(o, why)))
                .toList();
    }

    private PlannedOperation held(PlannedOperation planned, String why) {
        var operation = planned.operation();
        return isUnasked(planned) && planned.verdict().lets() && !approved.test(operation)
                ? planned.with(new Verdict.Hold(RULE, why + ". To approve it: " + ApprovalCommand.of(operation)))
                : planned;
    }
}
