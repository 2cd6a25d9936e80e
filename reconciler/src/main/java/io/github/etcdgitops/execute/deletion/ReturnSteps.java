package io.github.etcdgitops.execute.deletion;

import io.github.etcdgitops.execute.PodStartWait;
import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.deletion.ReturnStep;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.underway.KeptVolumes;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Brings a ring back on its retained volumes, as it was. Nothing here may start a member on an empty disk,
/// or on another volume than its own.
public final class ReturnSteps implements StepHandler<ReturnStep> {
    private static final String REMEDY =
            ". Name the member with the wrong data in a MemberReplacement. The next run continues and replaces it."
                    + " If no member has the right data, bring back the volumes that the ring had when it was"
                    + " deleted";

    private final StepContext context;
    private final SameData data;

    public ReturnSteps(StepContext context) {
        this.context = context;
        this.data = new SameData(context);
    }

    @Override
    public Optional<String> alreadySo(ReturnStep step) {
        return switch (step) {
            case ReturnStep.BeginReturn _ -> begun();
            case ReturnStep.SealMembers _ -> sealed();
            case ReturnStep.StartMembers(int members) -> started(members);
            case ReturnStep.AwaitReturned _, ReturnStep.CompareRemains _ -> Optional.empty();
            case ReturnStep.TakeVolumes _ -> taken();
            case ReturnStep.FinishReturn _ ->
                context.journal().remains().isEmpty() ? Optional.of("nothing is under way") : Optional.empty();
        };
    }

    @Override
    public StepResult act(ReturnStep step) {
        return switch (step) {
            case ReturnStep.BeginReturn(String operationId) -> begin(operationId);
            case ReturnStep.SealMembers _ -> seal();
            case ReturnStep.StartMembers(int members) -> start(members, step.deadline());
            case ReturnStep.AwaitReturned _ -> awaitReturned(step.deadline());
            case ReturnStep.CompareRemains _ -> compare();
            case ReturnStep.TakeVolumes _ -> take();
            case ReturnStep.FinishReturn _ -> finish();
        };
    }

    /// Where the other members have a leader, absent members are repaired afterwards, as in any ring.
    private StepResult awaitReturned(Duration deadline) {
        var missing = new PodStartWait(context, context.journal().members().keySet()).await(deadline, this::missing);
        return missing.isEmpty()
                ? new StepResult.Done("all members are back")
                : notLed().<StepResult>map(_ -> new StepResult.Failed(missing.get()))
                        .orElseGet(() -> new StepResult.Done("enough of them are back: " + missing.get()));
    }

    /// Why these members are not the former ring, or have no leader.
    private Optional<String> notLed() {
        var ring = context.state().ring().optional();
        if (ring.isEmpty()) {
            return context.state().ring().unknownReason();
        }
        var journal = context.journal();
        if (!journal.clusterId().equals(Optional.of(ring.get().clusterId()))) {
            return Optional.of("the members report the cluster ID " + ring.get().clusterId());
        }
        var other = ring.get().members().stream()
                .filter(m -> journal.members().values().stream()
                        .noneMatch(known -> known.id().equals(Optional.of(m.id()))))
                .findFirst();
        if (other.isPresent()) {
            return Optional.of("member " + other.get().id() + " was not a member of this ring");
        }
        return ring.get().leader().isPresent() ? Optional.empty() : Optional.of("no leader yet");
    }

    private Optional<String> begun() {
        return context.journal()
                .intent()
                .filter(i -> i.kind() == Intent.Kind.RETURN && i.epoch() == context.epoch())
                .map(_ -> "under way");
    }

    private StepResult begin(String operationId) {
        // Deleting a StatefulSet by hand leaves no entry in the journal.
        var remains = context.journal()
                .remains()
                .orElseGet(
                        () -> new RetainedRing("its StatefulSet was deleted by hand", context.now(), Optional.empty()));
        if (context.journal().intent().isPresent()) {
            context.outlastEarlierCalls();
            context.refresh();
        }
        var intent = Intent.of(Intent.Kind.RETURN, operationId, context.epoch(), remains.backAgain());
        context.journal(journal -> (journal.isUnderWay(Intent.Kind.RETURN)
                        ? journal
                        : journal.withDoings(journal.past().doings().returned()))
                .withIntent(Optional.of(intent)));
        return new StepResult.Done("journalled");
    }

    private MemberConfig sealedOf(int ordinal) {
        return new MemberConfig.Sealed(context.incarnation(ordinal));
    }

    private Optional<String> sealed() {
        return context.journal().members().keySet().stream()
                        .allMatch(ordinal -> context.config(ordinal)
                                .filter(sealedOf(ordinal)::equals)
                                .isPresent())
                ? Optional.of("sealed")
                : Optional.empty();
    }

    private StepResult seal() {
        for (int ordinal : context.journal().members().keySet()) {
            context.kube().writeMemberConfig(context.objectsAtRest(), ordinal, Optional.of(sealedOf(ordinal)));
        }
        return new StepResult.Done("sealed");
    }

    private Optional<String> started(int members) {
        return context.statefulSet()
                .filter(s -> !s.terminating() && s.replicas() == members)
                .map(_ -> members + " replicas");
    }

    /// If the StatefulSet is still being deleted, the step waits: its pods are gone, and its name is not
    /// free yet.
    private StepResult start(int members, Duration deadline) {
        var ending = context.await(
                deadline,
                () -> context.statefulSet()
                        .filter(KubeState.StatefulSetState::terminating)
                        .map(_ -> "the former StatefulSet is still terminating"));
        if (ending.isPresent()) {
            return new StepResult.Failed(ending.get());
        }
        var set = context.statefulSet();
        if (set.isEmpty()) {
            context.kube().createStatefulSet(context.objectsAtRest(), members);
            return new StepResult.Done("created");
        }
        if (set.get().replicas() > 0) {
            return new StepResult.Held(
                    "the StatefulSet has " + set.get().replicas() + " replicas, and etcd-gitops did not set that");
        }
        context.kube().setReplicas(context.ref(), set.get(), members, context.epoch());
        return new StepResult.Done("0 → " + members + " replicas");
    }

    private Optional<String> missing() {
        var notLed = notLed();
        if (notLed.isPresent()) {
            return notLed;
        }
        var excused = new HashSet<>(KeptVolumes.lost(context.state().kube(), context.journal()));
        excused.addAll(RingHealth.hopeless(context.state()));
        return context.journal().members().keySet().stream()
                .filter(ordinal -> !excused.contains(ordinal))
                .flatMap(ordinal -> context.member(ordinal).stream()
                        .filter(m -> !m.answers())
                        .map(m -> context.ref().podName(ordinal) + " does not answer yet: "
                                + m.status().unknownReason().orElse("")))
                .findFirst();
    }

    private StepResult compare() {
        var then = context.journal().remains().flatMap(RetainedRing::data);
        if (then.isEmpty()) {
            return new StepResult.Done("the journal has no data hash to compare with");
        }
        if (context.state()
                .ring()
                .optional()
                .filter(r -> !r.alarms(Alarm.Kind.CORRUPT).isEmpty())
                .isPresent()) {
            return new StepResult.Done("the alarm CORRUPT is raised. Clients stay blocked until the member with"
                    + " different data is replaced");
        }
        try {
            return switch (data.with(then.get(), named())) {
                case SameData.Result.Same(var now) ->
                    new StepResult.Done("revision " + now.revision() + ", hash " + now.hash()
                            + (now.equals(then.get()) ? ": unchanged" : ""));
                case SameData.Result.Differs(String why) -> new StepResult.Failed(why + REMEDY);
            };
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.UNAUTHORIZED) {
                throw e;
            }
            return new StepResult.Done("not compared: etcd denies access to the data hash");
        }
    }

    /// Members whose data a document names as wrong: they are replaced once the ring is back.
    private Set<EtcdId> named() {
        return context.spec().declaration().handling().repairs().replacements().stream()
                .map(request -> EtcdId.parse(request.memberId()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private Optional<String> taken() {
        return context.journal().members().keySet().stream()
                        .noneMatch(ordinal -> context.claim(ordinal)
                                .filter(KubeState.ClaimState::released)
                                .isPresent())
                ? Optional.of("in use")
                : Optional.empty();
    }

    private StepResult take() {
        for (int ordinal : context.journal().members().keySet()) {
            context.claim(ordinal)
                    .filter(KubeState.ClaimState::released)
                    .ifPresent(c -> context.kube().markClaim(context.ref(), c.name(), c.uid(), Optional.empty()));
        }
        return new StepResult.Done("in use");
    }

    private StepResult finish() {
        context.journal(journal -> journal.withIntent(Optional.empty()).withRemains(Optional.empty()));
        return new StepResult.Done("the ring is back");
    }
}
