package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.step.StepResult;
import java.util.Optional;

/// What is under way, in the journal: begun before anything is touched, ended when everything is as it
/// should be.
final class IntentSteps {
    private final StepContext context;

    IntentSteps(StepContext context) {
        this.context = context;
    }

    Optional<String> begun(Intent.Kind kind, int ordinal) {
        return context.journal()
                .intent()
                .filter(i -> i.kind() == kind && i.ordinal() == ordinal && i.epoch() == context.epoch())
                .map(_ -> "under way");
    }

    /// An intent of an earlier epoch is taken over after its calls to etcd must have ended; its data
    /// directory stays.
    StepResult begin(Intent.Kind kind, int ordinal, String operationId) {
        var earlier = context.journal().intent();
        if (earlier.isPresent()) {
            context.outlastEarlierCalls();
            context.refresh();
        }
        boolean carriesOn =
                earlier.filter(i -> i.kind() == kind && i.ordinal() == ordinal).isPresent();
        var problem = kind == Intent.Kind.JOIN && !carriesOn ? claimProblem(ordinal) : Optional.<String>empty();
        if (problem.isPresent()) {
            return new StepResult.Held(problem.get());
        }
        var newcomer = context.newMember();
        context.journal(journal -> {
            var begun = journal.withIntent(Optional.of(new Intent(kind, ordinal, operationId, context.epoch())));
            return kind == Intent.Kind.JOIN && !carriesOn ? begun.withMember(ordinal, newcomer) : begun;
        });
        return new StepResult.Done(carriesOn ? "carried on" : "journalled");
    }

    private Optional<String> claimProblem(int ordinal) {
        return context.claim(ordinal).flatMap(claim -> {
            if (!claim.ours()) {
                return Optional.of("the claim " + claim.name() + " is there and is not ours");
            }
            return claim.terminating()
                    ? Optional.of("the claim " + claim.name() + " is being deleted")
                    : Optional.empty();
        });
    }

    Optional<String> finished() {
        return context.journal().intent().isEmpty() ? Optional.of("nothing is under way") : Optional.empty();
    }

    /// What was paused for it goes on.
    StepResult finish() {
        var paused = context.journal().intent().flatMap(Intent::paused);
        context.journal(journal -> journal.withIntent(paused));
        return new StepResult.Done(
                paused.map(p -> "journalled; " + p.kind() + " goes on").orElse("journalled"));
    }

    /// Nothing of this kind is under way.
    Optional<String> over(Intent.Kind kind) {
        return context.journal().isUnderWay(kind) ? Optional.empty() : Optional.of("it is not under way");
    }
}
