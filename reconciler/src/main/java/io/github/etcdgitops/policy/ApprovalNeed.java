package io.github.etcdgitops.policy;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.maintenance.FreeSpace;
import io.github.etcdgitops.ring.repair.ReplaceMember;
import io.github.etcdgitops.ring.repair.ResetVolume;
import io.github.etcdgitops.spec.value.Risk;

/// Why an operation needs an approval although no policy requires one.
final class ApprovalNeed {
    private ApprovalNeed() {}

    /// `from` is the risk from which the Fleet requires an approval.
    static String because(Operation operation, Risk from) {
        if (operation.consent() != Operation.Consent.NEEDED) {
            return "risk " + operation.risk() + ", and the Fleet requires approval from " + from + " on";
        }
        return switch (operation) {
            case ResetVolume _ -> unasked("volumes");
            case ReplaceMember _ -> unasked("members");
            case FreeSpace _ ->
                "spec.repair.space is manual, or a member runs etcd before 3.4, which does not report how much of its"
                        + " file is in use";
            default -> operation.kind() + " always needs an approval";
        };
    }

    private static String unasked(String field) {
        return "spec.repair." + field + " is manual, or the same was done to this ring before";
    }
}
