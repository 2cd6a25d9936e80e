package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.Authorities;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.spec.Tls;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.step.ReturnStep;
import io.github.etcdgitops.step.Step;
import io.github.etcdgitops.step.TlsStep;
import java.util.ArrayList;
import java.util.List;

/// Brings a ring back that was deleted, on the volumes that were kept: the same cluster ID, the same
/// members, version and options of then. Whatever its document says otherwise by now is done afterwards,
/// as with any ring.
///
/// Where its deletion is still under way, that is taken back (`midway`), and nobody is asked.
///
/// A failure leaves a journal that says so, and the next run carries on. No member ever starts on an
/// empty disk by it.
public record ReturnCluster(ClusterRef ref, EtcdId clusterId, int members, Tls tls, Authorities trusted, boolean midway)
        implements Operation {
    @Override
    public String target() {
        return "returned clusterId=" + clusterId;
    }

    @Override
    public Risk risk() {
        return Risk.LOW;
    }

    /// It brings back what an earlier run has taken away.
    @Override
    public Consent consent() {
        return midway ? Consent.GIVEN : Consent.BY_RISK;
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return midway
                ? "its document is there, and a deletion or a return of it is under way"
                : "its document is there, and its volumes of before it was deleted are kept";
    }

    @Override
    public String summary() {
        return "bring back the ring of " + members + " with cluster ID " + clusterId + " on its volumes";
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
        steps.add(new ReturnStep.AwaitReturned(members));
        steps.add(new ReturnStep.CompareRemains());
        steps.add(new ReturnStep.TakeVolumes());
        steps.add(Around.clients());
        steps.add(new Step.SetBudget(Budget.of(members)));
        steps.add(new ReturnStep.FinishReturn());
        return List.copyOf(steps);
    }
}
