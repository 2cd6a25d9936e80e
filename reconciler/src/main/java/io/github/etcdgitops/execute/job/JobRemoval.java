package io.github.etcdgitops.execute.job;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.Stopped;
import io.github.etcdgitops.execute.lease.Fenced;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RestoreJobs;
import java.time.Duration;
import java.util.Optional;

/// Deletes the Job of a restore or a drill, whichever run created it, and waits until its volume is free.
public final class JobRemoval {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final StepContext context;
    private final RestoreJobs jobs;

    public JobRemoval(StepContext context, RestoreJobs jobs) {
        this.context = context;
        this.jobs = jobs;
    }

    public boolean isGone(String namespace, String name) {
        return jobs.read(context.ref(), namespace, name).isEmpty() && jobs.gone(context.ref(), namespace, name);
    }

    /// Deletes a Job that has done its work. A Job that another run created under the name stays, and the
    /// next run deletes what cannot be deleted now. No failure here may hide the result of the Job.
    public void removeOwn(RestoreJobs.RestoreJob job) {
        try {
            boolean own = jobs.read(context.ref(), job.namespace(), job.name())
                    .filter(s -> s.incarnation().equals(job.target().incarnation()))
                    .isPresent();
            if (own) {
                remove(job.namespace(), job.name());
            }
        } catch (GatewayException | Fenced | Stopped _) {
            // The Job ends by itself at its deadline.
        }
    }

    /// What still blocks the removal; empty when nothing is left.
    public Optional<String> remove(String namespace, String name) {
        try {
            jobs.read(context.ref(), namespace, name)
                    .ifPresent(state -> jobs.delete(context.ref(), namespace, name, state.uid()));
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.CONFLICT) {
                throw e;
            }
        }
        return context.awaitTurn(
                PATIENCE,
                () -> isGone(namespace, name)
                        ? Optional.empty()
                        : Optional.of("the pod of Job " + namespace + "/" + name + " still exists"));
    }
}
