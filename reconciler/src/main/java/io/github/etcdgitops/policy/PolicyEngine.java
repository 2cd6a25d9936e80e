package io.github.etcdgitops.policy;

import io.github.etcdgitops.operation.DrillBackup;
import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.operation.TakeBackup;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.Finding;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.spec.Fleet;
import io.github.etcdgitops.state.Quorum;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// The rules: `admit` looks at a spec alone, `gate` at each planned operation. Both are asked again right before
/// an operation starts.
public record PolicyEngine(Fleet fleet, List<Approval> approvals) {
    public PolicyEngine {
        approvals = List.copyOf(approvals);
    }

    /// Advice and refusals that follow from the spec alone.
    public List<Finding> admit(EtcdClusterSpec spec) {
        int size = spec.size();
        if (size % 2 != 0) {
            return List.of();
        }
        return List.of(new Finding(
                Level.WARNING,
                "odd-size",
                "size " + size + " bears " + new Quorum(size, size).tolerance() + " failed members, as size "
                        + (size - 1) + " does, and needs one more for every write; take " + (size - 1) + " or "
                        + (size + 1)));
    }

    /// Once one operation of a chain has to wait, the later ones wait for it.
    public ClusterPlan gate(ClusterPlan plan, Instant now) {
        var gated = new ArrayList<PlannedOperation>();
        for (var planned : plan.operations()) {
            var verdict = gated.stream()
                    .filter(earlier -> !earlier.verdict().lets())
                    .findFirst()
                    .<Verdict>map(earlier -> new Verdict.Hold(
                            "order",
                            "waits for " + earlier.operation().kind() + " "
                                    + earlier.operation().id()))
                    .orElseGet(() -> gate(planned.operation(), now));
            gated.add(planned.with(verdict));
        }
        var iterator = gated.iterator();
        return plan.gated(_ -> iterator.next());
    }

    /// Whether the operation may start at `now`.
    public Verdict gate(Operation operation, Instant now) {
        if (operation instanceof TakeBackup || operation instanceof DrillBackup) {
            // They take nothing away, and each is another operation: nobody could approve them beforehand.
            return new Verdict.Allow();
        }
        if (operation.risk().compareTo(fleet.approvalFrom()) < 0) {
            return new Verdict.Allow();
        }
        var matching = approvals.stream()
                .filter(a ->
                        a.cluster().equals(operation.ref()) && a.operations().contains(operation.id()))
                .toList();
        if (matching.stream().anyMatch(a -> now.isBefore(a.expires()))) {
            return new Verdict.Allow();
        }
        String why = matching.isEmpty()
                ? "an approval of operation " + operation.id() + " is needed (risk " + operation.risk() + ")"
                : "the approval " + matching.getFirst().name() + " has expired";
        return new Verdict.Hold(
                "approval", why + "; write one with: etcd-gitops approve --operation " + operation.id());
    }
}
