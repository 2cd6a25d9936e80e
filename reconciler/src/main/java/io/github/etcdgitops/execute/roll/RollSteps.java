package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.Hashes;
import io.github.etcdgitops.execute.PodStartWait;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.auth.TokenKeys;
import io.github.etcdgitops.execute.membership.LeaveSteps;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.roll.RollStep;
import io.github.etcdgitops.ring.roll.v2.V2Data;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Restarts members, one at a time, with another template or another file.
public final class RollSteps implements StepHandler<RollStep> {
    /// How long only the pod is checked: after that, other problems of the ring are checked too.
    private static final Duration UNREAD = Duration.ofMinutes(2);

    private final StepContext context;
    private final LeaveSteps leading;
    private final RollView roll;

    public RollSteps(StepContext context, LeaveSteps leading) {
        this.context = context;
        this.leading = leading;
        this.roll = new RollView(context);
    }

    @Override
    public Optional<String> alreadySo(RollStep step) {
        return switch (step) {
            case RollStep.BeginRoll(var target, String operationId) -> begun(target, operationId);
            case RollStep.LeadFrom(int ordinal, var unused) -> leads(ordinal);
            case RollStep.WriteTemplate _ -> roll.former() ? Optional.empty() : Optional.of("written");
            case RollStep.RestartMember(int ordinal) ->
                roll.set().rollout().partition() <= ordinal ? Optional.of("restart requested") : Optional.empty();
            case RollStep.OpenPartition(int ordinal) -> new Renewals(context).lowered(ordinal);
            case RollStep.PinPartition(int replicas) ->
                roll.pinned(replicas) && !roll.set().rollout().inProgress() ? Optional.of("pinned") : Optional.empty();
            case RollStep.FinishRoll(var target) ->
                roll.over() && context.journal().applied().equals(target)
                        ? Optional.of("journalled")
                        : Optional.empty();
            case RollStep.WriteMemberFile _, RollStep.AwaitRolled _, RollStep.CompareMember _ -> Optional.empty();
            case RollStep.Soak _, RollStep.AwaitClusterVersion _ -> Optional.empty();
        };
    }

    @Override
    public StepResult act(RollStep step) {
        return switch (step) {
            case RollStep.BeginRoll(var target, String operationId) -> begin(target, operationId);
            case RollStep.LeadFrom(int ordinal, var unused) -> lead(ordinal, step.deadline());
            case RollStep.WriteTemplate(var target) -> writeTemplate(target, step.deadline());
            case RollStep.WriteMemberFile(int ordinal, var target) -> writeFile(ordinal, target);
            case RollStep.RestartMember(int ordinal) -> restart(ordinal);
            case RollStep.OpenPartition(int ordinal) -> new Renewals(context).lower(ordinal, step.deadline());
            case RollStep.AwaitRolled(int ordinal, var version) -> awaitRolled(ordinal, version, step.deadline());
            case RollStep.CompareMember(int ordinal) -> compare(ordinal);
            case RollStep.Soak(Duration time) -> soak(time, step.deadline());
            case RollStep.AwaitClusterVersion(var version) -> awaitClusterVersion(version, step.deadline());
            case RollStep.PinPartition(int replicas) -> pin(replicas, step.deadline());
            case RollStep.FinishRoll(var target) -> finish(target);
        };
    }

    private Optional<String> begun(MemberSettings target, String operationId) {
        return context.journal()
                .intent()
                .filter(i -> i.kind() == Intent.Kind.ROLL
                        && i.epoch() == context.epoch()
                        && i.operationId().equals(operationId)
                        && i.roll()
                                .filter(begun -> begun.target().equals(target))
                                .isPresent())
                .map(_ -> "under way");
    }

    /// The former template's digest is that of the first time: once the template is replaced, it cannot be
    /// read any more.
    private StepResult begin(MemberSettings target, String operationId) {
        var held = new TokenKeys(context).ofNext(context.journal().applied(), target);
        if (held.isPresent()) {
            return held.get();
        }
        var earlier = context.journal().roll();
        String former = earlier.map(Intent.Roll::formerTemplate)
                .orElseGet(() -> roll.set().templateDigest());
        var intent = new Intent(
                Intent.Kind.ROLL, 0, operationId, context.epoch(), Optional.of(new Intent.Roll(target, former)));
        context.journal(journal -> journal.withIntent(Optional.of(intent)));
        return new StepResult.Done(earlier.isPresent() ? "continued" : "journalled");
    }

    private Optional<String> leads(int ordinal) {
        var leader = context.state().ring().optional().flatMap(r -> r.leader());
        return context.member(ordinal)
                .map(MemberState::id)
                .filter(id -> leader.filter(id::equals).isPresent())
                .map(_ -> "it leads");
    }

    private StepResult lead(int ordinal, Duration deadline) {
        var target = context.member(ordinal).map(MemberState::id);
        if (target.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not in the member list");
        }
        return leading.moveLeadership(deadline, () -> leads(ordinal).isPresent(), () -> target);
    }

    private StepResult writeTemplate(MemberSettings target, Duration deadline) {
        context.kube().writeTemplate(context.objects(target), roll.set());
        return context.until(
                deadline,
                () -> roll.settled() && roll.set().rollout().inProgress()
                        ? Optional.empty()
                        : Optional.of("the StatefulSet's controller has created no new revision"),
                () -> "written");
    }

    /// Always written: the writer compares it with the existing file.
    private StepResult writeFile(int ordinal, MemberSettings target) {
        var sealed = new MemberConfig.Sealed(context.incarnation(ordinal));
        context.kube().writeMemberConfig(context.objects(target), ordinal, Optional.of(sealed));
        return new StepResult.Done("written");
    }

    private StepResult restart(int ordinal) {
        context.kube().setPartition(context.ref(), roll.set(), ordinal, context.epoch());
        return new StepResult.Done("partition " + ordinal);
    }

    private StepResult awaitRolled(int ordinal, EtcdVersion version, Duration deadline) {
        var end = context.now().plus(deadline);
        roll.awaitBack(ordinal, UNREAD);
        var missing = new PodStartWait(context, List.of(ordinal))
                .await(
                        Duration.between(context.now(), end),
                        () -> failing(ordinal, version).isPresent()
                                        || differing().isPresent()
                                ? Optional.empty()
                                : missing(ordinal, version));
        var differing = differing();
        if (differing.isPresent()) {
            return new StepResult.Failed("the alarm " + differing.get()
                    + " is raised, and no pod becomes ready until then. The next run plans the repair");
        }
        return failing(ordinal, version)
                .<StepResult>map(f -> new StepResult.Failed(f.why() + ": " + f.detail()
                        + ". The other members serve. If this one does not start, the next run takes the rollout"
                        + " back, if that is still possible"))
                .or(() -> missing.map(StepResult.Failed::new))
                .or(() -> new InUse(context)
                        .missing(ordinal)
                        .map(unused -> new StepResult.Failed(context.ref().podName(ordinal)
                                + " has restarted and ignores its new settings: " + unused
                                + ". No other member restarts. Take the change out of the document: the next run then"
                                + " takes the rollout back")))
                .orElseGet(() -> new StepResult.Done("etcd " + version + ", member "
                        + context.member(ordinal).map(m -> m.id().toString()).orElse("unknown")));
    }

    /// What the member still lacks; empty when it is done.
    private Optional<String> missing(int ordinal, EtcdVersion version) {
        String name = context.ref().podName(ordinal);
        if (!roll.settled()) {
            return Optional.of("the StatefulSet's controller has not processed yet that " + name + " must restart");
        }
        if (roll.newest(ordinal).filter(p -> p.ready() && !p.terminating()).isEmpty()) {
            return Optional.of(name + " is not ready again yet");
        }
        var runs = context.member(ordinal).flatMap(m -> m.status().optional()).map(MemberState.Status::version);
        if (runs.filter(version::equals).isEmpty()) {
            return Optional.of(name + " does not answer as etcd " + version + " yet");
        }
        return RingHealth.passing(context.state()).stream().findFirst();
    }

    /// Some member's data differs from that of the others; waiting does not help.
    private Optional<String> differing() {
        return context.state().ring().optional().stream()
                .flatMap(ring -> ring.alarms(Alarm.Kind.CORRUPT).stream())
                .map(Alarm::toString)
                .findFirst();
    }

    /// Why waiting will not make the member start. The status of the former pod does not count.
    private Optional<Failing> failing(int ordinal, EtcdVersion version) {
        return roll.settled() && roll.newest(ordinal).isPresent()
                ? Failing.of(context.state(), ordinal, version)
                : Optional.empty();
    }

    private StepResult compare(int ordinal) {
        var member = context.member(ordinal);
        return member.isEmpty()
                ? new StepResult.Held(context.ref().podName(ordinal) + " is not in the member list")
                : new Hashes(context).compare(member.get());
    }

    private StepResult soak(Duration time, Duration deadline) {
        var until = context.now().plus(time);
        return context.until(
                deadline,
                () -> context.now().isBefore(until)
                        ? Optional.of("the observation time is not over")
                        : RingHealth.problems(context.state(), Set.of()).stream()
                                .findFirst(),
                () -> "every member is healthy");
    }

    private StepResult awaitClusterVersion(EtcdVersion version, Duration deadline) {
        return context.until(deadline, () -> new ClusterVersions(context).otherThan(version), () -> "it is");
    }

    private StepResult pin(int replicas, Duration deadline) {
        var rolling = context.await(
                deadline,
                () -> roll.still()
                        ? Optional.empty()
                        : Optional.of("the StatefulSet has not made the new template its current one yet"));
        if (rolling.isPresent()) {
            return new StepResult.Failed(rolling.get());
        }
        context.kube().setPartition(context.ref(), roll.set(), replicas, context.epoch());
        return settled(deadline, "partition " + replicas);
    }

    /// Waits until the controller has seen the write: before that, nothing shows whether a roll continues.
    private StepResult settled(Duration deadline, String done) {
        return context.until(
                deadline,
                () -> roll.settled()
                        ? Optional.empty()
                        : Optional.of("the StatefulSet's controller has not processed the change yet"),
                () -> done);
    }

    /// A roll that was rolled back stays so, unless this is it, or the ring has moved on.
    private StepResult finish(MemberSettings target) {
        context.journal(journal -> {
            var own = journal.intent().map(Intent::operationId);
            boolean further = !journal.applied().version().equals(target.version());
            var backedOut = journal.past()
                    .backedOut()
                    .filter(b -> !further && !Optional.of(b.operationId()).equals(own));
            return V2Data.rolled(journal, target, context.state())
                    .withApplied(target)
                    .withBackedOut(backedOut)
                    .withIntent(Optional.empty());
        });
        return new StepResult.Done("journalled");
    }
}
