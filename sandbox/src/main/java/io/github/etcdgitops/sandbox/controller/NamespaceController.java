package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Refusal;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Empties a namespace that is being deleted, and then lets it go.
final class NamespaceController {
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final KubeObjects objects;

    NamespaceController(KubeObjects objects) {
        this.objects = objects;
    }

    Loop<Key> loop() {
        return new Loop<>(
                "namespaces",
                objects,
                List.of(new Loop.Source<>(
                        Resource.NAMESPACE,
                        namespace -> Meta.deleting(namespace) ? List.of(Key.of(namespace)) : List.of())),
                this::reconcile);
    }

    private Optional<Duration> reconcile(Key key) {
        Optional<ObjectNode> found =
                objects.find(Resource.NAMESPACE, "", key.name()).filter(Meta::deleting);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Resource[] all = Resource.values();
        if (Stream.of(all).filter(Resource::namespaced).allMatch(resource -> isEmpty(resource, key.name()))) {
            objects.updateStatus(Resource.NAMESPACE, "", key.name(), now -> {
                now.withObjectProperty("spec").remove("finalizers");
                return now;
            });
            return Optional.empty();
        }
        Stream.of(all).filter(Resource::namespaced).forEach(resource -> empty(resource, key.name()));
        return Optional.of(LOOK_AGAIN);
    }

    private boolean isEmpty(Resource resource, String namespace) {
        return objects.list(resource, namespace).items().isEmpty();
    }

    private void empty(Resource resource, String namespace) {
        for (ObjectNode object : objects.list(resource, namespace).items()) {
            try {
                if (!Meta.deleting(object)) {
                    objects.delete(resource, namespace, Meta.name(object), Deletion.PLAIN);
                }
            } catch (Refusal gone) {
                if (gone.code() != 404) {
                    throw gone;
                }
            }
        }
    }
}
