package io.github.etcdgitops.execute.founding;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.execute.StepHandler;
import io.github.etcdgitops.execute.auth.TokenKeys;
import io.github.etcdgitops.execute.membership.StopSteps;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.founding.RefoundStep;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// Starts a failed creation again, with what its document now asks for. No client was ever admitted, so
/// nothing can be lost. Volumes are retained, and no member ever starts on the directory of a former
/// attempt.
public final class RefoundSteps implements StepHandler<RefoundStep> {
    private final StepContext context;
    private final StopSteps stopping;

    public RefoundSteps(StepContext context, StopSteps stopping) {
        this.context = context;
        this.stopping = stopping;
    }

    @Override
    public Optional<String> alreadySo(RefoundStep step) {
        return switch (step) {
            case RefoundStep.EndFounding _ -> Optional.empty();
            case RefoundStep.ReopenJournal(int size, var version, var unused) -> reopened(size, version);
        };
    }

    @Override
    public StepResult act(RefoundStep step) {
        return switch (step) {
            case RefoundStep.EndFounding(var claims) -> end(claims, step.deadline());
            case RefoundStep.ReopenJournal(int size, var version, String operationId) ->
                reopen(size, version, operationId);
        };
    }

    /// The pods end first: running ones might form a ring.
    private StepResult end(SortedMap<Integer, String> claims, Duration deadline) {
        if (stopping.ended().isEmpty()) {
            stopping.stop();
        }
        var pods = stopping.awaitEnded(deadline);
        if (!(pods instanceof StepResult.Done)) {
            return pods;
        }
        if (stopping.setGone().isEmpty()) {
            var set = stopping.removeStatefulSet(deadline);
            if (!(set instanceof StepResult.Done)) {
                return set;
            }
        }
        stopping.unseat();
        return free(claims, deadline);
    }

    /// A claim that has got its volume in the meantime keeps it.
    private StepResult free(SortedMap<Integer, String> claims, Duration deadline) {
        for (var unmade : claims.entrySet()) {
            unmade(unmade)
                    .filter(c -> !c.terminating())
                    .ifPresent(c -> context.volumes().deleteClaim(context.ref(), c.name(), c.uid()));
        }
        return context.until(
                deadline,
                () -> claims.entrySet().stream()
                        .flatMap(unmade -> unmade(unmade).stream())
                        .findFirst()
                        .map(c -> "the claim " + c.name() + " is still there"),
                () -> "ended");
    }

    private Optional<KubeState.ClaimState> unmade(Map.Entry<Integer, String> claim) {
        return context.claim(claim.getKey()).filter(c -> c.uid().equals(claim.getValue()) && !c.bound());
    }

    private Optional<String> reopened(int size, EtcdVersion version) {
        var journal = context.journal();
        return journal.members().size() == size
                        && journal.applied()
                                .equals(MemberSettings.founding(context.spec().server(), version))
                ? Optional.of("the journal exists")
                : Optional.empty();
    }

    /// A new, unused token: a pod of the former attempt that still runs finds no peers.
    private StepResult reopen(int size, EtcdVersion version, String operationId) {
        var held = new TokenKeys(context).ofNew(version);
        if (held.isPresent()) {
            return held.get();
        }
        var intent = new Intent(Intent.Kind.FOUND, 0, operationId, context.epoch());
        context.journal(former -> FoundingSteps.opened(context, size, version, intent)
                .withPast(former.past())
                .withNewLog());
        return new StepResult.Done("journal created");
    }
}
