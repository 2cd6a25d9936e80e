package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.EtcdId;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberState;
import io.github.etcdgitops.step.ReplaceStep;
import io.github.etcdgitops.step.StepResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// A member's place is given to a new one: the former is removed, its claim and pod are made anew, and
/// the new one joins as any other does.
final class ReplaceSteps {
    /// A controller that is about to make the claim does so within moments.
    private static final Duration FORGOTTEN = Duration.ofSeconds(15);

    private final StepContext context;
    private final JoinSteps joining;
    private final LeaveSteps leaving;

    ReplaceSteps(StepContext context, JoinSteps joining, LeaveSteps leaving) {
        this.context = context;
        this.joining = joining;
        this.leaving = leaving;
    }

    Optional<String> alreadySo(ReplaceStep step) {
        return switch (step) {
            case ReplaceStep.BeginReplacement(int ordinal, String claimUid, var unused) -> begun(ordinal, claimUid);
            case ReplaceStep.LeadElsewhere(int ordinal) -> leaving.followsAlready(ordinal);
            case ReplaceStep.RemoveFormer _ -> removed();
            case ReplaceStep.FreeVolume(int ordinal) -> freed(ordinal);
            case ReplaceStep.AddNewcomer(int ordinal, var unused) -> joining.isMember(ordinal);
            case ReplaceStep.PromoteNewcomer(int ordinal) -> joining.votes(ordinal);
            case ReplaceStep.AwaitNewcomer _ -> Optional.empty();
        };
    }

    StepResult act(ReplaceStep step) {
        return switch (step) {
            case ReplaceStep.BeginReplacement(int ordinal, String claimUid, String operationId) ->
                begin(ordinal, claimUid, operationId);
            case ReplaceStep.LeadElsewhere(int ordinal) -> leaving.yieldLeadership(ordinal, step.deadline());
            case ReplaceStep.RemoveFormer _ -> remove(step.deadline());
            case ReplaceStep.FreeVolume(int ordinal) -> free(ordinal, step.deadline());
            case ReplaceStep.AddNewcomer(int ordinal, boolean learner) ->
                joining.add(ordinal, learner, step.deadline());
            case ReplaceStep.PromoteNewcomer(int ordinal) -> joining.promote(ordinal, step.deadline());
            case ReplaceStep.AwaitNewcomer(int ordinal) -> awaitNewcomer(ordinal, step.deadline());
        };
    }

    private Optional<String> begun(int ordinal, String claimUid) {
        return context.journal()
                .intent()
                .filter(i -> i.ordinal() == ordinal && i.epoch() == context.epoch())
                .flatMap(Intent::replacement)
                .filter(r -> r.claimUid().equals(claimUid))
                .map(_ -> "under way");
    }

    /// Where the volume of the new member is lost as well, that one is the former from now on.
    private StepResult begin(int ordinal, String claimUid, String operationId) {
        if (context.journal().intent().isPresent()) {
            context.outlast(StepContext.CALL);
            context.refresh();
        }
        var earlier = context.journal().replacement();
        if (earlier.filter(r -> r.claimUid().equals(claimUid)).isPresent()) {
            journal(ordinal, operationId, earlier.get(), false);
            return new StepResult.Done("carried on");
        }
        var former = context.member(ordinal).map(MemberState::id).or(() -> earlier.map(Intent.Replacement::member));
        if (former.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not in the member list");
        }
        journal(ordinal, operationId, new Intent.Replacement(former.get(), claimUid), true);
        return new StepResult.Done("journalled");
    }

    private void journal(int ordinal, String operationId, Intent.Replacement replacement, boolean anew) {
        var intent = new Intent(Intent.Kind.REPLACE, ordinal, operationId, context.epoch(), Optional.of(replacement));
        var newcomer = context.newMember();
        context.journal(journal -> {
            var begun = journal.withIntent(Optional.of(intent));
            return anew ? begun.withMember(ordinal, newcomer) : begun;
        });
    }

    private Intent.Replacement replacement() {
        return context.journal()
                .replacement()
                .orElseThrow(() -> new Fenced("the journal says nothing of a replacement any more"));
    }

    /// Only what could be read proves that it is gone.
    private Optional<String> removed() {
        EtcdId former = replacement().member();
        return context.state()
                .ring()
                .optional()
                .filter(ring -> ring.members().stream().noneMatch(m -> m.id().equals(former)))
                .map(_ -> "it is no member");
    }

    private StepResult remove(Duration deadline) {
        EtcdId former = replacement().member();
        var attempts = new AtomicInteger();
        return context.retry(
                deadline,
                () -> removed().isPresent(),
                () -> context.calls()
                        .throughLeaderOrOthers(
                                attempts.incrementAndGet(),
                                (etcd, route) -> etcd.removeMember(route, former, StepContext.CALL)));
    }

    private Optional<String> freed(int ordinal) {
        return notFreed(ordinal).isEmpty() ? Optional.of("the claim is another one") : Optional.empty();
    }

    private Optional<String> notFreed(int ordinal) {
        var unreadable = unreadable(context.state());
        if (unreadable.isPresent()) {
            return unreadable;
        }
        var claim = context.claim(ordinal);
        String name = claim.map(KubeState.ClaimState::name).orElse("the claim");
        if (claim.isEmpty() || claim.get().terminating() || isFormer(claim.get())) {
            return Optional.of(name + " was not made anew yet");
        }
        return context.pod(ordinal).filter(p -> !p.terminating()).isPresent()
                ? Optional.empty()
                : Optional.of(context.ref().podName(ordinal) + " was not made anew yet");
    }

    private static Optional<String> unreadable(ClusterState state) {
        return state.kube()
                .claims()
                .unknownReason()
                .or(() -> state.kube().pods().unknownReason())
                .map(why -> "what is there could not be read: " + why);
    }

    private boolean isFormer(KubeState.ClaimState claim) {
        return claim.uid().equals(replacement().claimUid());
    }

    /// A claim stays for as long as a pod has it, and a pod that was made while it went may never get
    /// another one (kubernetes/kubernetes#74374): then that pod is deleted once more.
    private StepResult free(int ordinal, Duration deadline) {
        var without = new Since();
        return context.until(
                deadline,
                () -> {
                    var missing = notFreed(ordinal);
                    if (missing.isPresent() && unreadable(context.state()).isEmpty()) {
                        push(ordinal, without);
                    }
                    return missing;
                },
                () -> "its claim is "
                        + context.claim(ordinal).map(KubeState.ClaimState::uid).orElse("gone"));
    }

    private void push(int ordinal, Since without) {
        var claim = context.claim(ordinal);
        boolean former = claim.filter(this::isFormer).isPresent();
        claim.filter(c -> former && !c.terminating())
                .ifPresent(c -> context.volumes().deleteClaim(context.ref(), c.name(), c.uid()));
        boolean forgotten = without.over(claim.isEmpty());
        context.pod(ordinal)
                .filter(p -> !p.terminating() && (former || forgotten))
                .ifPresent(p -> {
                    context.kube().deletePod(context.ref(), ordinal, p.uid());
                    without.over(false);
                });
    }

    private final class Since {
        private Optional<Instant> since = Optional.empty();

        boolean over(boolean so) {
            since = so ? since.or(() -> Optional.of(context.now())) : Optional.empty();
            return since.filter(s -> !context.now().isBefore(s.plus(FORGOTTEN))).isPresent();
        }
    }

    private StepResult awaitNewcomer(int ordinal, Duration deadline) {
        return context.until(
                deadline,
                () -> {
                    var member = context.member(ordinal).filter(m -> !m.learner() && m.answers());
                    var pod = context.pod(ordinal).filter(KubeState.PodState::ready);
                    return member.isPresent() && pod.isPresent()
                            ? Optional.empty()
                            : Optional.of(context.ref().podName(ordinal) + " does not vote and answer yet");
                },
                () -> "it votes");
    }
}
