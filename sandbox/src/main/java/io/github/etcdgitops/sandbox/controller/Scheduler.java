package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.PodState.Condition;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Gives pods a node: the Ready one with the fewest pods of the same owner, then the fewest of all.
final class Scheduler {
    sealed interface Placement {
        record On(String node) implements Placement {}

        /// It will be this one, once these claims have volumes there.
        record Chosen(String node, List<ObjectNode> claims) implements Placement {}

        record Waits(String why) implements Placement {}
    }

    /// What a pod asks for by the name of a claim; `onDemand` says that its volume is made where the pod will be.
    record Storage(ObjectNode claim, Optional<ObjectNode> volume, boolean onDemand) {
        private Optional<String> missing() {
            String title = "persistentvolumeclaim \"" + Meta.name(claim) + "\"";
            if (Meta.deleting(claim)) {
                return Optional.of(title + " is being deleted");
            }
            boolean bound = claim.path("status").path("phase").asText().equals("Bound");
            return bound || isUnmade() ? Optional.empty() : Optional.of(title + " is not bound");
        }

        private boolean isUnmade() {
            return onDemand && Claims.volumeName(claim).isEmpty();
        }

        private boolean isReachedFrom(ObjectNode node) {
            return isUnmade()
                    ? Mooring.selected(claim)
                            .filter(name -> !name.equals(Meta.name(node)))
                            .isEmpty()
                    : volume.filter(found -> !Mooring.reaches(found, node)).isEmpty();
        }
    }

    private final KubeObjects objects;
    private final InstantSource clock;

    /// Where pods will be that wait for a volume there, by UID. Only its loop uses it.
    private final Map<String, String> chosen = new HashMap<>();

    Scheduler(KubeObjects objects, InstantSource clock) {
        this.objects = objects;
        this.clock = clock;
    }

    static Placement place(ObjectNode pod, Map<String, Storage> claims, List<ObjectNode> nodes, List<ObjectNode> pods) {
        for (String claim : PodState.claims(pod)) {
            Optional<String> missing = Optional.ofNullable(claims.get(claim))
                    .map(Storage::missing)
                    .orElseGet(() -> Optional.of("persistentvolumeclaim \"" + claim + "\" not found"));
            if (missing.isPresent()) {
                return new Placement.Waits(missing.get());
            }
        }
        String owner = owner(pod);
        Comparator<ObjectNode> load = Comparator.comparingLong(node ->
                count(pods, node, other -> !owner.isEmpty() && owner(other).equals(owner)));
        List<ObjectNode> unmade = claims.values().stream()
                .filter(Storage::isUnmade)
                .map(Storage::claim)
                .toList();
        return nodes.stream()
                .filter(Scheduler::takesPods)
                .filter(node -> !keptApart(pod, node, pods))
                .filter(node -> claims.values().stream().allMatch(storage -> storage.isReachedFrom(node)))
                .min(load.thenComparingLong(node -> count(pods, node, any -> true))
                        .thenComparing(Meta::name))
                .<Placement>map(node -> unmade.isEmpty()
                        ? new Placement.On(Meta.name(node))
                        : new Placement.Chosen(Meta.name(node), unmade))
                .orElseGet(() -> new Placement.Waits("0/" + nodes.size() + " nodes are available"));
    }

    private static String owner(ObjectNode pod) {
        return Ownership.controller(pod)
                .map(owner -> owner.path("uid").asText())
                .orElse("");
    }

    private static boolean takesPods(JsonNode node) {
        return PodState.ready(node)
                && !Meta.deleting(node)
                && !node.path("spec").path("unschedulable").asBoolean();
    }

    /// By what the pod itself says of machines: required, and by labels alone.
    private static boolean keptApart(ObjectNode pod, ObjectNode node, List<ObjectNode> pods) {
        for (JsonNode term : pod.at("/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution")) {
            JsonNode labels = term.path("labelSelector").path("matchLabels");
            if (term.path("topologyKey").asText().equals("kubernetes.io/hostname")
                    && count(
                                    pods,
                                    node,
                                    other -> carries(other, labels)
                                            && !Meta.uid(other).equals(Meta.uid(pod))
                                            && Meta.namespace(other).equals(Meta.namespace(pod)))
                            > 0) {
                return true;
            }
        }
        return false;
    }

    private static boolean carries(ObjectNode pod, JsonNode labels) {
        return !labels.isEmpty()
                && labels.properties().stream()
                        .allMatch(label -> pod.path("metadata")
                                .path("labels")
                                .path(label.getKey())
                                .equals(label.getValue()));
    }

    private static long count(List<ObjectNode> pods, ObjectNode node, Predicate<ObjectNode> which) {
        return pods.stream()
                .filter(pod -> PodState.node(pod).equals(Meta.name(node)) && !PodState.over(pod))
                .filter(which)
                .count();
    }

    Loop<Key> loop() {
        return new Loop<>(
                "scheduler",
                objects,
                List.of(
                        new Loop.Source<>(Resource.POD, pod -> waits(pod) ? List.of(Key.of(pod)) : List.of()),
                        new Loop.Source<>(Resource.PERSISTENT_VOLUME_CLAIM, this::waitingFor),
                        new Loop.Source<>(Resource.NODE, any -> waiting("", pod -> true))),
                this::reconcile);
    }

    private static boolean waits(ObjectNode pod) {
        return PodState.node(pod).isEmpty() && !Meta.deleting(pod);
    }

    private Collection<Key> waitingFor(ObjectNode claim) {
        return waiting(Meta.namespace(claim), pod -> PodState.claims(pod).contains(Meta.name(claim)));
    }

    private Collection<Key> waiting(String namespace, Predicate<ObjectNode> which) {
        return objects.list(Resource.POD, namespace).items().stream()
                .filter(pod -> waits(pod) && which.test(pod))
                .map(Key::of)
                .toList();
    }

    private Optional<Duration> reconcile(Key key) {
        Optional<ObjectNode> found =
                objects.find(Resource.POD, key.namespace(), key.name()).filter(Scheduler::waits);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode pod = found.get();
        Map<String, Storage> claims = PodState.claims(pod).stream()
                .distinct()
                .flatMap(claim -> objects.find(Resource.PERSISTENT_VOLUME_CLAIM, key.namespace(), claim).stream())
                .collect(Collectors.toMap(Meta::name, this::storage));
        List<ObjectNode> nodes = objects.list(Resource.NODE, "").items();
        List<ObjectNode> pods = withChosen(objects.list(Resource.POD, "").items());
        switch (place(pod, claims, nodes, pods)) {
            case Placement.On(String node) -> mark(pod, new Condition("PodScheduled", true, "", ""), Optional.of(node));
            case Placement.Chosen(String node, var unmade) -> {
                chosen.put(Meta.uid(pod), node);
                unmade.forEach(claim -> select(claim, node));
            }
            case Placement.Waits(String why) ->
                mark(pod, new Condition("PodScheduled", false, "Unschedulable", why), Optional.empty());
        }
        return Optional.empty();
    }

    /// Otherwise all pods of a new ring would be on one machine.
    private List<ObjectNode> withChosen(List<ObjectNode> pods) {
        chosen.keySet().retainAll(pods.stream().map(Meta::uid).toList());
        for (ObjectNode pod : pods) {
            String node = chosen.get(Meta.uid(pod));
            if (node != null && PodState.node(pod).isEmpty()) {
                pod.withObjectProperty("spec").put("nodeName", node);
            }
        }
        return pods;
    }

    private Storage storage(ObjectNode claim) {
        Optional<ObjectNode> volume = Optional.of(Claims.volumeName(claim))
                .filter(name -> !name.isEmpty())
                .flatMap(name -> objects.find(Resource.PERSISTENT_VOLUME, "", name));
        boolean onDemand = objects.find(
                        Resource.STORAGE_CLASS,
                        "",
                        claim.path("spec").path("storageClassName").asText(""))
                .filter(Mooring::waitsForPod)
                .isPresent();
        return new Storage(claim, volume, onDemand);
    }

    /// The pod comes again when the claim has its volume.
    private void select(ObjectNode claim, String node) {
        if (Mooring.selected(claim).isEmpty()) {
            objects.update(
                    Resource.PERSISTENT_VOLUME_CLAIM,
                    Meta.namespace(claim),
                    Meta.name(claim),
                    now -> Meta.uid(now).equals(Meta.uid(claim)) ? Mooring.select(now, node) : now);
        }
    }

    private void mark(ObjectNode pod, Condition condition, Optional<String> node) {
        if (node.isEmpty() && condition.isIn(pod)) {
            return;
        }
        objects.updateStatus(Resource.POD, Meta.namespace(pod), Meta.name(pod), now -> {
            if (Meta.uid(now).equals(Meta.uid(pod)) && waits(now)) {
                condition.in(now, clock.instant());
                node.ifPresent(name -> now.withObjectProperty("spec").put("nodeName", name));
            }
            return now;
        });
    }
}
