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

/// How many rings with lost members may be repaired without approval. A lost volume now and then is wear.
/// Many at once have a common cause: a rack, a driver with wrong reports, a clean-up by hand. New volumes
/// do not fix that, and the data on the former ones may be all that is left. So where more rings than
/// `most` have lost members, no repair starts before a person has checked and approved it.
///
/// It depends on the plans alone. A started repair continues: those rings lack members until it ends.
public record RepairBudget(int most, Predicate<Operation> approved) {
    /// The rule id for operations that it holds.
    public static final String RULE = "repair-budget";

    /// The same plans, with repairs without approval held where there are too many. The plans are those of
    /// all rings.
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

    /// The same where another process has seen all rings, and chose the rings in `chosen` to start.
    public List<ClusterPlan> only(List<ClusterPlan> plans, Set<ClusterRef> chosen) {
        return held(
                plans, chosen, "only a run that covers all rings of the environment starts repairs without approval");
    }

    /// The rings for which this plan starts such repairs.
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
