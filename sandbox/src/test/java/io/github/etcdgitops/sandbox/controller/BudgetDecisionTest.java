package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BudgetDecisionTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:02:00Z");

    @Test
    void allowsWhatIsHealthyBeyondTheMinimum() {
        List<ObjectNode> pods = List.of(Sample.pod(0, "x"), Sample.pod(1, "x"), Sample.unready(Sample.pod(2, "x")));

        assertThat(status("{minAvailable: 1}", "{}", pods))
                .isEqualTo(
                        Sample.of(
                                "{currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1, expectedPods: 3, observedGeneration: 4}"));
        assertThat(status("{minAvailable: 3}", "{}", pods)
                        .path("disruptionsAllowed")
                        .asInt())
                .isZero();
    }

    @Test
    void takesPercentsAndTheMaximumOfWhatTheOwnersWant() {
        List<ObjectNode> pods = List.of(Sample.pod(0, "x"), Sample.pod(1, "x"), Sample.pod(2, "x"));

        assertThat(status("{minAvailable: 50%}", "{}", pods)
                        .path("desiredHealthy")
                        .asInt())
                .isEqualTo(3);
        assertThat(status("{maxUnavailable: 1}", "{}", pods)
                        .path("desiredHealthy")
                        .asInt())
                .isEqualTo(4);
        assertThat(status("{maxUnavailable: 1}", "{}", pods)
                        .path("expectedPods")
                        .asInt())
                .isEqualTo(5);
    }

    @Test
    void countsAnAllowedEvictionUntilThePodGoesOrTimePasses() {
        List<ObjectNode> pods = List.of(Sample.pod(0, "x"), Sample.pod(1, "x"), Sample.pod(2, "x"));

        ObjectNode fresh = status("{minAvailable: 1}", "{ring-0: '2026-01-01T00:01:00Z'}", pods);
        ObjectNode old = status("{minAvailable: 1}", "{ring-0: '2026-01-01T00:00:00Z'}", pods);
        ObjectNode gone = status("{minAvailable: 1}", "{ring-7: '2026-01-01T00:01:00Z'}", pods);

        assertThat(fresh.path("disruptionsAllowed").asInt()).isEqualTo(1);
        assertThat(fresh.path("disruptedPods").has("ring-0")).isTrue();
        assertThat(old.path("disruptionsAllowed").asInt()).isEqualTo(2);
        assertThat(old.has("disruptedPods")).isFalse();
        assertThat(gone.has("disruptedPods")).isFalse();
    }

    @Test
    void comesBackWhenTheEvictionStopsCounting() {
        ObjectNode budget = budget("{minAvailable: 1}", "{ring-0: '2026-01-01T00:01:00Z'}");

        var status = BudgetDecision.status(budget, List.of(Sample.pod(0, "x")), 1, NOW);

        assertThat(status.expires()).contains(Instant.parse("2026-01-01T00:03:00Z"));
    }

    private static ObjectNode status(String limit, String disrupted, List<ObjectNode> pods) {
        return BudgetDecision.status(budget(limit, disrupted), pods, 5, NOW).status();
    }

    private static ObjectNode budget(String limit, String disrupted) {
        return Sample.of("{metadata: {name: ring, generation: 4}, spec: %s, status: {disruptedPods: %s}}"
                .formatted(limit, disrupted));
    }
}
