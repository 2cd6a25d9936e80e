package io.github.etcdgitops.execute.maintenance;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.membership.LeaveSteps;
import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.maintenance.MaintainGate;
import io.github.etcdgitops.ring.maintenance.MaintainStep;
import io.github.etcdgitops.spec.ring.Maintenance;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/// Defragments members, and makes a ring that is out of space writable again.
public final class MaintainSteps implements StepHandler<MaintainStep> {
    private final StepContext context;
    private final LeaveSteps leaving;

    /// A file was defragmented in this run, and leaves no room: the other members have the same data.
    private boolean inVain;

    public MaintainSteps(StepContext context, LeaveSteps leaving) {
        this.context = context;
        this.leaving = leaving;
    }

    @Override
    public Optional<String> alreadySo(MaintainStep step) {
        return switch (step) {
            case MaintainStep.Defragment(int ordinal, int percent, long minimum) ->
                status(ordinal)
                        .filter(s -> !new Maintenance.Defragment(percent, minimum).worth(s.dbSize(), s.dbSizeInUse()))
                        .map(MaintainSteps::sizes);
            case MaintainStep.HandOver(int ordinal) -> leaving.followsAlready(ordinal);
            case MaintainStep.MakeRoom(int ordinal) ->
                status(ordinal)
                        .filter(s -> inVain || Space.roomy(s.dbSize(), quota()))
                        .map(s -> inVain ? "defragmenting another member freed no space" : sizes(s));
            case MaintainStep.DisarmSpace _ ->
                ring().filter(r -> r.alarms(Alarm.Kind.NOSPACE).isEmpty()).map(_ -> "this alarm is not raised");
            case MaintainStep.CompactHistory _, MaintainStep.ProveWrites _ -> Optional.empty();
        };
    }

    @Override
    public StepResult act(MaintainStep step) {
        return switch (step) {
            case MaintainStep.Defragment(int ordinal, int percent, long minimum) -> {
                var when = new Maintenance.Defragment(percent, minimum);
                yield rewrite(ordinal, step, s -> !when.worth(s.dbSize(), s.dbSizeInUse()), MaintainSteps::unwell);
            }
            case MaintainStep.CompactHistory(long kept) -> compact(kept, step.deadline());
            case MaintainStep.HandOver(int ordinal) -> leaving.yieldLeadership(ordinal, step.deadline());
            case MaintainStep.MakeRoom(int ordinal) -> makeRoom(ordinal, step);
            case MaintainStep.DisarmSpace _ -> disarm(step.deadline());
            case MaintainStep.ProveWrites _ -> proveWrites(step.deadline());
        };
    }

    // --- files

    /// `done` recognizes a file with nothing left to gain, however large it is; `unwell` is what still must
    /// recover.
    ///
    /// The call gets as much time as any other: etcd continues when the caller stops waiting, and the Lease
    /// would expire before a large file is written. The member shows the result when it answers again.
    private StepResult rewrite(
            int ordinal,
            MaintainStep step,
            Predicate<MemberState.Status> done,
            Function<ClusterState, Optional<String>> unwell) {
        var before = status(ordinal);
        var leader = ring().flatMap(RingState::leader);
        if (before.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " does not answer");
        }
        try {
            at(ordinal, (etcd, route) -> etcd.defragment(route, StepContext.CALL));
        } catch (GatewayException e) {
            if (!e.mayHaveHappened()) {
                throw e;
            }
        }
        var missing = context.await(
                step.forSize(before.get().dbSize()),
                () -> unwell.apply(context.state())
                        .or(() -> asLarge(ordinal, before.get().dbSize(), done)));
        return missing.<StepResult>map(StepResult.Failed::new)
                .orElseGet(() -> rewritten(ordinal, before.get(), leader));
    }

    private static Optional<String> unwell(ClusterState fresh) {
        return RingHealth.problems(fresh, Set.of()).stream().findFirst();
    }

    /// The gain cannot be known beforehand: space that a compaction has freed counts as in use until the
    /// next write (seen on 3.4.23 and 3.5.30), and there are no writes.
    private StepResult makeRoom(int ordinal, MaintainStep step) {
        var result = rewrite(ordinal, step, Space::packed, fresh -> MaintainGate.unwellAfter(ordinal, fresh));
        inVain = result.ok() && crammed(ordinal).isPresent();
        return result;
    }

    private Optional<String> asLarge(int ordinal, long before, Predicate<MemberState.Status> done) {
        return status(ordinal)
                .filter(s -> s.dbSize() >= before && !done.test(s))
                .map(_ -> "the file of " + context.ref().podName(ordinal)
                        + " is as large as before. See the member's log");
    }

    /// An absent follower never changes the leader: if the leader changed, the chain ends here.
    private StepResult rewritten(int ordinal, MemberState.Status before, Optional<EtcdId> leader) {
        var now = ring().flatMap(RingState::leader);
        var after = status(ordinal).orElse(before);
        return now.equals(leader)
                ? new StepResult.Done("its file had " + Space.mebibytes(before.dbSize()) + ", " + sizes(after))
                : new StepResult.Failed("done, but the leader changed during that time, from "
                        + leader.map(EtcdId::toString).orElse("none") + " to "
                        + now.map(EtcdId::toString).orElse("none"));
    }

    private static String sizes(MemberState.Status status) {
        return "its file has " + Space.mebibytes(status.dbSize())
                + (Space.tellsUse(status) ? ", " + Space.mebibytes(status.dbSizeInUse()) + " in use" : "");
    }

    // --- history

    /// etcd compacts all members at once, and each member frees the space by itself.
    private StepResult compact(long kept, Duration deadline) {
        long newest = 0;
        for (var voter : voters()) {
            newest = Math.max(
                    newest, context.calls().through(voter, (etcd, route) -> etcd.revision(route, StepContext.CALL)));
        }
        long oldest = newest - kept;
        if (oldest <= 0) {
            return new StepResult.AlreadySo("there are " + newest + " revisions in total");
        }
        var waitingFor = new ArrayList<>(voters());
        var missing = context.await(deadline, () -> {
            while (!waitingFor.isEmpty()) {
                var refused =
                        tried(waitingFor.getFirst(), (etcd, route) -> etcd.compact(route, oldest, StepContext.CALL));
                if (refused.isPresent()) {
                    return refused;
                }
                waitingFor.removeFirst();
            }
            return Optional.empty();
        });
        return missing.<StepResult>map(StepResult.Failed::new)
                .orElseGet(() -> new StepResult.Done("all revisions before " + oldest + " are compacted"));
    }

    // --- the alarm

    private StepResult disarm(Duration deadline) {
        var crammed = voters().stream()
                .flatMap(m -> m.ordinal(context.ref()).flatMap(this::crammed).stream())
                .findFirst();
        if (crammed.isPresent()) {
            return new StepResult.Held(crammed.get());
        }
        return context.retry(
                deadline,
                () -> raised().isEmpty(),
                () -> raised().forEach(member -> context.calls()
                        .throughLeader((etcd, route) -> etcd.disarmNoSpace(route, member, StepContext.CALL))));
    }

    /// A member with an alarm may no longer be in the ring.
    private List<EtcdId> raised() {
        var ring = ring().orElseThrow(() ->
                new GatewayException(GatewayException.Kind.UNREACHABLE, false, "the ring could not be read"));
        return ring.alarms(Alarm.Kind.NOSPACE).stream().map(Alarm::member).toList();
    }

    private Optional<String> crammed(int ordinal) {
        String name = context.ref().podName(ordinal);
        var status = status(ordinal);
        if (status.isEmpty()) {
            return Optional.of(name + " does not answer");
        }
        return status.filter(s -> !Space.roomy(s.dbSize(), quota()))
                .map(s -> "the file of " + name + " still has " + Space.mebibytes(s.dbSize())
                        + (Space.tellsUse(s) ? " (" + Space.mebibytes(s.dbSizeInUse()) + " in use)" : "")
                        + " of a quota of " + Space.mebibytes(quota())
                        + ", with the newest "
                        + context.spec().declaration().handling().maintenance().keepRevisions()
                        + " revisions. Delete keys and lower /spec/maintenance/keepRevisions, or raise"
                        + " /spec/etcd/quotaBackendBytes");
    }

    private StepResult proveWrites(Duration deadline) {
        return context.until(
                deadline,
                () -> raised().stream()
                        .findFirst()
                        .map(member -> "alarm " + new Alarm(Alarm.Kind.NOSPACE, member) + " is raised again")
                        .or(() -> voters().stream()
                                .flatMap(m ->
                                        tried(m, (etcd, route) -> etcd.proveWrite(route, StepContext.CALL)).stream())
                                .findFirst()),
                () -> "every voter accepts writes");
    }

    // --- the ring

    /// What happened, where the call had no effect.
    private Optional<String> tried(MemberState member, BiConsumer<EtcdGateway, Route> call) {
        try {
            context.calls().through(member, (etcd, route) -> {
                call.accept(etcd, route);
                return true;
            });
            return Optional.empty();
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void at(int ordinal, BiConsumer<EtcdGateway, Route> call) {
        var member = context.member(ordinal)
                .orElseThrow(() -> new GatewayException(
                        GatewayException.Kind.NOT_FOUND, false, context.ref().podName(ordinal) + " is not a member"));
        context.calls().through(member, (etcd, route) -> {
            call.accept(etcd, route);
            return true;
        });
    }

    private Optional<RingState> ring() {
        return context.state().ring().optional();
    }

    /// The gate has checked that the ring can spare those that do not answer.
    private List<MemberState> voters() {
        return ring().stream()
                .flatMap(r -> r.voters().stream())
                .filter(MemberState::answers)
                .toList();
    }

    private Optional<MemberState.Status> status(int ordinal) {
        return context.member(ordinal).flatMap(m -> m.status().optional());
    }

    private long quota() {
        return Space.quota(
                context.state().kube().appliedOr(context.spec().server()).options());
    }
}
