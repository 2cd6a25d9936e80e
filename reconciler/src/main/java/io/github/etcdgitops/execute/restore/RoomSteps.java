package io.github.etcdgitops.execute.restore;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.job.ImageOrder;
import io.github.etcdgitops.execute.job.JobAnswer;
import io.github.etcdgitops.execute.job.JobRemoval;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.Room;
import io.github.etcdgitops.gateway.RestoreJobs.RoomJob;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.restore.RecoverStep.ProveRoom;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.underway.ReceivingVolume;

/// Checks the free room on the volume that receives a snapshot, before the ring that has its data there is
/// ended. Neither etcd's file size nor the claim's capacity shows it: former data directories, write-ahead
/// logs and the file system itself also need room.
///
/// A pod checks on the node that has the volume, which it mounts read-only. Any answer other than enough
/// bytes is a refusal, also if the pod did not run: then the pod that receives the snapshot would not run
/// either.
public final class RoomSteps {
    private final StepContext context;
    private final ImageOrder loading;
    private final JobRemoval jobs;

    public RoomSteps(StepContext context, ImageOrder loading) {
        this.context = context;
        this.loading = loading;
        this.jobs = new JobRemoval(context, loading.jobs());
    }

    StepResult prove(ProveRoom step) {
        var claim = ReceivingVolume.claim(context.state());
        if (claim.isEmpty()) {
            return new StepResult.Done(
                    "a new volume of " + context.spec().storage().size() + " is created for it");
        }
        loading.requireImage();
        var job = job(step, claim.get());
        var before = jobs.remove(job.namespace(), job.name());
        if (before.isPresent()) {
            return new StepResult.Failed(before.get() + ". No member was stopped");
        }
        loading.jobs().measure(job);
        var answer = new JobAnswer(context, loading.jobs()).await(job.namespace(), job.name(), ProveRoom.LONGEST);
        jobs.remove(job.namespace(), job.name());
        return judged(
                claim.get(),
                answer,
                ReceivingVolume.needed(step.order().source().size()));
    }

    private RoomJob job(ProveRoom step, ClaimState claim) {
        var room = new Room(claim.name(), claim.uid(), ReceivingVolume.machine(context.state()));
        return new RoomJob(context.objectsAtRest(), room, loading.image().get(), ProveRoom.LONGEST, step.operationId());
    }

    private StepResult judged(ClaimState claim, Phase answer, long needed) {
        return switch (answer) {
            case Phase.Measured(long free)
            when free >= needed -> new StepResult.Done(free + " bytes are free on the volume of " + claim.name());
            case Phase.Measured(long free) ->
                new StepResult.Failed("the volume of " + claim.name() + " is too small: " + free
                        + " bytes are free, and " + needed + " are needed for the snapshot, its restored copy and a"
                        + " write-ahead log. No member was stopped. Raise spec.storage.size, or remove"
                        + " data directories that no member uses");
            case Phase.Failed(var unused, var alsoUnused, String reason, String excerpt) ->
                unasked(claim, reason + (excerpt.isEmpty() ? "" : " (" + excerpt + ")"));
            case Phase.Pending pending -> unasked(claim, pending.why());
            case Phase.Receiving _, Phase.Restoring _, Phase.Copying _, Phase.Settling _, Phase.Serving _ ->
                unasked(claim, "the Job is a different one");
            case Phase.Told _, Phase.Succeeded _ -> unasked(claim, "its pod returned nothing");
        };
    }

    private static StepResult unasked(ClaimState claim, String why) {
        return new StepResult.Failed(
                "the volume of " + claim.name() + ", which would receive the snapshot, could not be checked for"
                        + " free space: " + why
                        + ". No member was stopped. Make sure that a pod with this claim can start. If the volume"
                        + " or its node is gone for good, delete the claim and the pod");
    }
}
