package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.RestoreJobs;
import java.time.Duration;
import java.util.Optional;

/// Removes the Job of a restore or a drill, whichever run made it, and waits until its volume is free.
final class JobRemoval {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final StepContext context;
    private final RestoreJobs jobs;

    JobRemoval(StepContext context, RestoreJobs jobs) {
        this.context = context;
        this.jobs = jobs;
    }

    boolean isGone(String namespace, String name) {
        return jobs.read(namespace, name).isEmpty() && jobs.gone(namespace, name);
    }

    /// What is in the way still; empty when nothing is left.
    Optional<String> remove(String namespace, String name) {
        jobs.read(namespace, name).ifPresent(state -> jobs.delete(namespace, name, state.uid()));
        return context.awaitTurn(
                PATIENCE,
                () -> isGone(namespace, name)
                        ? Optional.empty()
                        : Optional.of("the pod of Job " + namespace + "/" + name + " has not gone"));
    }
}
