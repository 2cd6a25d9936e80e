package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Keeps the Endpoints of each Service that has a selector. Decides in [EndpointsDecision].
final class EndpointsController {
    private final KubeObjects objects;

    EndpointsController(KubeObjects objects) {
        this.objects = objects;
    }

    Loop<Key> loop() {
        return new Loop<>(
                "endpoints",
                objects,
                List.of(
                        new Loop.Source<>(Resource.SERVICE, service -> List.of(Key.of(service))),
                        new Loop.Source<>(Resource.ENDPOINTS, endpoints -> List.of(Key.of(endpoints))),
                        new Loop.Source<>(Resource.POD, this::services)),
                this::reconcile);
    }

    private Collection<Key> services(ObjectNode pod) {
        return objects.list(Resource.SERVICE, Meta.namespace(pod)).items().stream()
                .filter(service -> EndpointsDecision.selects(service, pod))
                .map(Key::of)
                .toList();
    }

    private Optional<Duration> reconcile(Key key) {
        Optional<ObjectNode> service = objects.find(Resource.SERVICE, key.namespace(), key.name());
        Optional<ObjectNode> found = objects.find(Resource.ENDPOINTS, key.namespace(), key.name());
        if (service.isEmpty()) {
            if (found.isPresent()) {
                objects.delete(Resource.ENDPOINTS, key.namespace(), key.name(), Deletion.PLAIN);
            }
            return Optional.empty();
        }
        if (!EndpointsDecision.applies(service.get())) {
            return Optional.empty();
        }
        List<ObjectNode> pods = objects.list(Resource.POD, key.namespace()).items();
        ObjectNode wanted = EndpointsDecision.endpoints(service.get(), pods);
        if (found.isEmpty()) {
            objects.create(Resource.ENDPOINTS, key.namespace(), wanted);
        } else if (!wanted.path("subsets").equals(found.get().path("subsets"))
                || !Meta.labels(wanted).equals(Meta.labels(found.get()))) {
            objects.update(Resource.ENDPOINTS, key.namespace(), key.name(), now -> changed(now, wanted));
        }
        return Optional.empty();
    }

    private static ObjectNode changed(ObjectNode now, ObjectNode wanted) {
        ObjectNode changed = now.deepCopy();
        changed.remove("subsets");
        Meta.of(changed).remove("labels");
        if (wanted.has("subsets")) {
            changed.set("subsets", wanted.path("subsets"));
        }
        if (!Meta.labels(wanted).isMissingNode()) {
            Meta.of(changed).set("labels", Meta.labels(wanted));
        }
        return changed;
    }
}
