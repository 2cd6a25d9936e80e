package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RestoreJobs.InspectionJob;
import io.github.etcdgitops.gateway.RestoreJobs.Look;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.repair.InspectStep;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Inspection.Outcome;
import io.github.etcdgitops.state.underway.Inspections;
import java.util.Optional;

/// Inspects volumes of members that do not run, by one Job each.
///
/// The Job is deleted before its result is journalled, so that no unknown Job is left; a run that is killed
/// between the two inspects again. A Job that could not find out anything is also journalled: that is a
/// result. A problem with Kubernetes is not.
public final class InspectSteps implements StepHandler<InspectStep> {
    private final StepContext context;
    private final ImageOrder loading;

    public InspectSteps(StepContext context, ImageOrder loading) {
        this.context = context;
        this.loading = loading;
    }

    @Override
    public Optional<String> alreadySo(InspectStep step) {
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

    @Override
    public StepResult act(InspectStep step) {
        loading.requireImage();
        var found = new VolumeInspections(context, loading)
                .look(
                        job(step),
                        step.ordinal(),
                        step.deadline(),
                        () -> Inspections.obstacle(context.state(), step.ordinal(), step.claimUid()));
        return journal(step, found);
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

    private StepResult journal(InspectStep step, VolumeInspections.Found found) {
        context.refresh();
        var inspection = new Inspection(step.claimUid(), context.now(), found.seen(), found.outcome());
        context.journal(journal -> journal.withTries(journal.past().tries().with(step.ordinal(), inspection)));
        return new StepResult.Done(said(found.outcome()));
    }

    private static String said(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Told(long revision, var unused, var alsoUnused) -> "revision " + revision;
            case Outcome.Unreadable(String why) -> "it could not be read: " + why;
        };
    }
}
