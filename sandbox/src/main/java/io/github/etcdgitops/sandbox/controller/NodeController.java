package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.PodState.Condition;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What becomes of the pods of a node that is not heard of: nobody may rely on them at once, and after a
/// while they are deleted, which lasts until the node confirms it. Pods of a node that is no longer there are deleted
/// without that confirmation, and not before it had the same while to come again.
final class NodeController {
    private static final Condition NOT_READY = new Condition("Ready", false, "NodeNotReady", "");

    private final KubeObjects objects;
    private final InstantSource clock;
    private final Duration evictAfter;

    /// Since when nodes are missed that pods name. Only its loop uses it.
    private final Map<String, Instant> missed = new HashMap<>();

    NodeController(KubeObjects objects, InstantSource clock, Duration evictAfter) {
        this.objects = objects;
        this.clock = clock;
        this.evictAfter = evictAfter;
    }

    enum Fate {
        RUN,
        NOT_READY,
        DELETED
    }

    static Fate fate(ObjectNode node, Instant now, Duration evictAfter) {
        if (PodState.ready(node)) {
            return Fate.RUN;
        }
        return now.isBefore(since(node).plus(evictAfter)) ? Fate.NOT_READY : Fate.DELETED;
    }

    private static Instant since(ObjectNode node) {
        return PodState.condition(node, "Ready")
                .map((JsonNode ready) -> ready.path("lastTransitionTime").asText(""))
                .filter(time -> !time.isEmpty())
                .or(() -> Optional.of(Meta.text(node, "creationTimestamp")))
                .map(Instant::parse)
                .get();
    }

    Loop<Key> loop() {
        return new Loop<>(
                "nodes",
                objects,
                List.of(
                        new Loop.Source<>(Resource.NODE, node -> List.of(Key.of(node))),
                        new Loop.Source<>(
                                Resource.POD,
                                pod -> PodState.node(pod).isEmpty()
                                        ? List.of()
                                        : List.of(new Key("", PodState.node(pod))))),
                this::reconcile);
    }

    private Optional<Duration> reconcile(Key key) {
        Optional<ObjectNode> found = objects.find(Resource.NODE, "", key.name());
        Instant now = clock.instant();
        if (found.isEmpty()) {
            return missing(key.name(), now);
        }
        missed.remove(key.name());
        ObjectNode node = found.get();
        Fate fate = fate(node, now, evictAfter);
        if (fate == Fate.RUN) {
            return Optional.empty();
        }
        podsOn(key.name()).forEach(pod -> carryOut(fate, pod));
        return fate == Fate.NOT_READY
                ? Optional.of(
                        Duration.between(now, since(node).plus(evictAfter)).plusMillis(1))
                : Optional.empty();
    }

    private Optional<Duration> missing(String node, Instant now) {
        Instant due = missed.computeIfAbsent(node, _ -> now).plus(evictAfter);
        if (now.isBefore(due)) {
            return Optional.of(Duration.between(now, due).plusMillis(1));
        }
        podsOn(node).forEach(pod -> delete(pod, Optional.of(0L)));
        return Optional.empty();
    }

    private void carryOut(Fate fate, ObjectNode pod) {
        String namespace = Meta.namespace(pod);
        String name = Meta.name(pod);
        if (PodState.ready(pod)) {
            objects.updateStatus(Resource.POD, namespace, name, now -> NOT_READY.in(now, clock.instant()));
        }
        if (fate == Fate.DELETED && !Meta.deleting(pod)) {
            delete(pod, Optional.empty());
        }
    }

    private List<ObjectNode> podsOn(String node) {
        return objects.list(Resource.POD, "").items().stream()
                .filter(pod -> PodState.node(pod).equals(node))
                .toList();
    }

    private void delete(ObjectNode pod, Optional<Long> grace) {
        var same = new Deletion(Optional.of(Meta.uid(pod)), Optional.empty(), grace);
        objects.delete(Resource.POD, Meta.namespace(pod), Meta.name(pod), same);
    }
}
