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

/// Brings a deleted ring back on its retained volumes: with the same cluster ID, members, version and
/// options as before. Other changes in its document follow afterwards, as with any ring.
///
/// If its deletion is still under way, that is undone without an approval. If the ring was not deleted in
/// Git but its StatefulSet was deleted by hand, its pods are gone and its volumes are not. Then it starts
/// again as it was, and this needs an approval, because the person who deleted it may not have finished.
///
/// A failure leaves a journal that says so, and the next run continues. It never starts a member on an
/// empty disk.
public record ReturnCluster(
        ClusterRef ref, EtcdId clusterId, int members, Tls tls, Authorities trusted, Cause cause, Blueprint blueprint)
        implements Operation {
    /// Why the ring does not run.
    public enum Cause {
        /// It was deleted, and its document is back.
        DELETED,
        /// Its deletion, or its return, is under way.
        MIDWAY,
        /// The same, and it has lost its quorum since: every way out for a ring without quorum applies to
        /// it too.
        LOST,
        /// Its StatefulSet was deleted by hand, and nothing else.
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
            // It restores what an earlier run took away.
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
