package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.membership.PeerReports;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Gives a member that does not start another pod. The attempt is counted before the pod is deleted, and by
/// the pod's UID: after a killed run, the next one deletes the same pod and counts nothing more. A pod that
/// could not start before its prerequisites existed is also replaced.
final class PodTries {
    private final StepContext context;

    PodTries(StepContext context) {
        this.context = context;
    }

    Optional<String> noted(int ordinal, String pod) {
        return Optional.ofNullable(context.journal().past().tries().members().get(ordinal))
                .filter(tried -> tried.pod().equals(pod))
                .map(tried -> "recorded: " + tried.count() + " in total");
    }

    StepResult note(int ordinal, String pod, int number) {
        var member = context.member(ordinal).map(MemberState::id);
        if (member.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " is not in the member list");
        }
        var tried =
                new RestartAttempts.Tried(member.get(), number, context.now().truncatedTo(ChronoUnit.SECONDS), pod);
        context.journal(journal -> journal.withTries(journal.past().tries().with(ordinal, tried)));
        return new StepResult.Done("journalled");
    }

    Optional<String> freed(int ordinal, String pod) {
        return context.state().kube().pods().isKnown() && there(ordinal, pod).isEmpty()
                ? Optional.of("it is gone, or is being deleted")
                : Optional.empty();
    }

    StepResult free(int ordinal, String pod, Duration deadline) {
        var doubt = new PeerReports(context).doubt(ordinal);
        if (doubt.isPresent()) {
            return new StepResult.Held(doubt.get());
        }
        there(ordinal, pod).ifPresent(p -> context.deletePod(ordinal, p.uid()));
        return context.until(
                deadline,
                () -> freed(ordinal, pod).isPresent()
                        ? Optional.empty()
                        : Optional.of(context.ref().podName(ordinal) + " still exists"),
                () -> "deleted");
    }

    /// Only a successful reading proves that it is gone.
    Optional<String> released(int ordinal, String pod) {
        return context.state().kube().pods().isKnown()
                        && context.pod(ordinal).filter(p -> p.uid().equals(pod)).isEmpty()
                ? Optional.of("it is gone")
                : Optional.empty();
    }

    StepResult release(int ordinal, String pod, Duration deadline) {
        context.kube().releasePod(context.ref(), ordinal, pod);
        return context.until(
                deadline,
                () -> released(ordinal, pod).isPresent()
                        ? Optional.empty()
                        : Optional.of(context.ref().podName(ordinal) + " still exists"),
                () -> "it is gone");
    }

    /// A member that has started is never ended here.
    Optional<String> untried(int ordinal) {
        if (context.member(ordinal).filter(m -> m.started() || m.answers()).isPresent()) {
            return Optional.of("it has started");
        }
        return context.pod(ordinal)
                .filter(p -> !p.terminating() && p.restarts() == 0)
                .map(_ -> "it has not failed");
    }

    /// The member may have started during the wait for the gate.
    StepResult renew(int ordinal, Duration deadline) {
        var untried = untried(ordinal);
        if (untried.isPresent()) {
            return new StepResult.AlreadySo(untried.get());
        }
        context.pod(ordinal).filter(p -> !p.terminating()).ifPresent(p -> context.deletePod(ordinal, p.uid()));
        return context.until(
                deadline,
                () -> untried(ordinal).isPresent()
                        ? Optional.empty()
                        : Optional.of(context.ref().podName(ordinal) + " was not recreated yet"),
                () -> "recreated");
    }

    private Optional<PodState> there(int ordinal, String pod) {
        return context.pod(ordinal).filter(p -> p.uid().equals(pod) && !p.terminating());
    }
}
