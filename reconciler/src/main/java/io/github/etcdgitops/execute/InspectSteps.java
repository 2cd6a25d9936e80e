package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.InspectionJob;
import io.github.etcdgitops.gateway.RestoreJobs.Look;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.state.Inspection;
import io.github.etcdgitops.state.Inspection.Outcome;
import io.github.etcdgitops.state.Inspections;
import io.github.etcdgitops.step.InspectStep;
import io.github.etcdgitops.step.StepResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Looks into volumes of members that do not run, by a Job each. A Job that an earlier run made is carried
/// on with: it has the same name.
///
/// The Job goes before what it told is journalled, so that none is left of which nobody knows; a run that is
/// killed between the two looks once more. What the Job could not find out is journalled as well: that is an
/// answer. Trouble with Kubernetes is none.
final class InspectSteps {
    /// How long nothing may run: no machine, no image, no volume.
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final Duration UNTIL_GONE = Duration.ofMinutes(1);

    private final StepContext context;
    private final Loading loading;

    InspectSteps(StepContext context, Loading loading) {
        this.context = context;
        this.loading = loading;
    }

    /// `seen` is of before the copy was made.
    private record Found(String seen, Outcome outcome) {}

    Optional<String> alreadySo(InspectStep step) {
        return journalled(step)
                .filter(known -> step.before().filter(known.at()::equals).isEmpty())
                .map(known -> said(known.outcome()));
    }

    private Optional<Inspection> journalled(InspectStep step) {
        return context.journalState()
                .flatMap(j -> Optional.ofNullable(
                        j.journal().past().tries().inspected().get(step.ordinal())))
                .filter(known -> known.claimUid().equals(step.claimUid()));
    }

    StepResult act(InspectStep step) {
        loading.requireImage();
        var job = job(step);
        if (loading.jobs().read(context.ref(), job.namespace(), job.name()).isEmpty()) {
            if (!loading.jobs().gone(context.ref(), job.namespace(), job.name())) {
                return new StepResult.Failed("a pod of the Job " + job.name() + " of before has not gone");
            }
            loading.jobs().inspect(job);
        }
        var found = new AtomicReference<Optional<Found>>(Optional.empty());
        var began = context.now();
        var missing = context.awaitTurn(step.deadline(), () -> {
            var state = loading.jobs().read(context.ref(), job.namespace(), job.name());
            found.set(state.flatMap(s -> found(s, began)));
            return state.isEmpty() || found.get().isPresent()
                    ? Optional.empty()
                    : Optional.of("the Job " + job.name() + " has told nothing yet");
        });
        if (found.get().isEmpty()) {
            return new StepResult.Failed(missing.orElse("the Job " + job.name() + " is gone"));
        }
        context.refresh();
        var told = confirmed(step, found.get().get());
        remove(job);
        return journal(step, told);
    }

    private InspectionJob job(InspectStep step) {
        var look = new Look(
                context.claim(step.ordinal()).orElseThrow(() -> gone(step)).name(),
                step.claimUid(),
                context.incarnation(step.ordinal()),
                Inspections.seen(context.state(), step.ordinal()));
        return new InspectionJob(
                context.objectsAtRest(), look, loading.image().get(), InspectStep.LONGEST, step.operationId());
    }

    private GatewayException gone(InspectStep step) {
        return new GatewayException(
                GatewayException.Kind.CONFLICT,
                false,
                "the claim of " + context.ref().podName(step.ordinal()) + " is gone");
    }

    private Optional<Found> found(RestoreJobs.State state, Instant began) {
        return outcome(state.phase(), began).map(outcome -> new Found(state.content(), outcome));
    }

    private Optional<Outcome> outcome(Phase phase, Instant began) {
        return switch (phase) {
            case Phase.Told(Outcome.Told told) -> Optional.of(told);
            case Phase.Failed(String container, var unused, String reason, String excerpt) ->
                Optional.of(new Outcome.Unreadable((container.isEmpty() ? "" : container + ": ")
                        + reason
                        + (excerpt.isEmpty() ? "" : ": " + excerpt)));
            case Phase.Succeeded _ -> Optional.of(new Outcome.Unreadable("the Job ended and told nothing"));
            case Phase.Pending(String why) ->
                context.now().isAfter(began.plus(PATIENCE))
                        ? Optional.of(new Outcome.Unreadable("the pod of the Job did not start within "
                                + PATIENCE.toMinutes() + " minutes" + (why.isEmpty() ? "" : ": " + why)))
                        : Optional.empty();
            case Phase.Receiving _,
                    Phase.Restoring _,
                    Phase.Copying _,
                    Phase.Settling _,
                    Phase.Serving _,
                    Phase.Measured _ -> Optional.empty();
        };
    }

    /// A member that was started meanwhile wrote to what was being copied, and a machine may let both have
    /// the volume. Only what was copied while it certainly did not run counts.
    private Found confirmed(InspectStep step, Found found) {
        if (found.outcome() instanceof Outcome.Unreadable) {
            return found;
        }
        if (!found.seen().equals(Inspections.seen(context.state(), step.ordinal()))) {
            return new Found(found.seen(), new Outcome.Unreadable("the member was started meanwhile"));
        }
        return Inspections.obstacle(context.state(), step.ordinal(), step.claimUid())
                .map(why -> new Found(found.seen(), new Outcome.Unreadable(why + ", by now")))
                .orElse(found);
    }

    /// Asked to go, it goes by itself; the volume should be free when the run ends.
    private void remove(InspectionJob job) {
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
                        : Optional.of("the pod of the Job has not gone"));
    }

    private StepResult journal(InspectStep step, Found found) {
        context.refresh();
        var inspection = new Inspection(step.claimUid(), context.now(), found.seen(), found.outcome());
        context.journal(journal -> journal.withTries(journal.past().tries().with(step.ordinal(), inspection)));
        return new StepResult.Done(said(found.outcome()));
    }

    private static String said(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Told(long revision, var unused) -> "revision " + revision;
            case Outcome.Unreadable(String why) -> "it could not be read: " + why;
        };
    }
}
