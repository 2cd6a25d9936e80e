package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// A node whose pods do nothing: they run and are ready at once, and end at once when they are told to. Pods
/// with the label `unready` run and are not ready; while the node is cut off nothing is done for any of them.
public final class FakeMachine implements AutoCloseable {
    private final KubeObjects objects;
    private final String name;
    private final AtomicInteger addresses = new AtomicInteger(1);
    private final Loop<Key> loop;
    private volatile boolean cutOff;

    public FakeMachine(KubeObjects objects, String name) {
        this.objects = objects;
        this.name = name;
        objects.create(
                Resource.NODE,
                "",
                Sample.of("{apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}}}"
                        .formatted(name)));
        report(true);
        this.loop = new Loop<>(
                        "machine " + name,
                        objects,
                        List.of(
                                new Loop.Source<>(Resource.POD, pod -> List.of(Key.of(pod))),
                                new Loop.Source<>(
                                        Resource.NODE,
                                        node -> objects.list(Resource.POD, "").items().stream()
                                                .map(Key::of)
                                                .toList())),
                        key -> {
                            objects.find(Resource.POD, key.namespace(), key.name())
                                    .filter(pod -> PodState.node(pod).equals(name) && !cutOff)
                                    .ifPresent(this::look);
                            return Optional.empty();
                        })
                .start();
    }

    public void cutOff(boolean off) {
        cutOff = off;
        report(!off);
    }

    private void report(boolean ready) {
        objects.updateStatus(
                Resource.NODE,
                "",
                name,
                node -> new PodState.Condition("Ready", ready, ready ? "Running" : "Lost", "").in(node, Instant.now()));
    }

    private void look(ObjectNode pod) {
        String namespace = Meta.namespace(pod);
        if (Meta.deleting(pod)) {
            objects.delete(Resource.POD, namespace, Meta.name(pod), Deletion.AT_ONCE);
            return;
        }
        var condition = new PodState.Condition("Ready", !Meta.labels(pod).has("unready"), "", "");
        if (pod.at("/status/phase").asText().equals("Running") && condition.isIn(pod)) {
            return;
        }
        objects.updateStatus(Resource.POD, namespace, Meta.name(pod), now -> {
            if (!now.path("status").has("podIP")) {
                now.withObjectProperty("status").put("podIP", "127.1.0." + addresses.getAndIncrement());
            }
            now.withObjectProperty("status").put("phase", "Running");
            return condition.in(now, Instant.now());
        });
    }

    @Override
    public void close() {
        loop.close();
    }
}
