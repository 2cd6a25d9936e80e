package io.github.etcdgitops.ring.backup;

import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.backup.BackupKey;
import java.util.List;

/// A drill: restores the newest backup as a test into its own pod, in a namespace for drills, compares it
/// with its manifest, and removes it.
///
/// Applies when the policy's interval has passed since the last drill. `after` is the time of that drill,
/// or `none`.
///
/// It touches nothing of the ring. If the backup fails, the result is written beside its manifest. Other
/// problems (no node for the pod, a store that does not answer) say nothing about the backup, and the next
/// run tries again.
public record DrillBackup(ClusterRef ref, BackupOrder order, BackupKey backup, String namespace, String after)
        implements Operation {
    /// The wire name.
    public static final String KIND = "DrillBackup";

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(new RequestedBy.Policy(order.policy()));
    }

    @Override
    public String target() {
        return "drill policy=" + order.policy() + " after=" + after;
    }

    @Override
    public Resolved resolved() {
        return Resolved.backup(order).and("backup", backup.id()).and("namespace", namespace);
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public String reason() {
        return "policy " + order.policy() + " asks for drills, and the last one was: " + after;
    }

    @Override
    public String summary() {
        return "drill: restore backup " + backup.id() + " in namespace " + namespace + ", compare it, remove it again";
    }

    @Override
    public boolean changesRing() {
        return false;
    }

    @Override
    public List<Step> steps() {
        return List.of(new BackupStep.TryRestore(order, backup, namespace, id()));
    }
}
