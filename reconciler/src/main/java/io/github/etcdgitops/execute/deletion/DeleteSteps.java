package io.github.etcdgitops.execute.deletion;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.membership.Departures;
import io.github.etcdgitops.execute.membership.StopSteps;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.deletion.DeleteStep;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.underway.Leftovers;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// Deletes a ring: client access first, then its members, then the objects around them. Whatever holds
/// data, or is needed to read it again, stays.
public final class DeleteSteps implements StepHandler<DeleteStep> {
    private static final Set<ManagedObject> FOR_MEMBERS =
            EnumSet.of(ManagedObject.PEER_SERVICE, ManagedObject.NETWORK_POLICY, ManagedObject.BUDGET);

    private final StepContext context;
    private final StopSteps stopping;
    private final SameData data;

    public DeleteSteps(StepContext context, StopSteps stopping) {
        this.context = context;
        this.stopping = stopping;
        this.data = new SameData(context);
    }

    @Override
    public Optional<String> alreadySo(DeleteStep step) {
        return switch (step) {
            case DeleteStep.BeginDeletion(String reason, var unused, var volumes) -> begun(reason, volumes);
            case DeleteStep.CutClients _ -> stopping.clientsCut();
            case DeleteStep.CompareMembers _ -> stopping.ended().or(this::compared);
            case DeleteStep.StopMembers _ -> stopping.ended();
            case DeleteStep.AwaitStopped _ -> Optional.empty();
            case DeleteStep.KeepVolumes _ -> kept();
            case DeleteStep.RemoveStatefulSet _ -> stopping.setGone();
            case DeleteStep.RemoveObjects _ -> stopping.gone(FOR_MEMBERS);
            case DeleteStep.FinishDeletion _ ->
                context.journal().intent().isEmpty()
                                && context.journal().past().remains().isPresent()
                        ? Optional.of("journalled")
                        : Optional.empty();
        };
    }

    @Override
    public StepResult act(DeleteStep step) {
        return switch (step) {
            case DeleteStep.BeginDeletion begin -> begin(begin);
            case DeleteStep.CutClients _ -> stopping.cutClients();
            case DeleteStep.CompareMembers _ -> compare();
            case DeleteStep.StopMembers _ -> stopping.stop();
            case DeleteStep.AwaitStopped _ -> stopping.awaitEnded(step.deadline());
            case DeleteStep.KeepVolumes _ -> keep();
            case DeleteStep.RemoveStatefulSet _ -> stopping.removeStatefulSet(step.deadline());
            case DeleteStep.RemoveObjects _ -> stopping.remove(FOR_MEMBERS);
            case DeleteStep.FinishDeletion _ -> finish();
        };
    }

    private Optional<String> begun(String reason, RetainedRing.Volumes volumes) {
        return context.journal()
                .intent()
                .filter(i -> i.kind() == Intent.Kind.DELETE && i.epoch() == context.epoch())
                .flatMap(Intent::remains)
                .filter(r -> r.reason().equals(reason) && r.volumes() == fate(Optional.of(r), volumes))
                .map(_ -> "under way");
    }

    /// Volumes whose deletion has started continue to be deleted. Volumes to retain are retained from now
    /// on, as far as they exist.
    private static RetainedRing.Volumes fate(Optional<RetainedRing> known, RetainedRing.Volumes wanted) {
        return wanted == RetainedRing.Volumes.DOOMED
                        && known.filter(r -> r.volumes() == RetainedRing.Volumes.GOING)
                                .isPresent()
                ? RetainedRing.Volumes.GOING
                : wanted;
    }

    /// What an earlier run found out about the data is still valid: a hash is of one revision. So is a
    /// snapshot, as long as all runs since then asked for one: other runs stop members whatever was written
    /// after it.
    private StepResult begin(DeleteStep.BeginDeletion step) {
        var earlier = context.journal().intent();
        if (earlier.isPresent()) {
            context.outlastEarlierCalls();
            context.refresh();
        }
        var known = earlier.flatMap(Intent::remains);
        var remains = new RetainedRing(
                step.reason(),
                known.map(RetainedRing::since).orElseGet(() -> context.now().truncatedTo(ChronoUnit.SECONDS)),
                known.flatMap(RetainedRing::data),
                fate(known, step.volumes()),
                known.flatMap(RetainedRing::saved).filter(_ -> step.volumes() == RetainedRing.Volumes.DOOMED));
        var intent = Intent.of(Intent.Kind.DELETE, step.operationId(), context.epoch(), remains);
        context.journal(journal -> {
            var begun = journal.withIntent(Optional.of(intent)).withRemains(Optional.empty());
            for (var member : journal.members().entrySet()) {
                begun = begun.withMember(member.getKey(), whole(member.getKey(), member.getValue()));
            }
            return begun;
        });
        return new StepResult.Done(earlier.isPresent() ? "continued" : "journalled");
    }

    /// Adds the claim, where the journal did not name it yet.
    private Journal.Member whole(int ordinal, Journal.Member member) {
        return new Journal.Member(
                member.incarnation(),
                member.id().or(() -> context.member(ordinal).map(MemberState::id)),
                member.claimUid().or(() -> context.claim(ordinal).map(KubeState.ClaimState::uid)));
    }

    private Optional<String> compared() {
        return context.journal().remains().flatMap(RetainedRing::data).map(d -> "hash " + d.hash());
    }

    /// Where etcd offers no hash, the members' health must be enough.
    private StepResult compare() {
        try {
            return switch (data.ofAll()) {
                case SameData.Result.Differs(String why) -> new StepResult.Failed(why);
                case SameData.Result.Same(var found) -> {
                    context.journal(journal -> journal.withIntent(journal.intent()
                            .map(i -> Intent.of(
                                    i.kind(),
                                    i.operationId(),
                                    i.epoch(),
                                    i.remains().orElseThrow().with(found)))));
                    yield new StepResult.Done("hash " + found.hash() + " at revision " + found.revision());
                }
            };
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.UNAUTHORIZED) {
                throw e;
            }
            return new StepResult.Done("not compared: etcd denies access to the data hash");
        }
    }

    private Optional<String> kept() {
        return context.journal().members().keySet().stream()
                        .allMatch(ordinal -> context.claim(ordinal)
                                .filter(KubeState.ClaimState::released)
                                .isPresent())
                ? Optional.of("marked")
                : Optional.empty();
    }

    private StepResult keep() {
        for (int ordinal : context.journal().members().keySet()) {
            context.claim(ordinal).ifPresent(claim -> Departures.mark(context, claim));
        }
        return new StepResult.Done(context.journal().members().size() + " claims are kept");
    }

    private StepResult finish() {
        if (context.journal().intent().flatMap(Intent::remains).isEmpty()) {
            return new StepResult.Held("according to the journal, no deletion is under way");
        }
        context.journal(journal ->
                journal.withRemains(journal.intent().flatMap(Intent::remains)).withIntent(Optional.empty()));
        return new StepResult.Done("the ring is deleted and its volumes are kept; "
                + Leftovers.of(context.ref(), context.state().kube(), context.journal())
                        .afterwards());
    }
}
