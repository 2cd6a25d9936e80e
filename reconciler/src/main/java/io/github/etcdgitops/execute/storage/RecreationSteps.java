package io.github.etcdgitops.execute.storage;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Recreates the StatefulSet around its running pods. While there is none, the journal says what it is
/// created from, and a run that finds that continues there.
final class RecreationSteps {
    private final StepContext context;

    RecreationSteps(StepContext context) {
        this.context = context;
    }

    Optional<String> begun(Storage storage, String operationId) {
        return context.journal()
                .intent()
                .filter(i -> i.epoch() == context.epoch() && i.operationId().equals(operationId))
                .flatMap(Intent::recreation)
                .filter(r -> r.storage().isAsLargeAs(storage))
                .map(_ -> "under way");
    }

    /// Nothing is deleted that could not be created again: the template is found first.
    StepResult begin(Storage storage, String operationId) {
        var set = context.statefulSet().orElseThrow(() -> new Fenced("the StatefulSet is gone"));
        String revision = set.rollout().currentRevision();
        if (!set.rollout().settled() || set.rollout().inProgress()) {
            return new StepResult.Held("the StatefulSet is rolling");
        }
        if (!context.volumes().keepsTemplate(context.ref(), revision)) {
            return new StepResult.Held(
                    "the ControllerRevision " + revision + " with the pods' template cannot be found");
        }
        var className =
                storage.storageClassName().or(() -> set.template().storage().flatMap(Storage::storageClassName));
        var recreation = new Intent.Recreation(
                new Storage(storage.size(), className), set.replicas(), revision, set.templateDigest());
        context.journal(journal -> journal.withIntent(
                Optional.of(Intent.of(Intent.Kind.RECREATE, operationId, context.epoch(), recreation))));
        return new StepResult.Done("journalled");
    }

    /// Whether it is gone, or already the new one.
    Optional<String> gone() {
        var set = context.state().kube().statefulSet();
        return set.optional().filter(s -> s.isEmpty() || isNew(s.get())).map(_ -> "it is gone");
    }

    private boolean isNew(KubeState.StatefulSetState set) {
        return !set.terminating()
                && context.journal()
                        .recreation()
                        .filter(r -> set.template()
                                .storage()
                                .filter(r.storage()::isAsLargeAs)
                                .isPresent())
                        .isPresent();
    }

    StepResult orphan(Duration deadline) {
        var set = context.statefulSet().orElseThrow(() -> new Fenced("the StatefulSet is gone"));
        var recreation = context.journal().recreation();
        if (recreation
                .filter(r -> r.revision().equals(set.rollout().currentRevision()) && r.replicas() == set.replicas())
                .isEmpty()) {
            return new StepResult.Held("the journal does not name the template of the StatefulSet");
        }
        if (!set.terminating()) {
            context.volumes().orphan(context.ref(), set, context.epoch());
        }
        return context.until(
                deadline,
                () -> gone().isPresent()
                        ? Optional.empty()
                        : Optional.of("Kubernetes has not released its pods yet (finalizer orphan). The next run"
                                + " continues"),
                () -> "its pods continue to run");
    }

    Optional<String> there() {
        return context.statefulSet()
                .filter(this::isNew)
                .filter(set -> set.rollout().settled() && !set.rollout().inProgress())
                .map(_ -> "it is there");
    }

    StepResult recreate(Duration deadline) {
        var recreation = context.journal().recreation();
        if (recreation.isEmpty()) {
            return new StepResult.Held("the journal does not name the template of the StatefulSet");
        }
        var going = context.await(
                deadline,
                () -> context.statefulSet()
                                .filter(KubeState.StatefulSetState::terminating)
                                .isPresent()
                        ? Optional.of("the former StatefulSet is not gone yet (finalizer orphan)")
                        : Optional.empty());
        if (going.isPresent()) {
            return new StepResult.Failed(going.get());
        }
        var before = podUids();
        if (context.statefulSet().filter(this::isNew).isEmpty()) {
            if (context.statefulSet().isPresent()
                    || !context.state().kube().objects().confirmed()) {
                return new StepResult.Held("a StatefulSet of this name exists, or its absence could not be verified");
            }
            context.volumes().recreate(context.objectsAtRest(), recreation.get());
        }
        return context.until(
                deadline,
                () -> there().isPresent()
                        ? Optional.empty()
                        : Optional.of("its controller has not adopted the pods yet"),
                () -> kept(before));
    }

    private SortedMap<Integer, String> podUids() {
        var uids = new TreeMap<Integer, String>();
        context.state()
                .kube()
                .pods()
                .optional()
                .ifPresent(pods -> pods.forEach((ordinal, pod) -> uids.put(ordinal, pod.uid())));
        return uids;
    }

    private String kept(SortedMap<Integer, String> before) {
        var after = podUids();
        return before.equals(after)
                ? before.size() + " pods adopted, none recreated"
                : "the pods have changed: before " + before.keySet() + ", now " + after.keySet();
    }

    Optional<String> finished() {
        return context.journal().recreation().isEmpty() ? Optional.of("nothing is under way") : Optional.empty();
    }

    StepResult finish() {
        context.journal(journal -> journal.withIntent(Optional.empty()));
        return new StepResult.Done("journalled");
    }
}
