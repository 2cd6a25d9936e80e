package io.github.etcdgitops.policy;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.maintenance.FreeSpace;
import io.github.etcdgitops.ring.repair.ReplaceMember;
import io.github.etcdgitops.ring.repair.ResetVolume;
import io.github.etcdgitops.spec.value.Risk;

/// Why an operation needs an approval although no policy requires one.
final class ApprovalNeed {
    private static final String UNASKED_SPACE = "spec.repair.space is manual, or a member runs etcd before 3.4, which"
            + " does not report how much of its file is in use";

    private ApprovalNeed() {}

    /// `from` is the risk from which the Fleet requires an approval.
    static String because(Operation operation, Risk from) {
        if (operation.consent() != Operation.Consent.NEEDED) {
            return "risk " + operation.risk() + ", and the Fleet requires approval from " + from + " on";
        }
        if (operation instanceof ResetVolume) {
            return unasked("volumes");
        }
        if (operation instanceof ReplaceMember) {
            return unasked("members");
        }
        return operation instanceof FreeSpace ? UNASKED_SPACE : operation.kind() + " always needs an approval";
    }

    private static String unasked(String field) {
        return "spec.repair." + field + " is manual, or the same was done to this ring before";
    }
}
