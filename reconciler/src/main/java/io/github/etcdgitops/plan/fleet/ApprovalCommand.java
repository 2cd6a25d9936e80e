package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.ring.Operation;

/// The command line that a message proposes to approve an operation. It can be run unchanged.
public final class ApprovalCommand {
    private ApprovalCommand() {}

    public static String of(Operation operation) {
        return "etcd-gitops approve --operation " + operation.id()
                + operation.toBeNamed().map(id -> " --cluster-id " + id).orElse("") + " --by NAME --reason WHY";
    }
}
