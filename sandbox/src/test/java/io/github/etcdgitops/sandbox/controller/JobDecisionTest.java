package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.JobDecision.Action;
import io.github.etcdgitops.sandbox.controller.JobDecision.Decision;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What only shows at a certain time, or with more pods than the contract has. The rest is in the contract.
final class JobDecisionTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void looksAgainAtTheDeadline() {
        ObjectNode job = job(1, 1, 0);
        job.withObject("/spec").put("activeDeadlineSeconds", 60);

        Decision first = JobDecision.decide(job, List.of(), NOW);
        job.set("status", first.status());
        Decision before = JobDecision.decide(job, List.of(pod("a", "Running")), NOW.plusSeconds(59));
        Decision at = JobDecision.decide(job, List.of(pod("a", "Running")), NOW.plusSeconds(60));

        assertThat(first.again()).contains(Duration.ofSeconds(60));
        assertThat(before.again()).contains(Duration.ofSeconds(1));
        assertThat(words(before)).isEmpty();
        assertThat(words(at)).containsExactly("delete a");
        assertThat(at.status().path("failed").asInt()).isEqualTo(1);
        assertThat(at.again()).isEmpty();
    }

    @Test
    void makesADeletedPodAgain() {
        Decision decision = JobDecision.decide(job(1, 1, 0), List.of(Sample.ending(pod("a", "Running"))), NOW);

        assertThat(words(decision)).containsExactly("create job-");
        assertThat(decision.status().path("active").asInt()).isEqualTo(1);
    }

    @Test
    void makesNoneOfAJobThatIsAboutToGo() {
        assertThat(words(JobDecision.decide(Sample.ending(job(1, 1, 0)), List.of(), NOW)))
                .isEmpty();
    }

    @Test
    void triesAsOftenAsItMay() {
        ObjectNode job = job(1, 1, 1);

        assertThat(words(JobDecision.decide(job, List.of(pod("a", "Failed")), NOW)))
                .containsExactly("create job-");
        assertThat(JobDecision.decide(job, List.of(pod("a", "Failed"), pod("b", "Failed")), NOW)
                        .status()
                        .at("/conditions/0/reason")
                        .asText())
                .isEqualTo("BackoffLimitExceeded");
    }

    @Test
    void makesAsManyAsAreStillToBeDone() {
        List<ObjectNode> pods = List.of(pod("a", "Succeeded"), pod("b", "Succeeded"));

        assertThat(words(JobDecision.decide(job(3, 2, 0), pods, NOW))).containsExactly("create job-");
        assertThat(words(JobDecision.decide(job(4, 2, 0), pods, NOW))).containsExactly("create job-", "create job-");
    }

    @Test
    void leavesAloneWhatIsOver() {
        ObjectNode job = job(1, 1, 0);
        job.set(
                "status",
                JobDecision.decide(job, List.of(pod("a", "Succeeded")), NOW).status());

        Decision later = JobDecision.decide(job, List.of(), NOW.plusSeconds(1));

        assertThat(words(later)).isEmpty();
        assertThat(later.status()).isEqualTo(job.path("status"));
        assertThat(later.status().at("/conditions/0/type").asText()).isEqualTo("Complete");
    }

    private static ObjectNode job(int completions, int parallelism, int backoffLimit) {
        return Sample.of("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: job, namespace: a, uid: job-uid}
                spec:
                  completions: %d
                  parallelism: %d
                  backoffLimit: %d
                  template: {metadata: {labels: {app: job}}, spec: {containers: [{name: c, image: "c:1"}]}}
                """.formatted(completions, parallelism, backoffLimit));
    }

    private static ObjectNode pod(String name, String phase) {
        return Sample.of("{metadata: {name: %s, namespace: a}, status: {phase: %s}}".formatted(name, phase));
    }

    private static List<String> words(Decision decision) {
        return decision.actions().stream()
                .map(action -> switch (action) {
                    case Action.Create(ObjectNode pod) -> "create " + Meta.text(pod, "generateName");
                    case Action.Delete(ObjectNode pod) -> "delete " + Meta.name(pod);
                })
                .toList();
    }
}
