package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.LabelSelector;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// How many pods may be evicted now.
final class BudgetDecision {
    /// An eviction that was allowed counts until its pod is seen to go, but no longer than this.
    static final Duration DISRUPTION_COUNTS = Duration.ofMinutes(2);

    private BudgetDecision() {}

    /// `expires` is when the first disruption stops counting.
    record Status(ObjectNode status, Optional<Instant> expires) {}

    static boolean selects(JsonNode budget, JsonNode pod) {
        JsonNode selector = budget.path("spec").path("selector");
        return !selector.isMissingNode() && LabelSelector.of(selector).matches(pod);
    }

    /// `pods` are those that the budget selects, `scale` how many their owners want.
    static Status status(ObjectNode budget, List<ObjectNode> pods, int scale, Instant now) {
        ObjectNode disrupted = budget.objectNode();
        Optional<Instant> expires = Optional.empty();
        for (ObjectNode pod : pods) {
            String since = budget.path("status")
                    .path("disruptedPods")
                    .path(Meta.name(pod))
                    .asText("");
            if (since.isEmpty() || Meta.deleting(pod)) {
                continue;
            }
            Instant until = Instant.parse(since).plus(DISRUPTION_COUNTS);
            if (until.isAfter(now)) {
                disrupted.put(Meta.name(pod), since);
                expires = expires.filter(until::isAfter).or(() -> Optional.of(until));
            }
        }
        int healthy = Math.toIntExact(pods.stream()
                .filter(pod -> PodState.ready(pod) && !Meta.deleting(pod) && !disrupted.has(Meta.name(pod)))
                .count());
        return new Status(status(budget, disrupted, counts(budget, pods.size(), scale), healthy), expires);
    }

    private record Counts(int expected, int desired) {}

    private static Counts counts(ObjectNode budget, int pods, int scale) {
        JsonNode most = budget.path("spec").path("maxUnavailable");
        JsonNode least = budget.path("spec").path("minAvailable");
        if (!most.isMissingNode()) {
            return new Counts(scale, Math.max(0, scale - scaled(most, scale)));
        }
        if (least.isTextual()) {
            return new Counts(scale, scaled(least, scale));
        }
        return new Counts(pods, least.asInt(0));
    }

    /// Percents are rounded up.
    private static int scaled(JsonNode value, int scale) {
        if (!value.isTextual()) {
            return value.asInt();
        }
        int percent = Integer.parseInt(value.asText().replace("%", ""));
        return Math.ceilDiv(percent * scale, 100);
    }

    private static ObjectNode status(ObjectNode budget, ObjectNode disrupted, Counts counts, int healthy) {
        int allowed = counts.expected() == 0 ? 0 : Math.max(0, healthy - counts.desired());
        ObjectNode status = budget.objectNode();
        status.put("currentHealthy", healthy)
                .put("desiredHealthy", counts.desired())
                .put("disruptionsAllowed", allowed)
                .put("expectedPods", counts.expected())
                .put(
                        "observedGeneration",
                        budget.path("metadata").path("generation").asInt());
        if (!disrupted.isEmpty()) {
            status.set("disruptedPods", disrupted);
        }
        return status;
    }
}
