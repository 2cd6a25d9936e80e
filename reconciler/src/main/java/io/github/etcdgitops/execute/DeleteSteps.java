package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Leftovers;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberState;
import io.github.etcdgitops.state.Remains;
import io.github.etcdgitops.step.DeleteStep;
import io.github.etcdgitops.step.StepResult;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A ring goes: its clients first, then its members, then what was around them. What holds data, and what
/// it takes to read it again, stays.
final class DeleteSteps implements StepHandler<DeleteStep> {
    private static final Set<ManagedObject> FOR_CLIENTS =
            EnumSet.of(ManagedObject.CLIENT_SERVICE, ManagedObject.CONNECTION);
    private static final Set<ManagedObject> FOR_MEMBERS =
            EnumSet.of(ManagedObject.PEER_SERVICE, ManagedObject.NETWORK_POLICY, ManagedObject.BUDGET);

    private final StepContext context;
    private final SameData data;

    DeleteSteps(StepContext context) {
        this.context = context;
        this.data = new SameData(context);
    }

    @Override
    public Optional<String> alreadySo(DeleteStep step) {
        return switch (step) {
            case DeleteStep.BeginDeletion(String reason, var unused, var volumes) -> begun(reason, volumes);
            case DeleteStep.CutClients _ -> clientsCut();
            case DeleteStep.CompareMembers _ -> ended().or(this::compared);
            case DeleteStep.StopMembers _ -> ended();
            case DeleteStep.AwaitStopped _ -> Optional.empty();
            case DeleteStep.KeepVolumes _ -> kept();
            case DeleteStep.RemoveStatefulSet _ -> setGone();
            case DeleteStep.RemoveObjects _ -> gone(FOR_MEMBERS);
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
            case DeleteStep.CutClients _ -> cutClients();
            case DeleteStep.CompareMembers _ -> compare();
            case DeleteStep.StopMembers _ -> stop();
            case DeleteStep.AwaitStopped _ -> awaitStopped(step.deadline());
            case DeleteStep.KeepVolumes _ -> keep();
            case DeleteStep.RemoveStatefulSet _ -> removeStatefulSet(step.deadline());
            case DeleteStep.RemoveObjects _ -> remove(FOR_MEMBERS);
            case DeleteStep.FinishDeletion _ -> finish();
        };
    }

    private Optional<String> begun(String reason, Remains.Volumes volumes) {
        return context.journal()
                .intent()
                .filter(i -> i.kind() == Intent.Kind.DELETE && i.epoch() == context.epoch())
                .flatMap(Intent::remains)
                .filter(r -> r.reason().equals(reason) && r.volumes() == fate(Optional.of(r), volumes))
                .map(_ -> "under way");
    }

    /// What is about to go goes on going; what shall be kept is kept from now on, as far as it is there.
    private static Remains.Volumes fate(Optional<Remains> known, Remains.Volumes wanted) {
        return wanted == Remains.Volumes.DOOMED
                        && known.filter(r -> r.volumes() == Remains.Volumes.GOING)
                                .isPresent()
                ? Remains.Volumes.GOING
                : wanted;
    }

    /// What an earlier run has found out of the data holds still: a hash is of one revision. So does a
    /// snapshot, as long as all runs since have wanted one: others end members whatever was written
    /// after it.
    private StepResult begin(DeleteStep.BeginDeletion step) {
        var earlier = context.journal().intent();
        if (earlier.isPresent()) {
            context.outlastEarlierCalls();
            context.refresh();
        }
        var known = earlier.flatMap(Intent::remains);
        var remains = new Remains(
                step.reason(),
                known.map(Remains::since).orElseGet(() -> context.now().truncatedTo(ChronoUnit.SECONDS)),
                known.flatMap(Remains::data),
                fate(known, step.volumes()),
                known.flatMap(Remains::saved).filter(_ -> step.volumes() == Remains.Volumes.DOOMED));
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

    /// With the claim, where the journal did not name it so far.
    private Journal.Member whole(int ordinal, Journal.Member member) {
        return new Journal.Member(
                member.incarnation(),
                member.id().or(() -> context.member(ordinal).map(MemberState::id)),
                member.claimUid().or(() -> context.claim(ordinal).map(KubeState.ClaimState::uid)));
    }

    private Optional<String> gone(Set<ManagedObject> objects) {
        return context.state()
                .kube()
                .objects()
                .live()
                .optional()
                .map(Map::keySet)
                .filter(there -> there.stream().noneMatch(objects::contains))
                .map(_ -> "gone");
    }

    Optional<String> clientsCut() {
        return gone(FOR_CLIENTS);
    }

    StepResult cutClients() {
        return remove(FOR_CLIENTS);
    }

    Optional<String> setGone() {
        return context.state().kube().statefulSet().optional().isPresent()
                        && context.statefulSet().isEmpty()
                ? Optional.of("it is gone")
                : Optional.empty();
    }

    private StepResult remove(Set<ManagedObject> objects) {
        objects.forEach(object -> context.kube().delete(object, context.ref(), context.epoch()));
        return context.until(
                Duration.ofMinutes(1),
                () -> gone(objects).isPresent() ? Optional.empty() : Optional.of("some of them are still there"),
                () -> "deleted");
    }

    private Optional<String> compared() {
        return context.journal().remains().flatMap(Remains::data).map(d -> "hash " + d.hash());
    }

    /// Where etcd lets nobody ask for a hash, the members' health has to do.
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
            return new StepResult.Done("not compared: etcd allows no comparison");
        }
    }

    Optional<String> ended() {
        boolean known = context.state().kube().statefulSet().optional().isPresent();
        return known && context.statefulSet().filter(s -> s.replicas() > 0).isEmpty()
                ? Optional.of("they are ended")
                : Optional.empty();
    }

    StepResult stop() {
        var expected = context.statefulSet().orElseThrow(() -> new Fenced("the StatefulSet is gone"));
        context.kube().setReplicas(context.ref(), expected, 0, context.epoch());
        return new StepResult.Done(expected.replicas() + " → 0 replicas");
    }

    private StepResult awaitStopped(Duration deadline) {
        return context.until(
                deadline,
                () -> context.state()
                                .kube()
                                .pods()
                                .optional()
                                .filter(Map::isEmpty)
                                .isPresent()
                        ? Optional.empty()
                        : Optional.of("some pod is still there, or they could not be read"),
                () -> "gone");
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
            context.claim(ordinal).ifPresent(c -> context.kube().markClaim(context.ref(), c.name(), c.uid(), true));
        }
        return new StepResult.Done(context.journal().members().size() + " claims are kept");
    }

    /// What it owns is let go of, not deleted: whoever made the claims its own has them still.
    StepResult removeStatefulSet(Duration deadline) {
        context.statefulSet()
                .filter(s -> !s.terminating())
                .ifPresent(s -> context.volumes().orphan(context.ref(), s, context.epoch()));
        return context.until(
                deadline,
                () -> context.state().kube().statefulSet().optional().isPresent()
                                && context.statefulSet().isEmpty()
                        ? Optional.empty()
                        : Optional.of("the StatefulSet still exists"),
                () -> "deleted");
    }

    private StepResult finish() {
        if (context.journal().intent().flatMap(Intent::remains).isEmpty()) {
            return new StepResult.Held("the journal does not say that a deletion is under way");
        }
        context.journal(journal ->
                journal.withRemains(journal.intent().flatMap(Intent::remains)).withIntent(Optional.empty()));
        return new StepResult.Done("the ring is deleted and its volumes are kept; "
                + Leftovers.of(context.ref(), context.state().kube(), context.journal())
                        .afterwards());
    }
}
