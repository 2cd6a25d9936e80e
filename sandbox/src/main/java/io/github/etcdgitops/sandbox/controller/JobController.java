package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.JobDecision.Action;
import io.github.etcdgitops.sandbox.controller.JobDecision.Decision;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.KubeObjects.Deletion;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// Has a Job's pods run until they are through, or one too many has failed, or the time is up. Decides in
/// [JobDecision].
final class JobController {
    private final KubeObjects objects;
    private final InstantSource clock;

    JobController(KubeObjects objects, InstantSource clock) {
        this.objects = objects;
        this.clock = clock;
    }

    Loop<Key> loop() {
        return new Loop<>(
                "jobs",
                objects,
                List.of(
                        new Loop.Source<>(Resource.JOB, job -> List.of(Key.of(job))),
                        new Loop.Source<>(Resource.POD, JobController::jobs)),
                this::reconcile);
    }

    private static Collection<Key> jobs(ObjectNode pod) {
        String job = Ownership.controller(pod)
                .filter(owner -> owner.path("kind").asText().equals(Resource.JOB.kind()))
                .map(owner -> owner.path("name").asText())
                .orElseGet(() -> Meta.labels(pod).path("job-name").asText(""));
        return job.isEmpty() ? List.of() : List.of(new Key(Meta.namespace(pod), job));
    }

    private Optional<Duration> reconcile(Key key) {
        Optional<ObjectNode> found = objects.find(Resource.JOB, key.namespace(), key.name());
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode job = found.get();
        List<ObjectNode> pods = Ownership.owned(objects, Resource.POD, job, _ -> true);
        Decision decision = JobDecision.decide(job, pods, clock.instant());
        decision.actions().forEach(action -> act(key, action));
        if (!decision.status().equals(job.path("status"))) {
            objects.updateStatus(Resource.JOB, key.namespace(), key.name(), now -> {
                if (Meta.uid(now).equals(Meta.uid(job))) {
                    now.set("status", decision.status());
                }
                return now;
            });
        }
        return decision.again().map(in -> in.plusMillis(1));
    }

    private void act(Key key, Action action) {
        switch (action) {
            case Action.Create(ObjectNode pod) -> objects.create(Resource.POD, key.namespace(), pod);
            case Action.Delete(ObjectNode pod) -> {
                var same = new Deletion(Optional.of(Meta.uid(pod)), Optional.empty(), Optional.empty());
                objects.delete(Resource.POD, key.namespace(), Meta.name(pod), same);
            }
        }
    }
}
