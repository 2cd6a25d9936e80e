package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.Quorum;
import io.github.etcdgitops.step.ReplaceStep;
import io.github.etcdgitops.step.Step;
import java.util.ArrayList;
import java.util.List;

/// A member of a ring of `members` whose volume is lost gets a new volume, and with it a new ID and a new
/// data directory: what was on the old one is given up, since the other members have it all. `claimUid`
/// is the claim that is given up, so that a claim made since is never taken for it.
///
/// The member is removed first and added after: while both counted, one more failure could end the ring.
/// Its siblings are not restarted. A ring of three bears no other failure until this has ended, as it did
/// not from the moment the volume was lost.
///
/// A failure leaves the ring without the member, or with a learner in its place; the next run carries on,
/// also where the new volume is lost as well. `learner` is false on servers before 3.4. `asked` is set
/// where somebody must have let it be done.
public record ResetVolume(ClusterRef ref, int ordinal, int members, String claimUid, boolean learner, boolean asked)
        implements Operation {
    @Override
    public String target() {
        return "volume of " + ordinal + " other than " + claimUid;
    }

    @Override
    public Risk risk() {
        return new Quorum(members, members - 1).tolerance() == 0 ? Risk.HIGH : Risk.MEDIUM;
    }

    @Override
    public Consent consent() {
        return asked ? Consent.NEEDED : Consent.GIVEN;
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return "the volume of " + ref.podName(ordinal) + " is lost";
    }

    @Override
    public String summary() {
        return "replace " + ref.podName(ordinal) + " on a new volume";
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<Step>(List.of(
                new ReplaceStep.BeginReplacement(ordinal, claimUid, id()),
                new ReplaceStep.LeadElsewhere(ordinal),
                new Step.BlockEvictions(members),
                new ReplaceStep.RemoveFormer(ordinal),
                new ReplaceStep.FreeVolume(ordinal),
                new ReplaceStep.AddNewcomer(ordinal, learner),
                new Step.WriteJoinConfig(ordinal),
                new Step.AwaitStarted(ordinal),
                new Step.SealMember(ordinal)));
        if (learner) {
            steps.add(new ReplaceStep.PromoteNewcomer(ordinal));
        }
        steps.addAll(List.of(
                new ReplaceStep.AwaitNewcomer(ordinal),
                new Step.AdmitClients(ordinal),
                Step.ApplyObjects.of(ManagedObject.CONNECTION),
                new Step.SetBudget(Budget.of(members)),
                new Step.Finish(ordinal)));
        return List.copyOf(steps);
    }
}
