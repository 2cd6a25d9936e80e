package io.github.etcdgitops.ring.backup;

import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.backup.StoredBackup;
import java.util.List;

/// Stores a snapshot of a follower and verifies it.
///
/// Applies when a schedule is due, a document asks for a backup, or a risky change needs a more recent one.
/// `after` is the newest existing backup, or `none`: the one after that is due, however many scheduled
/// times have passed.
///
/// It reads from the ring and changes nothing in it. A failure leaves objects without a manifest. They do
/// not count as a backup, and a later run deletes them.
public record TakeBackup(ClusterRef ref, BackupOrder order, String after, String why) implements Operation {
    /// The wire name.
    public static final String KIND = "TakeBackup";

    /// Whether it is taken only for a change that follows.
    public boolean beforeChange() {
        return order.suffix().equals(StoredBackup.BEFORE_CHANGE);
    }

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
        return "backup policy=" + order.policy() + (order.suffix().isEmpty() ? "" : " for=" + order.suffix())
                + " after=" + after;
    }

    @Override
    public Resolved resolved() {
        return Resolved.backup(order);
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public String reason() {
        return why;
    }

    @Override
    public String summary() {
        return "back up to " + order.destination().title() + " (policy " + order.policy() + ")";
    }

    @Override
    public boolean changesRing() {
        return false;
    }

    @Override
    public boolean servesChange() {
        return beforeChange();
    }

    @Override
    public List<Step> steps() {
        return List.of(new BackupStep.SaveSnapshot(order), new BackupStep.CertifyBackup(order, id()));
    }
}
