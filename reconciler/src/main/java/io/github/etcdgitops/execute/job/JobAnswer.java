package io.github.etcdgitops.execute.job;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Waits for the result of a Job that reads a member's volume.
public final class JobAnswer {
    private final StepContext context;
    private final RestoreJobs jobs;

    public JobAnswer(StepContext context, RestoreJobs jobs) {
        this.context = context;
        this.jobs = jobs;
    }

    /// The last phase that was seen. It is [Phase.Pending] where the pod did not start or did not end in time.
    public Phase await(String namespace, String name, Duration longest) {
        var last = new AtomicReference<Phase>(new Phase.Pending(""));
        var start = new JobStart(context, namespace, name);
        context.awaitTurn(longest, () -> {
            var state = jobs.read(context.ref(), namespace, name);
            last.set(state.map(RestoreJobs.State::phase)
                    .orElseGet(() -> new Phase.Failed("", -1, "the Job is gone", "")));
            if (state.isEmpty() || !(last.get() instanceof Phase.Pending pending)) {
                return Optional.empty();
            }
            var seen = start.look(state.get(), pending);
            last.set(new Phase.Pending(pending.lack(), seen.said()));
            return seen.hopeless() ? Optional.empty() : Optional.of(seen.said());
        });
        return last.get();
    }
}
