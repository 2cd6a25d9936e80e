package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.plan.heal.RepairReadiness;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.ring.RuleKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.health.Defect;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Rules about many rings at once: which come first, how many at a time, how many in total. They are
/// evaluated on the plans of all rings, after every other rule: an operation that waits for something else
/// uses no place. The order depends on the plans and the rings alone; nothing is stored from run to run.
///
/// Repairs, operations that complete a started change, and operations that only read a ring wait for none
/// of them.
public record FleetRules(PolicyEngine policies, Map<ClusterRef, RepairReadiness> standings, Instant now) {
    private static final String ELSEWHERE = "waits for its turn. Only a plan of the whole environment assigns turns";

    public FleetRules {
        standings = Map.copyOf(standings);
    }

    /// The same plans, with operations held until their turn. The plans are those of all rings. An
    /// operation that one kind of rule holds does not count for later kinds.
    public List<ClusterPlan> limited(List<ClusterPlan> plans) {
        return limited(plans, _ -> {});
    }

    /// `heard` receives the answer of each rule about each operation.
    public List<ClusterPlan> limited(List<ClusterPlan> plans, Consumer<Hearing> heard) {
        var limited = plans;
        for (var kind : RuleKind.builtIn()) {
            for (var policy : policies.rules().book().policies()) {
                for (var clause : policy.clauses()) {
                    if (clause.rule() instanceof Rule.OfFleet rule && rule.kind() == kind) {
                        var before = limited;
                        limited = Defect.contain(
                                () -> limited(before, policy, clause, rule, heard),
                                defect -> held(before, rule, defect));
                    }
                }
            }
        }
        return limited;
    }

    /// The same where another process has seen all rings, and allows the operations with the ids `chosen`
    /// to start.
    public List<ClusterPlan> only(List<ClusterPlan> plans, Set<String> chosen) {
        return plans.stream()
                .map(plan -> plan.gated(planned -> {
                    var operation = planned.operation();
                    return planned.verdict().lets() && !chosen.contains(operation.id())
                            ? stops(operation)
                                    .<PlannedOperation>map(rule -> planned.with(new Verdict.Hold(rule.id(), ELSEWHERE)))
                                    .orElse(planned)
                            : planned;
                }))
                .toList();
    }

    /// The operations that may start by these plans.
    public static Set<String> chosen(List<ClusterPlan> plans) {
        var chosen = new TreeSet<String>();
        plans.stream()
                .flatMap(plan -> plan.operations().stream())
                .filter(planned -> planned.verdict().lets())
                .forEach(planned -> chosen.add(planned.operation().id()));
        return chosen;
    }

    private List<ClusterPlan> limited(
            List<ClusterPlan> plans, Policy policy, Policy.Clause clause, Rule.OfFleet rule, Consumer<Hearing> heard) {
        var rings = new FleetRings(plans, policy, policies.rules().rings(), standings);
        var objections = FleetObjections.of(rule, rings, now);
        rings.rings().stream()
                .flatMap(ring -> ring.ready(rule).stream())
                .map(PlannedOperation::operation)
                .forEach(o -> heard.accept(
                        policies.rules().heard(policy, clause, o, Optional.ofNullable(objections.get(o.id())), now)));
        return plans.stream()
                .map(plan -> plan.gated(planned -> {
                    var why = Optional.ofNullable(
                            objections.get(planned.operation().id()));
                    return why.map(text -> judged(planned, policy, clause, text))
                            .orElse(planned);
                }))
                .toList();
    }

    /// The order is unknown.
    private static List<ClusterPlan> held(List<ClusterPlan> plans, Rule.OfFleet rule, Defect defect) {
        return plans.stream()
                .map(plan -> plan.gated(planned -> {
                    boolean concerned = planned.verdict().lets() && FleetRings.concerns(rule, planned.operation());
                    return concerned
                            ? planned.with(new Verdict.Hold(
                                    rule.id(),
                                    "internal error in the rule " + rule.id() + ", " + defect + ". Please report it"))
                            : planned;
                }))
                .toList();
    }

    private PlannedOperation judged(PlannedOperation planned, Policy policy, Policy.Clause clause, String why) {
        var operation = planned.operation();
        var judgement = policies.rules().judge(policy, clause, operation.ref(), why, now);
        var verdict = policies.verdict(operation, List.of(judgement), now);
        return verdict instanceof Verdict.Allow ? planned : planned.with(verdict);
    }

    /// A rule that may hold it, if there is one.
    private Optional<Rule> stops(Operation operation) {
        SortedMap<ClusterRef, EtcdClusterSpec> rings = policies.rules().rings();
        return Optional.ofNullable(rings.get(operation.ref()))
                .flatMap(spec -> policies.rules().book().policies().stream()
                        .filter(policy -> policy.rings().selects(spec))
                        .flatMap(policy -> policy.clauses().stream())
                        .filter(clause -> clause.rule() instanceof Rule.OfFleet rule
                                && clause.effectAt(now).stops()
                                && FleetRings.concerns(rule, operation))
                        .map(Policy.Clause::rule)
                        .findFirst());
    }
}
