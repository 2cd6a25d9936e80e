package io.github.etcdgitops.policy;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.heal.RepairReadiness;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.founding.BootstrapCluster;
import io.github.etcdgitops.ring.restore.RestoreCluster;
import io.github.etcdgitops.spec.Policy;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Rule;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// The rings that a policy selects, with their plans and states, by name.
record FleetRings(List<Ring> rings) {
    FleetRings {
        rings = List.copyOf(rings);
    }

    FleetRings(
            List<ClusterPlan> plans,
            Policy policy,
            Map<ClusterRef, EtcdClusterSpec> specs,
            Map<ClusterRef, RepairReadiness> standings) {
        this(plans.stream()
                .filter(plan -> Optional.ofNullable(specs.get(plan.ref()))
                        .filter(policy.rings()::selects)
                        .isPresent())
                .map(plan -> new Ring(
                        Objects.requireNonNull(specs.get(plan.ref())),
                        plan,
                        Optional.ofNullable(standings.get(plan.ref()))))
                .sorted((a, b) -> a.ref().compareTo(b.ref()))
                .toList());
    }

    /// Whether the rule applies to the operation. It never applies to repairs, or to operations that
    /// complete a started change.
    static boolean concerns(Rule.OfFleet rule, Operation operation) {
        return OperationRules.concerns(Proposal.of(operation), rule.minRisk(), false);
    }

    /// Without a state, the ring was not observed.
    record Ring(EtcdClusterSpec spec, ClusterPlan plan, Optional<RepairReadiness> standing) {
        ClusterRef ref() {
            return spec.ref();
        }

        /// Operations that the rule applies to, whatever else blocks them.
        List<PlannedOperation> pending(Rule.OfFleet rule) {
            return plan.operations().stream()
                    .filter(planned -> concerns(rule, planned.operation()))
                    .toList();
        }

        /// Those that nothing else blocks.
        List<PlannedOperation> ready(Rule.OfFleet rule) {
            return pending(rule).stream()
                    .filter(planned -> planned.verdict().lets())
                    .toList();
        }

        Optional<String> busy() {
            return standing.flatMap(RepairReadiness::busy);
        }

        /// Why the ring cannot be called healthy.
        Optional<String> doubt() {
            boolean unborn = plan.operations().stream()
                    .anyMatch(
                            o -> o.operation() instanceof BootstrapCluster || o.operation() instanceof RestoreCluster);
            return switch (plan.situation()) {
                case UNKNOWN, HELD, SUSPENDED, REJECTED ->
                    Optional.of("is " + word(plan.situation())
                            + plan.findings().stream()
                                    .findFirst()
                                    .map(finding -> ": " + finding.message())
                                    .orElse(""));
                case ORPHAN, CHANGES, IN_SYNC ->
                    unborn
                            ? Optional.empty()
                            : busy().map(what -> "has a change under way: " + what)
                                    .or(() -> standing.map(RepairReadiness::unwell)
                                            .orElse(Optional.of("it was not observed"))
                                            .map(problem -> "is not healthy: " + problem));
            };
        }

        private static String word(Situation situation) {
            return situation == Situation.UNKNOWN ? "unreadable" : situation.title();
        }
    }
}
