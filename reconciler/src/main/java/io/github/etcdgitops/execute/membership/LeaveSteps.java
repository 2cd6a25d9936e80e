package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.underway.JoinAttempts;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Removes a member: its leadership first, then its membership, then its pod. Its data stays.
public final class LeaveSteps {
    private final StepContext context;

    public LeaveSteps(StepContext context) {
        this.context = context;
    }

    public Optional<String> followsAlready(int ordinal) {
        var leader = context.state().ring().optional().flatMap(r -> r.leader());
        return context.member(ordinal)
                .map(MemberState::id)
                .map(id -> leader.isPresent() && !leader.get().equals(id))
                .filter(follows -> follows)
                .map(_ -> "it does not lead")
                .or(() -> context.isNoMember(ordinal));
    }

    public StepResult yieldLeadership(int ordinal, Duration deadline) {
        return moveLeadership(
                deadline,
                () -> followsAlready(ordinal).isPresent(),
                () -> newest(
                        m -> m.ordinal(context.ref()).filter(o -> o != ordinal).isPresent()));
    }

    /// Waits until the leader is known and is none of these.
    public StepResult leadInsteadOf(Set<EtcdId> wrong, Duration deadline) {
        return moveLeadership(
                deadline,
                () -> context.state()
                        .ring()
                        .optional()
                        .flatMap(RingState::leader)
                        .filter(leader -> !wrong.contains(leader))
                        .isPresent(),
                () -> newest(m -> !wrong.contains(m.id())));
    }

    private Optional<EtcdId> newest(Predicate<MemberState> candidate) {
        return context.state().ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .filter(MemberState::answers)
                .filter(candidate)
                .min((a, b) -> Long.compare(applied(b), applied(a)))
                .map(MemberState::id);
    }

    /// `target` is chosen again at each try.
    public StepResult moveLeadership(Duration deadline, BooleanSupplier done, Supplier<Optional<EtcdId>> target) {
        return context.retry(deadline, done, () -> {
            var next = target.get();
            if (next.isEmpty()) {
                throw new GatewayException(GatewayException.Kind.REJECTED, false, "no other voter can lead");
            }
            context.calls().throughLeader((etcd, route) -> etcd.moveLeader(route, next.get(), StepContext.CALL));
        });
    }

    StepResult remove(int ordinal, Duration deadline) {
        var id = context.member(ordinal).map(MemberState::id);
        if (id.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not in the member list");
        }
        var attempts = new AtomicInteger();
        return context.retry(
                deadline,
                () -> context.isNoMember(ordinal).isPresent(),
                () -> context.calls()
                        .throughLeaderOrOthers(
                                attempts.incrementAndGet(),
                                (etcd, route) -> etcd.removeMember(route, id.get(), StepContext.CALL)));
    }

    /// On an unreachable node nothing confirms that the pod has ended: the next plan offers a way out.
    StepResult awaitPodGone(int ordinal, Duration deadline) {
        var missing = context.await(
                deadline,
                () -> context.state().kube().pods().isKnown()
                                && (context.pod(ordinal).isEmpty() || stranded(ordinal))
                        ? Optional.empty()
                        : Optional.of("the pod still exists"));
        if (missing.isPresent()) {
            return new StepResult.Failed(missing.get());
        }
        return stranded(ordinal)
                ? new StepResult.Held(context.ref().podName(ordinal)
                        + " remains on a node that does not report. The next plan offers to release the pod")
                : new StepResult.Done("gone");
    }

    private boolean stranded(int ordinal) {
        return context.pod(ordinal).filter(KubeState.PodState::stranded).isPresent();
    }

    Optional<String> released(int ordinal) {
        boolean marked =
                context.claim(ordinal).map(KubeState.ClaimState::released).orElse(true);
        return context.config(ordinal).isEmpty()
                        && marked
                        && !context.journal().members().containsKey(ordinal)
                ? Optional.of("released")
                : Optional.empty();
    }

    /// A volume that came with a cancelled join holds only a copy of the other members' data.
    StepResult release(int ordinal, boolean copy, Duration deadline) {
        if (context.isNoMember(ordinal).isEmpty()) {
            return new StepResult.Held(
                    context.ref().podName(ordinal) + " is still a member, or the member list could not be read");
        }
        context.kube().writeMemberConfig(context.objectsAtRest(), ordinal, Optional.empty());
        boolean deletes = copy && JoinAttempts.hasCopy(context.state(), ordinal);
        var left = deletes ? deleted(ordinal, deadline) : Optional.<String>empty();
        if (left.isPresent()) {
            return new StepResult.Failed(left.get());
        }
        context.claim(ordinal).ifPresent(claim -> Departures.mark(context, claim));
        context.journal(journal -> journal.withoutMember(ordinal));
        return new StepResult.Done(deletes ? "its volume is deleted" : "its volume is kept");
    }

    private Optional<String> deleted(int ordinal, Duration deadline) {
        context.claim(ordinal)
                .filter(claim -> claim.ours() && !claim.terminating())
                .ifPresent(claim -> context.volumes().deleteClaim(context.ref(), claim.name(), claim.uid()));
        return context.await(
                deadline, () -> context.claim(ordinal).map(claim -> "the claim " + claim.name() + " still exists"));
    }

    private static long applied(MemberState member) {
        return member.status().optional().map(MemberState.Status::appliedIndex).orElse(0L);
    }
}
