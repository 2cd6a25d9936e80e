package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.PodStartWait;
import io.github.etcdgitops.execute.Since;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.execute.membership.JoinSteps;
import io.github.etcdgitops.execute.membership.LeaveSteps;
import io.github.etcdgitops.execute.membership.PeerReports;
import io.github.etcdgitops.execute.roll.Renewals;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.repair.ReplaceStep;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/// Replaces a member: the former one is removed, its claim and pod are recreated, and the new one joins
/// like any other.
public final class ReplaceSteps implements StepHandler<ReplaceStep> {
    private final StepContext context;
    private final JoinSteps joining;
    private final LeaveSteps leaving;
    private final DivergedMembers odd;
    private final ReplacementStart start;
    private final PodTries podTries;

    public ReplaceSteps(StepContext context, JoinSteps joining, LeaveSteps leaving) {
        this.context = context;
        this.joining = joining;
        this.leaving = leaving;
        this.odd = new DivergedMembers(context);
        this.start = new ReplacementStart(context, odd);
        this.podTries = new PodTries(context);
    }

    @Override
    public Optional<String> alreadySo(ReplaceStep step) {
        return switch (step) {
            case ReplaceStep.BeginReplacement(var claims, var unused) -> start.begun(claims);
            case ReplaceStep.LeadElsewhere(int ordinal) -> leaving.followsAlready(ordinal);
            case ReplaceStep.RemoveFormer(int ordinal) -> removed(ordinal);
            case ReplaceStep.DisarmCorrupt _ -> odd.disarmed();
            case ReplaceStep.LowerPartition(int ordinal) -> new Renewals(context).lowered(ordinal);
            case ReplaceStep.FreeVolume(int ordinal) -> freed(ordinal);
            case ReplaceStep.AddNewcomer(int ordinal, var unused) -> joining.isMember(ordinal);
            case ReplaceStep.RenewPod(int ordinal) -> podTries.untried(ordinal);
            case ReplaceStep.PromoteNewcomer(int ordinal) -> joining.votes(ordinal);
            case ReplaceStep.AwaitNewcomer _ -> Optional.empty();
        };
    }

    @Override
    public StepResult act(ReplaceStep step) {
        return switch (step) {
            case ReplaceStep.BeginReplacement(var claims, String operationId) -> start.begin(claims, operationId);
            case ReplaceStep.LeadElsewhere(int ordinal) -> leaving.yieldLeadership(ordinal, step.deadline());
            case ReplaceStep.RemoveFormer(int ordinal) -> remove(ordinal, step.deadline());
            case ReplaceStep.DisarmCorrupt _ -> odd.disarm(step.deadline());
            case ReplaceStep.LowerPartition(int ordinal) -> new Renewals(context).lower(ordinal, step.deadline());
            case ReplaceStep.FreeVolume(int ordinal) -> free(ordinal, step.deadline());
            case ReplaceStep.AddNewcomer(int ordinal, boolean learner) ->
                joining.add(ordinal, learner, step.deadline());
            case ReplaceStep.RenewPod(int ordinal) -> podTries.renew(ordinal, step.deadline());
            case ReplaceStep.PromoteNewcomer(int ordinal) -> joining.promote(ordinal, step.deadline());
            case ReplaceStep.AwaitNewcomer(int ordinal) -> awaitNewcomer(ordinal, step.deadline());
        };
    }

    private Intent.Former former(int ordinal) {
        return context.journal()
                .replacement()
                .flatMap(r -> Optional.ofNullable(r.formers().get(ordinal)))
                .orElseThrow(() -> new Fenced("the journal no longer names this replacement"));
    }

    /// Only a successful reading proves that it is gone.
    private Optional<String> removed(int ordinal) {
        EtcdId former = former(ordinal).member();
        return context.state()
                .ring()
                .optional()
                .filter(ring -> ring.members().stream().noneMatch(m -> m.id().equals(former)))
                .map(_ -> "it is not a member");
    }

    private StepResult remove(int ordinal, Duration deadline) {
        EtcdId former = former(ordinal).member();
        var all =
                context.journal().replacement().map(Intent.Replacement::formers).orElseGet(TreeMap::new);
        var refuted = former(ordinal).why() == Intent.Why.DIVERGED
                ? odd.refuted(DivergedMembers.differing(all))
                : odd.undecided(all).or(() -> new PeerReports(context).doubt(ordinal));
        return refuted.<StepResult>map(StepResult.Held::new).orElseGet(() -> removeNow(ordinal, former, deadline));
    }

    private StepResult removeNow(int ordinal, EtcdId former, Duration deadline) {
        var attempts = new AtomicInteger();
        return context.retry(
                deadline,
                () -> removed(ordinal).isPresent(),
                () -> context.calls()
                        .throughLeaderOrOthers(
                                attempts.incrementAndGet(),
                                (etcd, route) -> etcd.removeMember(route, former, StepContext.CALL)));
    }

    private Optional<String> freed(int ordinal) {
        return notFreed(ordinal).isEmpty() ? Optional.of("the claim was replaced") : Optional.empty();
    }

    private Optional<String> notFreed(int ordinal) {
        var unreadable = unreadable(context.state());
        if (unreadable.isPresent()) {
            return unreadable;
        }
        var claim = context.claim(ordinal);
        String name = claim.map(KubeState.ClaimState::name).orElse("the claim");
        if (claim.isEmpty() || claim.get().terminating() || isFormer(ordinal, claim.get())) {
            return Optional.of(name + " was not recreated yet");
        }
        return context.pod(ordinal).filter(p -> !p.terminating()).isPresent()
                ? Optional.empty()
                : Optional.of(context.ref().podName(ordinal) + " was not recreated yet");
    }

    private static Optional<String> unreadable(ClusterState state) {
        return state.kube()
                .claims()
                .unknownReason()
                .or(() -> state.kube().pods().unknownReason())
                .map(why -> "the objects could not be read: " + why);
    }

    private boolean isFormer(int ordinal, KubeState.ClaimState claim) {
        return claim.uid().equals(former(ordinal).claimUid());
    }

    /// A claim stays as long as a pod uses it, and a pod created during its deletion may never get another
    /// one (kubernetes/kubernetes#74374): then that pod is deleted once more. A pod on an unreachable node
    /// never confirms its end: the next plan offers a way out.
    private StepResult free(int ordinal, Duration deadline) {
        var without = new Since(context);
        var stranded = new Since(context);
        var missing = context.await(deadline, () -> {
            var left = notFreed(ordinal);
            if (left.isPresent() && unreadable(context.state()).isEmpty()) {
                push(ordinal, without);
            }
            return stranded.over(where(ordinal).isPresent()) ? Optional.empty() : left;
        });
        var silent = where(ordinal);
        if (silent.isPresent()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " remains on " + silent.get()
                    + ", which does not report. The next plan offers to release the pod");
        }
        return missing.<StepResult>map(StepResult.Failed::new)
                .orElseGet(() -> new StepResult.Done("its claim is "
                        + context.claim(ordinal).map(KubeState.ClaimState::uid).orElse("gone")));
    }

    /// The unreachable node that its pod must leave.
    private Optional<String> where(int ordinal) {
        return context.pod(ordinal)
                .filter(KubeState.PodState::stranded)
                .flatMap(pod -> pod.life().whereabouts().host())
                .map(Host::name);
    }

    private void push(int ordinal, Since without) {
        var claim = context.claim(ordinal);
        boolean former = claim.filter(c -> isFormer(ordinal, c)).isPresent();
        claim.filter(c -> former && !c.terminating())
                .ifPresent(c -> context.volumes().deleteClaim(context.ref(), c.name(), c.uid()));
        boolean forgotten = without.over(claim.isEmpty());
        context.pod(ordinal)
                .filter(p -> !p.terminating() && (former || forgotten))
                .ifPresent(p -> {
                    context.deletePod(ordinal, p.uid());
                    without.over(false);
                });
    }

    private StepResult awaitNewcomer(int ordinal, Duration deadline) {
        return new PodStartWait(context, List.of(ordinal))
                .await(deadline, () -> {
                    var member = context.member(ordinal).filter(m -> !m.learner() && m.answers());
                    var pod = context.pod(ordinal).filter(KubeState.PodState::ready);
                    return member.isPresent() && pod.isPresent()
                            ? Optional.empty()
                            : Optional.of(context.ref().podName(ordinal) + " is not a voter that answers yet");
                })
                .<StepResult>map(StepResult.Failed::new)
                .orElseGet(() -> new StepResult.Done("it is a voter"));
    }
}
