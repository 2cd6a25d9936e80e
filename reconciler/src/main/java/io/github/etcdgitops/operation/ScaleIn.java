package io.github.etcdgitops.operation;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.spec.Risk;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.Quorum;
import io.github.etcdgitops.step.Step;
import java.util.List;

/// One member less: always the highest ordinal, as a number. Also backs out a join that the spec no
/// longer asks for.
///
/// The member is removed from the ring before its pod goes, never the other way round: a pod that is gone
/// while its member still counts costs tolerance. Its volume is kept.
///
/// `backsOut` is set when a join or departure under way is ended: then the leaving member itself need not
/// be well.
///
/// A failure between removal and shrinking leaves a pod whose process exits at once; the next run
/// shrinks.
public record ScaleIn(ClusterRef ref, int ordinal, boolean backsOut) implements Operation {
    @Override
    public String target() {
        return "members=" + ordinal;
    }

    @Override
    public Risk risk() {
        return new Quorum(ordinal, ordinal).tolerance() == 0 ? Risk.HIGH : Risk.MEDIUM;
    }

    @Override
    public String reason() {
        return backsOut
                ? "a change of members was begun and is to be ended here"
                : "the spec asks for fewer members than the ring has";
    }

    @Override
    public String summary() {
        return "remove " + ref.podName(ordinal) + ": " + (ordinal + 1) + " → " + ordinal + " members";
    }

    /// What has been begun is ended in any case.
    @Override
    public boolean needsBackup() {
        return !backsOut;
    }

    @Override
    public boolean endsWhatWasBegun() {
        return backsOut;
    }

    @Override
    public List<Step> steps() {
        return List.of(
                new Step.Begin(Intent.Kind.LEAVE, ordinal, id()),
                new Step.YieldLeadership(ordinal),
                new Step.BlockEvictions(ordinal + 1),
                new Step.RemoveMember(ordinal, backsOut),
                new Step.SetReplicas(ordinal),
                Step.ApplyObjects.of(ManagedObject.CONNECTION),
                new Step.AwaitPodGone(ordinal),
                new Step.ReleaseMember(ordinal),
                new Step.SetBudget(Budget.of(ordinal)),
                new Step.AwaitGreen(),
                new Step.Finish(ordinal));
    }
}
