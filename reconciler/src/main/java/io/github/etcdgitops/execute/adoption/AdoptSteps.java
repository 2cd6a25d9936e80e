package io.github.etcdgitops.execute.adoption;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.adoption.AdoptStep;
import io.github.etcdgitops.ring.adoption.AdoptionOrder;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;

/// Adopts a running ring, member by member and object by object.
public final class AdoptSteps implements StepHandler<AdoptStep> {
    private final StepContext context;
    private final TemplateRenewal renewal;

    public AdoptSteps(StepContext context) {
        this.context = context;
        this.renewal = new TemplateRenewal(context);
    }

    @Override
    public Optional<String> alreadySo(AdoptStep step) {
        return switch (step) {
            case AdoptStep.OpenAdoption _ -> begun();
            case AdoptStep.AddPeerUrl(int ordinal) -> listed(ordinal);
            case AdoptStep.OrphanPods(AdoptionOrder order) -> orphaned(order);
            case AdoptStep.TakePods _, AdoptStep.RecreateStatefulSet _, AdoptStep.TakeService _ -> Optional.empty();
            case AdoptStep.RenewStatefulSet _ -> renewal.done();
            case AdoptStep.CloseAdoption _ ->
                context.journal().unsettled() ? Optional.empty() : Optional.of("journalled");
        };
    }

    @Override
    public StepResult act(AdoptStep step) {
        return switch (step) {
            case AdoptStep.OpenAdoption(var order, String operationId) -> open(order, operationId);
            case AdoptStep.AddPeerUrl(int ordinal) -> addPeerUrl(ordinal, step.deadline());
            case AdoptStep.OrphanPods(var order) -> orphan(order, step.deadline());
            case AdoptStep.TakePods(var order) -> takePods(order);
            case AdoptStep.RecreateStatefulSet(int size) -> recreate(size, step.deadline());
            case AdoptStep.RenewStatefulSet(int size) -> renewal.renew(size, step.deadline());
            case AdoptStep.TakeService _ -> takeService();
            case AdoptStep.CloseAdoption _ -> close();
        };
    }

    private Optional<String> begun() {
        return context.journalState()
                .map(KubeState.JournalState::journal)
                .flatMap(Journal::intent)
                .filter(i -> i.kind() == Intent.Kind.ADOPT && i.epoch() == context.epoch())
                .map(_ -> "under way");
    }

    /// The facts proven at planning are checked once more before anything is written.
    private StepResult open(AdoptionOrder order, String operationId) {
        var intent = new Intent(Intent.Kind.ADOPT, 0, operationId, context.epoch());
        var unreadable = context.state().kube().journal().unknownReason();
        if (unreadable.isPresent()) {
            return new StepResult.Held("the journal could not be read: " + unreadable.get());
        }
        boolean again = context.journalState().isPresent();
        if (again) {
            context.outlastEarlierCalls();
            context.refresh();
        }
        if (again && orphaned(order).isPresent()) {
            context.journal(journal -> journal.withIntent(Optional.of(intent)));
            return new StepResult.Done("continued");
        }
        var moved = moved(order);
        if (moved.isPresent()) {
            return new StepResult.Held(moved.get());
        }
        // The StatefulSet may have changed since an earlier run stored it, and so may its members.
        context.kube().keepForeign(context.ref(), order.statefulSet(), context.epoch());
        if (again) {
            context.journal(journal -> proven(journal, order).withIntent(Optional.of(intent)));
            return new StepResult.Done("continued");
        }
        var journal = new Journal(
                        context.epoch(),
                        context.ref().namespace() + "-" + context.ref().name() + "-" + context.random(),
                        Optional.of(order.clusterId()),
                        order.applied(),
                        order.members(),
                        Optional.of(intent))
                .withAdopted(new Journal.Adopted(order.claims(), order.statefulSet(), false));
        context.kube().writeJournal(context.ref(), journal, Optional.empty());
        context.refresh();
        return new StepResult.Done("journal created");
    }

    private static Journal proven(Journal journal, AdoptionOrder order) {
        var now = journal.withApplied(order.applied());
        for (var member : order.members().entrySet()) {
            now = now.withMember(member.getKey(), member.getValue());
        }
        return now;
    }

    private Optional<String> moved(AdoptionOrder order) {
        var ring = context.state().ring().optional();
        var same = foreign()
                .filter(f ->
                        f.set().uid().equals(order.statefulSet()) && f.set().still())
                .isPresent();
        if (!same || ring.filter(r -> r.clusterId().equals(order.clusterId())).isEmpty()) {
            return Optional.of("the StatefulSet or the ring is not the one in the plan");
        }
        for (var member : order.members().entrySet()) {
            var id = context.member(member.getKey()).map(m -> m.id());
            if (!id.equals(member.getValue().id())) {
                return Optional.of(context.ref().podName(member.getKey()) + " is not the member in the plan");
            }
        }
        return RingHealth.problems(context.state(), Set.of()).stream().findFirst();
    }

    private Optional<Foreign> foreign() {
        return context.state().knownForeign();
    }

    private Optional<String> listed(int ordinal) {
        return context.member(ordinal)
                .filter(m -> m.peerUrls().containsAll(context.peerUrls(ordinal)))
                .map(_ -> "all members already report it");
    }

    private StepResult addPeerUrl(int ordinal, Duration deadline) {
        var member = context.member(ordinal);
        if (member.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not in the member list");
        }
        var urls = new ArrayList<>(member.get().peerUrls());
        urls.addAll(context.peerUrls(ordinal));
        return context.retry(
                deadline,
                () -> listed(ordinal).isPresent(),
                () -> context.calls()
                        .throughLeader((etcd, route) ->
                                etcd.updatePeerUrls(route, member.get().id(), urls, StepContext.CALL)));
    }

    /// Only a successful reading proves that it is gone.
    private Optional<String> orphaned(AdoptionOrder order) {
        return context.state()
                .kube()
                .statefulSet()
                .optional()
                .filter(set ->
                        set.filter(s -> s.uid().equals(order.statefulSet())).isEmpty())
                .map(_ -> "it is gone");
    }

    /// The journal and every peer URL must exist: from here on a pod may come back under our names.
    private StepResult orphan(AdoptionOrder order, Duration deadline) {
        for (int ordinal : order.members().keySet()) {
            if (listed(ordinal).isEmpty() || context.config(ordinal).isEmpty()) {
                return new StepResult.Held(context.ref().podName(ordinal) + " is not prepared for its new name");
            }
        }
        context.kube().orphan(context.ref(), order.statefulSet());
        return context.until(
                deadline,
                () -> orphaned(order).isPresent() ? Optional.empty() : Optional.of("the StatefulSet still exists"),
                () -> "its pods run without it");
    }

    private StepResult takePods(AdoptionOrder order) {
        if (orphaned(order).isEmpty()) {
            return new StepResult.Held("the StatefulSet still exists, or could not be read");
        }
        var pods = context.state().kube().pods().optional();
        var claims = context.state().kube().claims().optional();
        if (pods.isEmpty() || claims.isEmpty()) {
            return new StepResult.Held("the pods or the claims could not be read");
        }
        for (var member : order.members().entrySet()) {
            int ordinal = member.getKey();
            context.pod(ordinal)
                    .filter(pod -> !pod.terminating())
                    .ifPresent(pod -> context.kube().takePod(context.ref(), ordinal, pod.uid()));
            var claim = context.claim(ordinal)
                    .filter(c -> Optional.of(c.uid()).equals(member.getValue().claimUid()));
            if (claim.isEmpty()) {
                return new StepResult.Held(
                        "the claim of " + context.ref().podName(ordinal) + " is not its former claim");
            }
            context.kube()
                    .takeClaim(context.ref(), claim.get().name(), claim.get().uid());
        }
        return new StepResult.Done(order.size() + " pods and their claims");
    }

    private StepResult recreate(int size, Duration deadline) {
        var set = context.state().kube().statefulSet().optional();
        if (set.isEmpty() || set.get().filter(s -> !s.ours()).isPresent()) {
            return new StepResult.Held("another StatefulSet of this name exists, or it could not be read");
        }
        if (set.get().isEmpty()) {
            context.kube().recreateStatefulSet(context.objectsAtRest(), size);
        }
        return context.until(deadline, () -> missing(size), () -> size + " pods, none of them restarted");
    }

    private Optional<String> missing(int size) {
        var set = context.statefulSet();
        var seen = foreign();
        if (set.filter(s -> s.ours() && s.rollout().settled()).isEmpty() || seen.isEmpty()) {
            return Optional.of("the StatefulSet's controller has not processed the change yet");
        }
        for (int ordinal = 0; ordinal < size; ordinal++) {
            var pod = Optional.ofNullable(seen.get().pods().get(ordinal));
            if (pod.flatMap(Foreign.Pod::controller)
                    .filter(set.get().uid()::equals)
                    .isEmpty()) {
                return Optional.of(
                        "the StatefulSet has not adopted " + context.ref().podName(ordinal) + " yet");
            }
        }
        return Optional.empty();
    }

    private StepResult takeService() {
        context.kube().takeService(context.ref());
        return new StepResult.Done("labelled");
    }

    private StepResult close() {
        context.journal(journal -> journal.past()
                .adopted()
                .map(a -> journal.withAdopted(new Journal.Adopted(a.claims(), a.statefulSet(), true)))
                .orElse(journal));
        return new StepResult.Done("journalled");
    }
}
