package io.github.etcdgitops.sandbox.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Whether a pod may be evicted.
final class Budgets {
    private static final String REFUSED = "Cannot evict pod as it would violate the pod's disruption budget.";

    private Budgets() {}

    /// The budget's new status when the eviction uses it up; empty when no budget has a say. Throws [Refusal]
    /// (429) when it has, and says no.
    static Optional<ObjectNode> allow(ObjectNode pod, List<ObjectNode> all, Instant now) {
        List<ObjectNode> budgets = all.stream()
                .filter(budget -> !budget.path("spec").path("selector").isEmpty())
                .filter(budget ->
                        LabelSelector.of(budget.path("spec").path("selector")).matches(pod))
                .toList();
        if (budgets.isEmpty() || ended(pod)) {
            return Optional.empty();
        }
        if (budgets.size() > 1) {
            throw new Refusal(
                    500,
                    "InternalError",
                    "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
        }
        ObjectNode budget = budgets.getFirst();
        JsonNode status = budget.path("status");
        int healthy = status.path("currentHealthy").asInt();
        int needed = status.path("desiredHealthy").asInt();
        if (!ready(pod) && needed > 0 && healthy >= needed) {
            return Optional.empty();
        }
        return Optional.of(usedUp(budget, pod, now));
    }

    private static ObjectNode usedUp(ObjectNode budget, ObjectNode pod, Instant now) {
        String name = Meta.name(budget);
        JsonNode status = budget.path("status");
        if (status.path("observedGeneration").asLong()
                < budget.path("metadata").path("generation").asLong()) {
            throw refused("The disruption budget " + name + " is still being processed by the server.");
        }
        if (status.path("disruptionsAllowed").asInt() <= 0) {
            throw refused("The disruption budget " + name + " needs "
                    + status.path("desiredHealthy").asInt() + " healthy pods and has "
                    + status.path("currentHealthy").asInt() + " currently");
        }
        ObjectNode used = budget.deepCopy();
        ObjectNode changed = used.withObjectProperty("status");
        changed.put("disruptionsAllowed", status.path("disruptionsAllowed").asInt() - 1);
        changed.withObjectProperty("disruptedPods").put(Meta.name(pod), Meta.time(now));
        return used;
    }

    private static Refusal refused(String why) {
        return new Refusal(429, "TooManyRequests", REFUSED).because(new Refusal.Cause("DisruptionBudget", "", why));
    }

    private static boolean ended(ObjectNode pod) {
        return switch (pod.path("status").path("phase").asText()) {
            case "Succeeded", "Failed", "Pending" -> true;
            default -> Meta.deleting(pod);
        };
    }

    private static boolean ready(ObjectNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }
}
