package io.github.etcdgitops.execute.storage;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.membership.Departures;
import io.github.etcdgitops.gateway.RingVolumes.ClaimUser;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.storage.LeftStep;
import io.github.etcdgitops.state.KubeState.ClaimState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Dates and deletes volumes of removed members. If a pod mounts one of them, all of them stay.
public final class LeftSteps implements StepHandler<LeftStep> {
    private final StepContext context;

    public LeftSteps(StepContext context) {
        this.context = context;
    }

    @Override
    public Optional<String> alreadySo(LeftStep step) {
        boolean known = context.state().kube().claims().isKnown();
        return known && left(step).isEmpty() ? Optional.of("nothing is left to do") : Optional.empty();
    }

    @Override
    public StepResult act(LeftStep step) {
        return switch (step) {
            case LeftStep.DateDepartures date -> date(date);
            case LeftStep.DeleteLeftClaims delete -> delete(delete);
        };
    }

    /// The step's claims that it has not handled yet.
    private List<ClaimState> left(LeftStep step) {
        return step.claims().entrySet().stream()
                .flatMap(entry ->
                        context.claim(entry.getKey()).filter(c -> c.uid().equals(entry.getValue())).stream())
                .filter(claim -> step instanceof LeftStep.DeleteLeftClaims || !claim.dated())
                .toList();
    }

    private StepResult date(LeftStep.DateDepartures step) {
        var undated = left(step);
        for (var claim : undated) {
            context.keepLease();
            Departures.mark(context, claim);
        }
        return new StepResult.Done(undated.size() + " claims");
    }

    private StepResult delete(LeftStep.DeleteLeftClaims step) {
        var left = left(step);
        var names = left.stream().map(ClaimState::name).collect(Collectors.toSet());
        // The ring's own StatefulSet gives claims only to its replicas, and these are beyond them.
        var users = context.volumes().users(context.ref(), names).stream()
                .filter(user -> !user.equals(
                        new ClaimUser(ClaimUser.Kind.STATEFUL_SET, context.ref().name())))
                .map(ClaimUser::toString)
                .toList();
        if (!users.isEmpty()) {
            return new StepResult.Held(String.join(", ", users) + " would lose a volume that is in use");
        }
        for (var claim : left) {
            if (!claim.terminating()) {
                context.keepLease();
                context.volumes().deleteClaim(context.ref(), claim.name(), claim.uid());
            }
        }
        return context.until(
                step.deadline(),
                () -> alreadySo(step).isPresent()
                        ? Optional.empty()
                        : Optional.of("the claims are still there, or could not be read"),
                () -> left.size() + " claims");
    }
}
