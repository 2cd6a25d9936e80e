package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.membership.PeerReports;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.roll.UnrollStep;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Rolls back a roll: the former template first, which restarts no member, and then member by member.
public final class UnrollSteps implements StepHandler<UnrollStep> {
    private final StepContext context;
    private final RollView roll;

    public UnrollSteps(StepContext context) {
        this.context = context;
        this.roll = new RollView(context);
    }

    @Override
    public Optional<String> alreadySo(UnrollStep step) {
        return switch (step) {
            case UnrollStep.BeginUnroll _ ->
                context.journal()
                        .intent()
                        .flatMap(intent -> intent.all()
                                .filter(i -> i.kind() == Intent.Kind.UNROLL && i.epoch() == context.epoch())
                                .findFirst())
                        .map(_ -> "under way");
            case UnrollStep.ReinstateTemplate(int replicas) ->
                roll.former() && roll.pinned(replicas) && roll.still()
                        ? Optional.of("the former template exists")
                        : Optional.empty();
            case UnrollStep.ReplacePod(int ordinal) -> roll.newest(ordinal).map(_ -> "it has this template");
            case UnrollStep.FinishUnroll _ -> roll.over() ? Optional.of("journalled") : Optional.empty();
        };
    }

    @Override
    public StepResult act(UnrollStep step) {
        return switch (step) {
            case UnrollStep.BeginUnroll(var failure) -> begin(failure);
            case UnrollStep.ReinstateTemplate(int replicas) -> reinstate(replicas, step.deadline());
            case UnrollStep.ReplacePod(int ordinal) -> replace(ordinal, step.deadline());
            case UnrollStep.FinishUnroll(int size) -> finish(size, step.deadline());
        };
    }

    private StepResult begin(Optional<String> failure) {
        var raised = raised();
        if (raised.isPresent()) {
            return new StepResult.Held(raised.get());
        }
        context.journal(journal ->
                journal.withIntent(journal.intent().map(i -> i.takenBack(context.epoch(), failure))));
        return new StepResult.Done("journalled");
    }

    /// Why no member can go back: etcd of the former minor version does not start on data that a ring of
    /// the new one has written. A later former version starts in any case.
    private Optional<String> raised() {
        var former = context.journal().applied().version();
        var target = context.journal().roll().orElseThrow().target().version();
        if (!former.isOlderMinorThan(target)) {
            return Optional.empty();
        }
        return context.state().ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .filter(MemberState::answers)
                .map(member -> context.calls()
                        .onMetrics(member, (etcd, route) -> etcd.clusterVersion(route, StepContext.CALL)))
                .filter(version -> !version.isSameMinorAs(former))
                .findFirst()
                .map(version -> "the cluster version is etcd " + version.major() + "." + version.minor()
                        + ", so no member can go back to " + former);
    }

    private StepResult reinstate(int replicas, Duration deadline) {
        String digest = context.journal().roll().orElseThrow().formerTemplate();
        context.kube().reinstateTemplate(context.ref(), roll.set(), digest, context.epoch());
        return context.until(
                deadline,
                () -> roll.still() && roll.pinned(replicas)
                        ? Optional.empty()
                        : Optional.of("the StatefulSet's controller has not applied the former template"),
                () -> "it exists again");
    }

    private StepResult replace(int ordinal, Duration deadline) {
        var doubt = new PeerReports(context).doubt(ordinal);
        if (doubt.isPresent()) {
            return new StepResult.Held(doubt.get());
        }
        context.pod(ordinal).ifPresent(pod -> context.deletePod(ordinal, pod.uid()));
        return context.until(
                deadline,
                () -> roll.newest(ordinal).isPresent()
                        ? Optional.empty()
                        : Optional.of("the pod was not recreated yet"),
                () -> "replaced");
    }

    private StepResult finish(int size, Duration deadline) {
        var missing = context.await(
                deadline,
                () -> IntStream.range(0, size)
                        .filter(ordinal ->
                                roll.newest(ordinal).filter(p -> p.ready()).isEmpty())
                        .mapToObj(ordinal -> context.ref().podName(ordinal) + " does not run with the former template"
                                + " again yet")
                        .findFirst()
                        .or(() -> RingHealth.problems(context.state(), Set.of()).stream()
                                .findFirst()));
        if (missing.isPresent()) {
            return new StepResult.Failed(missing.get());
        }
        context.journal(journal -> {
            var failed = journal.intent()
                    .flatMap(i -> i.roll()
                            .flatMap(Intent.Roll::stuck)
                            .map(why -> new Journal.BackedOut(i.operationId(), why)));
            return journal.withBackedOut(failed.or(() -> journal.past().backedOut()))
                    .withIntent(Optional.empty());
        });
        return new StepResult.Done("journalled");
    }
}
