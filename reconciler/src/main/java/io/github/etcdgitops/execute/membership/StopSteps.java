package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Stops a whole ring: client access first, then its processes, then the objects around them. Whatever
/// holds data stays. Deletions, recoveries and repeated creations share it.
public final class StopSteps {
    private static final Set<ManagedObject> FOR_CLIENTS =
            EnumSet.of(ManagedObject.CLIENT_SERVICE, ManagedObject.CONNECTION);

    private final StepContext context;

    public StopSteps(StepContext context) {
        this.context = context;
    }

    public Optional<String> clientsCut() {
        return gone(FOR_CLIENTS);
    }

    public StepResult cutClients() {
        return remove(FOR_CLIENTS);
    }

    public Optional<String> setGone() {
        return context.state().kube().statefulSet().isKnown()
                        && context.statefulSet().isEmpty()
                ? Optional.of("it is gone")
                : Optional.empty();
    }

    public Optional<String> ended() {
        boolean known = context.state().kube().statefulSet().isKnown();
        return known && context.statefulSet().filter(s -> s.replicas() > 0).isEmpty()
                ? Optional.of("they are stopped")
                : Optional.empty();
    }

    public StepResult stop() {
        var expected = context.statefulSet().orElseThrow(() -> new Fenced("the StatefulSet is gone"));
        context.kube().setReplicas(context.ref(), expected, 0, context.epoch());
        return new StepResult.Done(expected.replicas() + " → 0 replicas");
    }

    /// Kubernetes keeps the pods of an unreachable node: a person who knows that it is off may say so.
    public StepResult awaitEnded(Duration deadline) {
        return context.until(
                deadline,
                () -> {
                    var pods = context.state().kube().pods();
                    if (!pods.isKnown()) {
                        return pods.unknownReason();
                    }
                    return pods.optional().orElseThrow().values().stream()
                            .findFirst()
                            .map(StopSteps::stillThere);
                },
                () -> "gone");
    }

    private static String stillThere(KubeState.PodState pod) {
        return pod.name() + " still exists"
                + pod.life()
                        .whereabouts()
                        .node()
                        .map(node -> ", on " + node + ". If that node does not answer and is certainly switched off,"
                                + " delete the pod with --force")
                        .orElse("");
    }

    /// Objects that it owns are orphaned, not deleted: the claims stay, whoever set their owner.
    public StepResult removeStatefulSet(Duration deadline) {
        context.statefulSet()
                .filter(s -> !s.terminating())
                .ifPresent(s -> context.volumes().orphan(context.ref(), s, context.epoch()));
        return context.until(
                deadline,
                () -> setGone().isPresent() ? Optional.empty() : Optional.of("the StatefulSet still exists"),
                () -> "deleted");
    }

    public Optional<String> unseated() {
        return context.state().kube().configs().optional().filter(Map::isEmpty).map(_ -> "there are none");
    }

    public StepResult unseat() {
        var objects = context.objectsAtRest();
        var configs = context.state().kube().configs().optional().orElseThrow();
        configs.keySet().forEach(ordinal -> context.kube().writeMemberConfig(objects, ordinal, Optional.empty()));
        return new StepResult.Done("configurations of members removed: " + configs.size());
    }

    public Optional<String> gone(Set<ManagedObject> objects) {
        return context.state()
                .kube()
                .objects()
                .live()
                .optional()
                .map(Map::keySet)
                .filter(there -> there.stream().noneMatch(objects::contains))
                .map(_ -> "gone");
    }

    public StepResult remove(Set<ManagedObject> objects) {
        objects.forEach(object -> context.kube().delete(object, context.ref(), context.epoch()));
        return context.until(
                Duration.ofMinutes(1),
                () -> gone(objects).isPresent() ? Optional.empty() : Optional.of(left(objects)),
                () -> "deleted");
    }

    private String left(Set<ManagedObject> objects) {
        return context.state()
                .kube()
                .objects()
                .live()
                .optional()
                .map(there -> objects.stream()
                        .filter(there::containsKey)
                        .map(ManagedObject::title)
                        .collect(Collectors.joining(", ", "not deleted yet: ", "")))
                .orElse("the objects of the ring could not be read");
    }
}
