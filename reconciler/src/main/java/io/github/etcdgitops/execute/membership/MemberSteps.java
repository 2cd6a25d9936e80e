package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.membership.MemberStep;
import java.util.Optional;

/// Handles the steps of members that join and leave.
public record MemberSteps(StepContext context, IntentSteps intents, JoinSteps joining, LeaveSteps leaving)
        implements StepHandler<MemberStep> {
    @Override
    public Optional<String> alreadySo(MemberStep step) {
        return switch (step) {
            case MemberStep.Begin(var kind, int ordinal, var unused) -> intents.begun(kind, ordinal);
            case MemberStep.AddLearner(int ordinal) -> joining.isMember(ordinal);
            case MemberStep.AddVoter(int ordinal) -> joining.isMember(ordinal);
            case MemberStep.WriteJoinConfig(int ordinal) -> joining.joinConfigWritten(ordinal);
            case MemberStep.SealMember(int ordinal) -> joining.sealed(ordinal);
            case MemberStep.Promote(int ordinal) -> joining.votes(ordinal);
            case MemberStep.AdmitClients(int ordinal) -> joining.admitted(ordinal);
            case MemberStep.YieldLeadership(int ordinal) -> leaving.followsAlready(ordinal);
            case MemberStep.RemoveMember(int ordinal, var unused) -> context.isNoMember(ordinal);
            case MemberStep.ReleaseMember(int ordinal, var unused) -> leaving.released(ordinal);
            case MemberStep.Finish(var kind) -> intents.finished(kind);
            case MemberStep.AwaitStarted _, MemberStep.AwaitGreen _, MemberStep.AwaitPodGone _ -> Optional.empty();
        };
    }

    @Override
    public StepResult act(MemberStep step) {
        return switch (step) {
            case MemberStep.Begin(var kind, int ordinal, String operationId) ->
                intents.begin(kind, ordinal, operationId);
            case MemberStep.AddLearner(int ordinal) -> joining.add(ordinal, true, step.deadline());
            case MemberStep.AddVoter(int ordinal) -> joining.add(ordinal, false, step.deadline());
            case MemberStep.WriteJoinConfig(int ordinal) -> joining.writeJoinConfig(ordinal);
            case MemberStep.AwaitStarted(int ordinal) -> joining.awaitStarted(ordinal, step.deadline());
            case MemberStep.SealMember(int ordinal) -> joining.seal(ordinal);
            case MemberStep.Promote(int ordinal) -> joining.promote(ordinal, step.deadline());
            case MemberStep.AdmitClients(int ordinal) -> joining.admit(ordinal);
            case MemberStep.AwaitGreen _ -> joining.awaitGreen(step.deadline());
            case MemberStep.YieldLeadership(int ordinal) -> leaving.yieldLeadership(ordinal, step.deadline());
            case MemberStep.RemoveMember(int ordinal, var unused) -> leaving.remove(ordinal, step.deadline());
            case MemberStep.AwaitPodGone(int ordinal) -> leaving.awaitPodGone(ordinal, step.deadline());
            case MemberStep.ReleaseMember(int ordinal, boolean copy) -> leaving.release(ordinal, copy, step.deadline());
            case MemberStep.Finish _ -> intents.finish();
        };
    }
}
