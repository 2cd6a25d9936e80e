package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.gateway.RestoreJobs.InspectionJob;
import io.github.etcdgitops.gateway.RestoreJobs.Look;
import io.github.etcdgitops.gateway.RestoreJobs.State;
import io.github.etcdgitops.gateway.RestoreJobs.Witness;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.repair.InspectStep;
import io.github.etcdgitops.ring.repair.WitnessInspectionStep;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Inspection.Outcome;
import io.github.etcdgitops.state.underway.Inspections;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Inspects the volume of a member that exits at each start, to compare its data with that of the voters
/// that answer. The kubelet starts it again every few minutes: a copy made over such a start does not
/// count, and the next inspection begins right after it.
public final class WitnessSteps implements StepHandler<WitnessInspectionStep> {
    private static final int ATTEMPTS = 4;

    /// How long a container that the check stops needs to end.
    private static final Duration UNTIL_ENDED = Duration.ofMinutes(1);

    private final StepContext context;
    private final ImageOrder loading;
    private final DivergedMembers odd;
    private final VolumeInspections looks;

    public WitnessSteps(StepContext context, ImageOrder loading) {
        this.context = context;
        this.loading = loading;
        this.odd = new DivergedMembers(context);
        this.looks = new VolumeInspections(context, loading);
    }

    @Override
    public Optional<String> alreadySo(WitnessInspectionStep step) {
        return Inspections.witness(context.state(), step.ordinal()).map(told -> "revision " + told.revision());
    }

    @Override
    public StepResult act(WitnessInspectionStep step) {
        var compacted = odd.compacted();
        if (compacted.isEmpty()) {
            return new StepResult.Held("the members that answer did not report their compacted revision");
        }
        var unable = loading.unable();
        if (unable.isPresent()) {
            return journal(
                    step, Inspections.seen(context.state(), step.ordinal()), new Outcome.Unreadable(unable.get()));
        }
        var end = context.now().plus(InspectStep.LONGEST);
        var found = look(step, compacted.getAsLong(), end);
        for (int attempt = 1;
                attempt < ATTEMPTS && found.disturbed() && context.now().isBefore(end);
                attempt++) {
            found = look(step, compacted.getAsLong(), end);
        }
        return journal(step, found.seen(), comparable(found.outcome(), compacted.getAsLong()));
    }

    private VolumeInspections.Found look(WitnessInspectionStep step, long compacted, Instant end) {
        var runs = context.await(UNTIL_ENDED, () -> obstacle(step));
        String seen = Inspections.seen(context.state(), step.ordinal());
        if (runs.isPresent()) {
            return new VolumeInspections.Found(seen, new Outcome.Unreadable(runs.get()), false);
        }
        var job = job(step, seen, compacted);
        var before = loading.jobs().read(context.ref(), job.namespace(), job.name());
        if (before.map(State::content).filter(seen::equals).isEmpty()) {
            looks.remove(job);
        }
        return looks.look(job, step.ordinal(), Duration.between(context.now(), end), () -> obstacle(step));
    }

    private Optional<String> obstacle(WitnessInspectionStep step) {
        return Inspections.witnessObstacle(context.state(), step.ordinal(), step.claimUid());
    }

    private InspectionJob job(WitnessInspectionStep step, String seen, long compacted) {
        var machine = context.pod(step.ordinal())
                .flatMap(pod -> pod.life().whereabouts().node());
        var look = new Look(
                context.claim(step.ordinal()).map(ClaimState::name).orElseThrow(),
                step.claimUid(),
                context.incarnation(step.ordinal()),
                seen,
                Optional.of(new Witness(compacted, machine)));
        return new InspectionJob(
                context.objectsAtRest(), look, loading.image().get(), InspectStep.LONGEST, step.operationId());
    }

    private static Outcome comparable(Outcome outcome, long compacted) {
        if (!(outcome instanceof Outcome.Told(long revision, var hash, var unused))) {
            return outcome;
        }
        if (revision < compacted) {
            return new Outcome.Unreadable("it ends at revision " + revision + ", and the members that answer have"
                    + " compacted everything before revision " + compacted
                    + ". No revision can be compared on all members");
        }
        return hash.isPresent()
                ? new Outcome.Told(revision, hash, true)
                : new Outcome.Unreadable("etcd returned no hash of its data");
    }

    private StepResult journal(WitnessInspectionStep step, String seen, Outcome outcome) {
        var inspection = new Inspection(step.claimUid(), context.now(), seen, outcome);
        context.refresh();
        context.journal(journal -> journal.withTries(journal.past().tries().with(step.ordinal(), inspection)));
        return switch (outcome) {
            case Outcome.Told(long revision, var unused, var alsoUnused) -> new StepResult.Done("revision " + revision);
            case Outcome.Unreadable(String why) ->
                new StepResult.Held("the volume of " + context.ref().podName(step.ordinal())
                        + " does not show which data is wrong: " + why);
        };
    }
}
