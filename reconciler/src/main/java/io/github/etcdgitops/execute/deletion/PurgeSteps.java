package io.github.etcdgitops.execute.deletion;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.gateway.RingVolumes.ClaimUser;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.deletion.PurgeStep;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.underway.Leftovers;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Deletes the retained volumes of a ring for good: those with the UIDs that the plan names, and no others.
/// If anything uses one of them, or could, all of them stay.
public final class PurgeSteps implements StepHandler<PurgeStep> {
    private final StepContext context;

    public PurgeSteps(StepContext context) {
        this.context = context;
    }

    @Override
    public Optional<String> alreadySo(PurgeStep step) {
        return switch (step) {
            case PurgeStep.BeginPurge(String reason, var unused, var alsoUnused) -> begun(reason);
            case PurgeStep.DeleteClaims(var claims) -> asked(claims);
            case PurgeStep.AwaitClaimsGone _ -> Optional.empty();
            case PurgeStep.FinishPurge _ ->
                context.journal()
                                .past()
                                .remains()
                                .filter(r -> r.volumes() == RetainedRing.Volumes.DELETED)
                                .isPresent()
                        ? Optional.of("journalled")
                        : Optional.empty();
        };
    }

    @Override
    public StepResult act(PurgeStep step) {
        return switch (step) {
            case PurgeStep.BeginPurge begin -> begin(begin);
            case PurgeStep.DeleteClaims(var claims) -> delete(claims);
            case PurgeStep.AwaitClaimsGone(var claims) -> awaitGone(claims, step.deadline());
            case PurgeStep.FinishPurge _ -> finish();
        };
    }

    private Optional<String> begun(String reason) {
        return context.journal()
                .intent()
                .filter(i -> i.kind() == Intent.Kind.DELETE && i.epoch() == context.epoch())
                .flatMap(Intent::remains)
                .filter(r ->
                        r.volumes() == RetainedRing.Volumes.GOING && r.reason().equals(reason))
                .map(_ -> "under way");
    }

    private StepResult begin(PurgeStep.BeginPurge step) {
        var remains = context.journal().remains();
        if (remains.isEmpty()) {
            return new StepResult.Held("according to the journal, the ring was not deleted");
        }
        boolean earlier = context.journal().intent().isPresent();
        if (earlier) {
            context.outlastEarlierCalls();
            context.refresh();
        }
        var intent = Intent.of(
                Intent.Kind.DELETE,
                step.operationId(),
                context.epoch(),
                remains.get().because(step.reason()).going(beyondMembers(step.claims())));
        context.journal(journal -> journal.withIntent(Optional.of(intent)).withRemains(Optional.empty()));
        return new StepResult.Done(earlier ? "continued" : "journalled");
    }

    /// Empty where these are the members' claims, which the journal names in any case.
    private SortedMap<Integer, String> beyondMembers(SortedMap<Integer, String> claims) {
        return claims.equals(Leftovers.members(context.journal())) ? new TreeMap<>() : claims;
    }

    /// Those of the claims that still exist, whether their deletion is requested or not.
    private SortedMap<Integer, KubeState.ClaimState> left(SortedMap<Integer, String> claims) {
        var left = new TreeMap<Integer, KubeState.ClaimState>();
        claims.forEach((ordinal, uid) -> context.claim(ordinal)
                .filter(claim -> claim.uid().equals(uid))
                .ifPresent(claim -> left.put(ordinal, claim)));
        return left;
    }

    private boolean readable() {
        return context.state().kube().claims().isKnown();
    }

    private Optional<String> asked(SortedMap<Integer, String> claims) {
        return readable() && left(claims).values().stream().allMatch(KubeState.ClaimState::terminating)
                ? Optional.of("all of them are deleted or terminating")
                : Optional.empty();
    }

    private StepResult delete(SortedMap<Integer, String> claims) {
        if (!readable()) {
            return new StepResult.Held("the claims could not be read");
        }
        var left = left(claims);
        var foreign = left.values().stream().filter(c -> !c.ours()).findFirst();
        if (foreign.isPresent()) {
            return new StepResult.Held("the claim " + foreign.get().name() + " does not have the labels of this ring");
        }
        var names = new TreeSet<String>();
        left.values().forEach(claim -> names.add(claim.name()));
        var users = context.volumes().users(context.ref(), names).stream()
                .map(ClaimUser::toString)
                .toList();
        if (!users.isEmpty()) {
            return new StepResult.Held(String.join(", ", users) + " would lose a volume that is in use");
        }
        int deleted = 0;
        for (var claim : left.values()) {
            if (!claim.terminating()) {
                context.keepLease();
                context.volumes().deleteClaim(context.ref(), claim.name(), claim.uid());
                deleted++;
            }
        }
        return new StepResult.Done(deleted + " claims");
    }

    private StepResult awaitGone(SortedMap<Integer, String> claims, Duration deadline) {
        return context.until(
                deadline,
                () -> {
                    if (!readable()) {
                        return Optional.of("the claims could not be read");
                    }
                    return left(claims).values().stream()
                            .findFirst()
                            .map(claim -> "the claim " + claim.name() + " is still there");
                },
                () -> "gone");
    }

    private StepResult finish() {
        var going = context.journal()
                .intent()
                .filter(i -> i.kind() == Intent.Kind.DELETE)
                .flatMap(Intent::remains)
                .filter(r -> r.volumes() == RetainedRing.Volumes.GOING);
        if (going.isEmpty()) {
            return new StepResult.Held("according to the journal, the volumes are not to be deleted");
        }
        context.journal(journal -> journal.withRemains(going.map(r -> r.with(RetainedRing.Volumes.DELETED)))
                .withIntent(Optional.empty()));
        return new StepResult.Done("the volumes are deleted; "
                + Leftovers.of(context.ref(), context.state().kube(), context.journal())
                        .afterwards());
    }
}
