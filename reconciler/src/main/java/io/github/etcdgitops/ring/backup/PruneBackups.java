package io.github.etcdgitops.ring.backup;

import io.github.etcdgitops.inert.Few;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.backup.BackupKey;
import java.util.List;

/// Deletes the backups that retention no longer asks for, and what unfinished backups left behind.
///
/// Never the newest verified one: the step checks that again right before each deletion.
public record PruneBackups(
        ClusterRef ref,
        BackupOrder order,
        BackupPolicy.Retention retention,
        List<BackupKey> expired,
        List<BackupKey> leftovers)
        implements Operation {
    private static final int NAMED = 3;

    public PruneBackups {
        expired = List.copyOf(expired);
        leftovers = List.copyOf(leftovers);
    }

    @Override
    public String kind() {
        return "PruneBackups";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Part.BACKUP, new RequestedBy.Policy(order.policy()));
    }

    @Override
    public String target() {
        return "pruned policy=" + order.policy() + " backups=" + ids(expired) + " leftovers=" + ids(leftovers);
    }

    @Override
    public Resolved resolved() {
        return Resolved.backup(order).retention(retention);
    }

    private static List<String> ids(List<BackupKey> keys) {
        return keys.stream().map(BackupKey::id).sorted().toList();
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public String reason() {
        return expired.isEmpty()
                ? "earlier runs ended in the middle of a backup"
                : "they are past the retention of policy " + order.policy();
    }

    @Override
    public String summary() {
        var ids = ids(expired.isEmpty() ? leftovers : expired);
        String what = expired.isEmpty() ? "the remains of unfinished backup" : "backup";
        return "delete " + what + (ids.size() == 1 ? " " : "s ")
                + Few.of(ids, NAMED)
                + " from " + order.destination().title();
    }

    @Override
    public boolean changesRing() {
        return false;
    }

    @Override
    public List<Step> steps() {
        return List.of(new BackupStep.DeleteBackups(order, expired, leftovers));
    }
}
