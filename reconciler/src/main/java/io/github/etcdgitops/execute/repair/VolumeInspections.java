package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.job.JobStart;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.InspectionJob;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.state.journal.Inspection.Outcome;
import io.github.etcdgitops.state.underway.Inspections;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/// Runs a Job that inspects the volume of a member that does not run, and deletes the Job. A Job of an
/// earlier run has the same name, and is used.
final class VolumeInspections {
    private static final Duration UNTIL_GONE = Duration.ofMinutes(1);

    private final StepContext context;
    private final ImageOrder loading;

    VolumeInspections(StepContext context, ImageOrder loading) {
        this.context = context;
        this.loading = loading;
    }

    /// `seen` was observed before the copy was made; `disturbed` where the member may have run while its
    /// data was copied.
    record Found(String seen, Outcome outcome, boolean disturbed) {}

    /// `obstacle` says why the member may run.
    Found look(InspectionJob job, int ordinal, Duration deadline, Supplier<Optional<String>> obstacle) {
        if (loading.jobs().read(context.ref(), job.namespace(), job.name()).isEmpty()) {
            if (!loading.jobs().gone(context.ref(), job.namespace(), job.name())) {
                throw late("a former pod of the Job " + job.name() + " still exists");
            }
            loading.jobs().inspect(job);
        }
        var found = new AtomicReference<Optional<Found>>(Optional.empty());
        var start = new JobStart(context, job.namespace(), job.name());
        var missing = context.awaitTurn(deadline, () -> {
            var state = loading.jobs().read(context.ref(), job.namespace(), job.name());
            found.set(state.flatMap(s -> found(s, start)));
            return state.isEmpty() || found.get().isPresent()
                    ? Optional.empty()
                    : Optional.of("the Job " + job.name() + " has returned nothing yet");
        });
        if (found.get().isEmpty()) {
            throw late(missing.orElse("the Job " + job.name() + " is gone"));
        }
        context.refresh();
        var told = confirmed(ordinal, found.get().get(), obstacle);
        remove(job);
        return told;
    }

    private static GatewayException late(String what) {
        return new GatewayException(GatewayException.Kind.TIMEOUT, false, what);
    }

    private static Optional<Found> found(RestoreJobs.State state, JobStart start) {
        return outcome(state, start)
                .map(outcome -> new Found(state.content(), outcome, !(state.phase() instanceof Phase.Pending)));
    }

    private static Optional<Outcome> outcome(RestoreJobs.State state, JobStart start) {
        return switch (state.phase()) {
            case Phase.Told(Outcome.Told told) -> Optional.of(told);
            case Phase.Failed(String container, var unused, String reason, String excerpt) ->
                Optional.of(new Outcome.Unreadable((container.isEmpty() ? "" : container + ": ")
                        + reason
                        + (excerpt.isEmpty() ? "" : ": " + excerpt)));
            case Phase.Succeeded _ -> Optional.of(new Outcome.Unreadable("the Job ended and returned nothing"));
            case Phase.Pending pending -> {
                var seen = start.look(state, pending);
                yield seen.hopeless() ? Optional.of(new Outcome.Unreadable(seen.said())) : Optional.empty();
            }
            case Phase.Receiving _,
                    Phase.Restoring _,
                    Phase.Copying _,
                    Phase.Settling _,
                    Phase.Serving _,
                    Phase.Measured _ -> Optional.empty();
        };
    }

    /// A member that started in the meantime wrote to the files being copied, and a node may give the
    /// volume to both. Only a copy made while the member certainly did not run counts.
    private Found confirmed(int ordinal, Found found, Supplier<Optional<String>> obstacle) {
        var why = found.seen().equals(Inspections.seen(context.state(), ordinal))
                ? obstacle.get().map(now -> now + ", at the end of the inspection")
                : Optional.of("the member was started during the inspection");
        var outcome = why.isPresent() && found.outcome() instanceof Outcome.Told
                ? new Outcome.Unreadable(why.get())
                : found.outcome();
        return new Found(found.seen(), outcome, found.disturbed() && why.isPresent());
    }

    /// A deleted Job ends by itself; the volume should be free when the run ends.
    void remove(InspectionJob job) {
        try {
            loading.jobs()
                    .read(context.ref(), job.namespace(), job.name())
                    .ifPresent(s -> loading.jobs().delete(context.ref(), job.namespace(), job.name(), s.uid()));
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.CONFLICT) {
                throw e;
            }
        }
        context.awaitTurn(
                UNTIL_GONE,
                () -> loading.jobs().gone(context.ref(), job.namespace(), job.name())
                        ? Optional.empty()
                        : Optional.of("the pod of the Job still exists"));
    }
}
