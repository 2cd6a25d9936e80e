package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What is due for a Job, from its pods. As in Kubernetes before 1.23: pods are counted while they are there,
/// and one that was deleted before it ended is made again.
final class JobDecision {
    private JobDecision() {}

    sealed interface Action {
        record Create(ObjectNode pod) implements Action {}

        record Delete(ObjectNode pod) implements Action {}
    }

    /// `again` is when there is something to look at that nobody announces.
    record Decision(List<Action> actions, ObjectNode status, Optional<Duration> again) {}

    private record Counts(int active, int succeeded, int failed) {
        void writeTo(ObjectNode status) {
            put(status, "active", active);
            put(status, "succeeded", succeeded);
            put(status, "failed", failed);
        }

        private static void put(ObjectNode status, String field, int count) {
            if (count == 0) {
                status.remove(field);
            } else {
                status.put(field, count);
            }
        }
    }

    private record Failure(String reason, String message) {}

    /// What is over stays as it is, whatever becomes of its pods.
    static Decision decide(ObjectNode job, List<ObjectNode> pods, Instant now) {
        ObjectNode status = job.withObjectProperty("status").deepCopy();
        if (isOver(job)) {
            return new Decision(List.of(), status, Optional.empty());
        }
        if (!status.has("startTime")) {
            status.put("startTime", Meta.time(now));
        }
        Optional<Duration> left = left(job, status, now);
        List<ObjectNode> running = pods.stream().filter(JobDecision::isActive).toList();
        var counts = new Counts(running.size(), count(pods, PodState::succeeded), count(pods, PodState::failed));
        Optional<Failure> failure = failure(job, counts, left);
        if (failure.isPresent()) {
            new Counts(0, counts.succeeded(), counts.failed() + counts.active()).writeTo(status);
            condition(status, "Failed", failure.get(), now);
            return new Decision(running.stream().<Action>map(Action.Delete::new).toList(), status, Optional.empty());
        }
        List<Action> actions = Meta.deleting(job) ? List.of() : create(job, counts);
        new Counts(counts.active() + actions.size(), counts.succeeded(), counts.failed()).writeTo(status);
        if (isComplete(job, counts)) {
            status.put("completionTime", Meta.time(now));
            condition(status, "Complete", new Failure("", ""), now);
        }
        return new Decision(actions, status, left);
    }

    private static boolean isOver(JsonNode job) {
        return List.of("Complete", "Failed").stream()
                .anyMatch(end ->
                        PodState.condition(job, end).filter(PodState::isTrue).isPresent());
    }

    private static boolean isActive(ObjectNode pod) {
        return !PodState.over(pod) && !Meta.deleting(pod);
    }

    private static int count(List<ObjectNode> pods, Predicate<ObjectNode> which) {
        return Math.toIntExact(pods.stream().filter(which).count());
    }

    /// Until its deadline; negative when that is over, empty where it has none.
    private static Optional<Duration> left(ObjectNode job, ObjectNode status, Instant now) {
        JsonNode seconds = job.path("spec").path("activeDeadlineSeconds");
        return seconds.isMissingNode()
                ? Optional.empty()
                : Optional.of(Duration.between(
                        now, Instant.parse(status.path("startTime").asText()).plusSeconds(seconds.asLong())));
    }

    private static Optional<Failure> failure(ObjectNode job, Counts counts, Optional<Duration> left) {
        if (counts.failed() > job.path("spec").path("backoffLimit").asInt()) {
            return Optional.of(new Failure("BackoffLimitExceeded", "Job has reached the specified backoff limit"));
        }
        return left.filter(time -> !time.isPositive())
                .map(_ -> new Failure("DeadlineExceeded", "Job was active longer than specified deadline"));
    }

    private static List<Action> create(ObjectNode job, Counts counts) {
        JsonNode spec = job.path("spec");
        int wanted = spec.path("parallelism").asInt();
        if (spec.has("completions")) {
            wanted = Math.min(wanted, spec.path("completions").asInt() - counts.succeeded());
        } else if (counts.succeeded() > 0) {
            wanted = counts.active();
        }
        var actions = new ArrayList<Action>();
        for (int active = counts.active(); active < wanted; active++) {
            actions.add(new Action.Create(pod(job)));
        }
        return actions;
    }

    private static boolean isComplete(ObjectNode job, Counts counts) {
        JsonNode completions = job.path("spec").path("completions");
        return completions.isMissingNode()
                ? counts.succeeded() > 0 && counts.active() == 0
                : counts.succeeded() >= completions.asInt();
    }

    private static void condition(ObjectNode status, String type, Failure why, Instant now) {
        ObjectNode condition = status.withArrayProperty("conditions")
                .addObject()
                .put("type", type)
                .put("status", "True")
                .put("lastProbeTime", Meta.time(now))
                .put("lastTransitionTime", Meta.time(now));
        if (!why.reason().isEmpty()) {
            condition.put("reason", why.reason()).put("message", why.message());
        }
    }

    private static ObjectNode pod(ObjectNode job) {
        JsonNode template = job.path("spec").path("template");
        ObjectNode pod = job.objectNode().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata")
                .put("generateName", Meta.name(job) + "-")
                .put("namespace", Meta.namespace(job));
        for (String field : List.of("labels", "annotations", "finalizers")) {
            JsonNode value = template.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value.deepCopy());
            }
        }
        metadata.putArray("ownerReferences").add(Ownership.reference(job));
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }
}
