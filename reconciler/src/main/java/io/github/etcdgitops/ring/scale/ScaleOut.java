package io.github.etcdgitops.ring.scale;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.Budget;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.membership.MemberStep;
import io.github.etcdgitops.ring.membership.ObjectStep;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.Intent;
import java.util.ArrayList;
import java.util.List;

/// Adds one member, at the next free ordinal: as a learner first, as a voter once it has caught up.
///
/// The member gets its own data directory, so a volume retained from an earlier member of that ordinal is
/// no danger. It is sealed before it may vote: a voter never has a file that lets it start on an empty
/// disk.
///
/// From one member to two, the ring needs both from then on. So the risk is higher: two members are a step
/// on the way, not a size to keep.
///
/// A failure leaves at most a learner, which does not count for quorum. The next run continues or, when the
/// spec no longer asks for the member, [ScaleIn] removes it. `learner` is false on servers before 3.4:
/// there the member is a voter from the start, and the ring has less tolerance until it runs.
///
/// `blueprint` is what the new member starts from.
public record ScaleOut(ClusterRef ref, int ordinal, boolean learner, Stage stage, Blueprint blueprint)
        implements Operation {
    public enum Stage {
        NEW,
        /// It failed so often that a person must have looked at it.
        ASKED,
        /// An earlier run has started the join.
        BEGUN,
        /// The same, and its member votes: other members are repaired next, and no step waits for them.
        HURRIED
    }

    public ScaleOut(ClusterRef ref, int ordinal, boolean learner, Blueprint blueprint) {
        this(ref, ordinal, learner, Stage.NEW, blueprint);
    }

    @Override
    public boolean endsWhatWasBegun() {
        return stage == Stage.BEGUN || stage == Stage.HURRIED;
    }

    @Override
    public boolean heals() {
        return stage == Stage.HURRIED;
    }

    @Override
    public Consent consent() {
        return stage == Stage.ASKED ? Consent.NEEDED : Consent.BY_RISK;
    }

    @Override
    public String kind() {
        return "ScaleOut";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Part.SIZE);
    }

    @Override
    public String target() {
        return "members=" + (ordinal + 1);
    }

    @Override
    public Resolved resolved() {
        return Resolved.members(blueprint);
    }

    @Override
    public Risk risk() {
        return learner && ordinal > 1 ? Risk.LOW : Risk.MEDIUM;
    }

    @Override
    public String reason() {
        return "the spec asks for more members than the ring has";
    }

    @Override
    public String summary() {
        return "add " + ref.podName(ordinal) + ": " + ordinal + " → " + (ordinal + 1) + " members";
    }

    @Override
    public List<Step> steps() {
        var steps = new ArrayList<>(learner ? withLearner() : withVoter());
        if (stage == Stage.HURRIED) {
            steps.removeIf(MemberStep.AwaitGreen.class::isInstance);
        }
        return List.copyOf(steps);
    }

    /// The budget counts ready pods, and a learner's pod may be ready. While there is a learner, evictions
    /// must leave one pod more than the voters' quorum.
    private List<Step> withLearner() {
        int members = ordinal + 1;
        return List.of(
                new MemberStep.Begin(Intent.Kind.JOIN, ordinal, id()),
                new MemberStep.AddLearner(ordinal),
                new MemberStep.WriteJoinConfig(ordinal),
                new ObjectStep.SetBudget(Quorum.of(ordinal) + 1),
                new ObjectStep.SetReplicas(members),
                new MemberStep.AwaitStarted(ordinal),
                new MemberStep.SealMember(ordinal),
                new MemberStep.Promote(ordinal),
                new MemberStep.AwaitGreen(),
                new MemberStep.AdmitClients(ordinal),
                ObjectStep.ApplyObjects.of(ManagedObject.CONNECTION),
                new ObjectStep.SetBudget(Budget.of(members)),
                new MemberStep.Finish(Intent.Kind.JOIN));
    }

    private List<Step> withVoter() {
        int members = ordinal + 1;
        return List.of(
                new MemberStep.Begin(Intent.Kind.JOIN, ordinal, id()),
                new ObjectStep.SetBudget(Budget.of(members)),
                new MemberStep.AddVoter(ordinal),
                new MemberStep.WriteJoinConfig(ordinal),
                new ObjectStep.SetReplicas(members),
                new MemberStep.AwaitStarted(ordinal),
                new MemberStep.SealMember(ordinal),
                new MemberStep.AwaitGreen(),
                new MemberStep.AdmitClients(ordinal),
                ObjectStep.ApplyObjects.of(ManagedObject.CONNECTION),
                new MemberStep.Finish(Intent.Kind.JOIN));
    }
}
