package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.Around;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.ring.tls.TlsStep;
import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.Tls;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.List;

/// Brings a ring back that was deleted, on the volumes that were kept: the same cluster ID, the same
/// members, version and options of then. Whatever its document says otherwise by now is done afterwards,
/// as with any ring.
///
/// Where its deletion is still under way, that is taken back, and nobody is asked. Where nobody has deleted
/// the ring but somebody its StatefulSet, by hand, its pods are gone as well and its volumes are not: it
/// starts again as it was, once somebody has approved it, for whoever did that may not have been done.
///
/// A failure leaves a journal that says so, and the next run carries on. No member ever starts on an
/// empty disk by it.
public record ReturnCluster(
        ClusterRef ref, EtcdId clusterId, int members, Tls tls, Authorities trusted, Cause cause, Blueprint blueprint)
        implements Operation {
    /// Why it is not there.
    public enum Cause {
        /// It was deleted, and its document is there again.
        DELETED,
        /// Its deletion, or its return, is under way.
        MIDWAY,
        /// The same, and it has lost its quorum since: whatever helps a ring without quorum helps it too.
        LOST,
        /// Somebody has deleted its StatefulSet, and nothing else.
        BY_HAND
    }

    @Override
    public String kind() {
        return "ReturnCluster";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Document.RING);
    }

    @Override
    public String target() {
        return "returned clusterId=" + clusterId;
    }

    @Override
    public Resolved resolved() {
        return Resolved.ring(blueprint).trusted(trusted);
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    @Override
    public Consent consent() {
        return switch (cause) {
            case DELETED -> Consent.BY_RISK;
            // It brings back what an earlier run has taken away.
            case MIDWAY, LOST -> Consent.GIVEN;
            case BY_HAND -> Consent.NEEDED;
        };
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return switch (cause) {
            case DELETED -> "its document exists, and its volumes were retained when it was deleted";
            case MIDWAY -> "its document exists, and a deletion or a return of the ring is in progress";
            case LOST -> "its return is in progress, and it has lost its quorum since; that is repaired as in any ring";
            case BY_HAND -> "its StatefulSet was deleted by hand, and its volumes exist";
        };
    }

    @Override
    public String summary() {
        String ring = "the ring of " + members + " with cluster ID " + clusterId;
        return cause == Cause.LOST
                ? "end the return of " + ring + ", which has lost its quorum"
                : "bring back " + ring + " on its volumes";
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>();
        steps.add(new ReturnStep.BeginReturn(id()));
        if (tls.transport().secured()) {
            steps.add(new TlsStep.IssueCertificates(tls, trusted));
        }
        steps.add(Around.members());
        steps.add(new ReturnStep.SealMembers());
        steps.add(new ReturnStep.StartMembers(members));
        if (cause != Cause.LOST) {
            steps.add(new ReturnStep.AwaitReturned(members));
            steps.add(new ReturnStep.CompareRemains());
        }
        steps.add(new ReturnStep.TakeVolumes());
        steps.add(Around.clients());
        steps.add(new ObjectStep.SetBudget(Budget.of(members)));
        steps.add(new ReturnStep.FinishReturn());
        return List.copyOf(steps);
    }
}
