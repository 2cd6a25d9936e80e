package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.job.JobAnswer;
import io.github.etcdgitops.execute.job.JobRemoval;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.RestoreJobs.Room;
import io.github.etcdgitops.gateway.RestoreJobs.V2KeysJob;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.roll.v2.FindOldKeys;
import io.github.etcdgitops.ring.roll.v2.V2Data;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Comparator;
import java.util.Optional;

/// Looks for keys of etcd's v2 API on the volume of one voter: every voter has the same.
///
/// The Job is deleted before its result is journalled, so a run that is killed in between looks again. Where there are
/// keys, so does the next run: then they may be gone. Where no Job can look, the upgrade goes on: etcd itself refuses
/// the keys at its first member, and the upgrade is taken back. Volumes that only one pod can mount would hold it for
/// ever.
public final class V2KeySteps implements StepHandler<FindOldKeys> {
    private final StepContext context;
    private final RestoreJobs jobs;

    public V2KeySteps(StepContext context, RestoreJobs jobs) {
        this.context = context;
        this.jobs = jobs;
    }

    @Override
    public Optional<String> alreadySo(FindOldKeys step) {
        if (V2Data.never(context.journal())) {
            return Optional.of("the ring has none");
        }
        return V2Data.passedBefore(context.state())
                ? Optional.of("a member runs the later version already")
                : Optional.empty();
    }

    @Override
    public StepResult act(FindOldKeys step) {
        var version = context.journal().applied().version();
        if (!V2Data.findsKeys(version)) {
            return unasked("etcd " + version + " has no `etcdutl check v2store`; 3.5.18 and later releases of 3.5 do");
        }
        return quietest()
                .map(ordinal -> look(ordinal, job(step, ordinal)))
                .orElseGet(
                        () -> new StepResult.Held("no voter's pod is ready, so nobody knows whether the ring has keys"
                                + " of etcd's v2 API. The next run looks again"));
    }

    /// One that does not lead, where there is one.
    private Optional<Integer> quietest() {
        var leader = context.state().ring().optional().flatMap(RingState::leader);
        return context.state().ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .sorted(Comparator.comparing(
                        (MemberState voter) -> leader.filter(voter.id()::equals).isPresent()))
                .flatMap(voter -> voter.ordinal(context.ref()).stream())
                .filter(ordinal ->
                        context.claim(ordinal).isPresent() && node(ordinal).isPresent())
                .findFirst();
    }

    private Optional<String> node(int ordinal) {
        return context.pod(ordinal)
                .filter(PodState::ready)
                .flatMap(pod -> pod.life().whereabouts().node());
    }

    private V2KeysJob job(FindOldKeys step, int ordinal) {
        var claim = context.claim(ordinal).orElseThrow();
        return new V2KeysJob(
                context.objectsAtRest(),
                new Room(claim.name(), claim.uid(), node(ordinal)),
                context.incarnation(ordinal),
                FindOldKeys.LONGEST,
                step.operationId());
    }

    /// A Job of an earlier run may have looked before somebody removed the keys. A call without an answer fails the
    /// step: it says nothing about keys, and the next run may get one. A refusal stays.
    private StepResult look(int ordinal, V2KeysJob job) {
        var removal = new JobRemoval(context, jobs);
        var before = removal.remove(job.namespace(), job.name());
        if (before.isPresent()) {
            return new StepResult.Failed(before.get() + ". Nothing was restarted");
        }
        try {
            jobs.findV2Keys(job);
        } catch (GatewayException e) {
            if (e.kind() == GatewayException.Kind.REJECTED) {
                return unasked(String.valueOf(e.getMessage()));
            }
            throw e;
        }
        var answer = new JobAnswer(context, jobs).await(job.namespace(), job.name(), FindOldKeys.LONGEST);
        removal.remove(job.namespace(), job.name());
        context.refresh();
        return judged(ordinal, answer);
    }

    private StepResult judged(int ordinal, Phase answer) {
        return switch (answer) {
            case Phase.Succeeded _ -> {
                context.journal(journal -> journal.withV2RecordsUpTo(Optional.of(0L)));
                yield new StepResult.Done(
                        "none on the volume of " + context.ref().podName(ordinal));
            }
            case Phase.Failed(var container, var unused, var alsoUnused, String excerpt)
            when V2Data.meansKeys(container, excerpt) -> {
                context.journal(journal -> journal.withV2KeysAt(context.now()));
                yield new StepResult.Held("the volume of " + context.ref().podName(ordinal) + " has " + V2Data.WAY_OUT
                        + ". etcdutl says: " + excerpt);
            }
            case Phase.Failed(var unused, var alsoUnused, String reason, String excerpt) ->
                unasked(reason + (excerpt.isEmpty() ? "" : " (" + excerpt + ")"));
            case Phase.Pending pending -> unasked(pending.why());
            case Phase.Receiving _,
                    Phase.Restoring _,
                    Phase.Copying _,
                    Phase.Settling _,
                    Phase.Serving _,
                    Phase.Told _,
                    Phase.Measured _ -> unasked("the Job is a different one");
        };
    }

    private static StepResult unasked(String why) {
        return new StepResult.Done("no Job could look: " + why
                + ". The upgrade goes on: with keys, the first member of 3.6 does not start, and the upgrade is taken"
                + " back");
    }
}
