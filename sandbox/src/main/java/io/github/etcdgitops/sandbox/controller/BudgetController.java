package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Keeps the status of budgets, by which evictions are allowed or refused. Decides in [BudgetDecision].
final class BudgetController {
    private final KubeObjects objects;
    private final InstantSource clock;

    BudgetController(KubeObjects objects, InstantSource clock) {
        this.objects = objects;
        this.clock = clock;
    }

    Loop<Key> loop() {
        return new Loop<>(
                "budgets",
                objects,
                List.of(
                        new Loop.Source<>(Resource.POD_DISRUPTION_BUDGET, budget -> List.of(Key.of(budget))),
                        new Loop.Source<>(Resource.POD, this::budgets),
                        new Loop.Source<>(Resource.STATEFUL_SET, this::inNamespace)),
                this::reconcile);
    }

    private Collection<Key> budgets(ObjectNode pod) {
        return objects.list(Resource.POD_DISRUPTION_BUDGET, Meta.namespace(pod)).items().stream()
                .filter(budget -> BudgetDecision.selects(budget, pod))
                .map(Key::of)
                .toList();
    }

    private Collection<Key> inNamespace(ObjectNode set) {
        return objects.list(Resource.POD_DISRUPTION_BUDGET, Meta.namespace(set)).items().stream()
                .filter(budget ->
                        BudgetDecision.selects(budget, set.path("spec").path("template")))
                .map(Key::of)
                .toList();
    }

    private Optional<Duration> reconcile(Key key) {
        Optional<ObjectNode> found = objects.find(Resource.POD_DISRUPTION_BUDGET, key.namespace(), key.name());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode budget = found.get();
        List<ObjectNode> pods = objects.list(Resource.POD, key.namespace()).items().stream()
                .filter(pod -> BudgetDecision.selects(budget, pod))
                .toList();
        Instant now = clock.instant();
        BudgetDecision.Status next = BudgetDecision.status(budget, pods, scale(key.namespace(), pods), now);
        if (!next.status().equals(budget.path("status"))) {
            objects.updateStatus(
                    Resource.POD_DISRUPTION_BUDGET,
                    key.namespace(),
                    key.name(),
                    // An eviction that was allowed in between is in the status and must not be forgotten.
                    Unchanged.since(budget, newest -> newest.set("status", next.status())));
        }
        return next.expires().map(expires -> Duration.between(now, expires).plusMillis(1));
    }

    private int scale(String namespace, List<ObjectNode> pods) {
        return pods.stream()
                .flatMap(pod -> Ownership.controller(pod).stream())
                .filter(owner -> owner.path("kind").asText().equals(Resource.STATEFUL_SET.kind()))
                .map(owner -> owner.path("name").asText())
                .distinct()
                .flatMap(name -> objects.find(Resource.STATEFUL_SET, namespace, name).stream())
                .map((JsonNode set) -> set.path("spec").path("replicas"))
                .mapToInt(replicas -> replicas.asInt(1))
                .sum();
    }
}
