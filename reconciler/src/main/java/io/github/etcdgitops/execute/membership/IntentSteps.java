package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RestartAttempts;
import io.github.etcdgitops.state.underway.JoinAttempts;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is under way, in the journal: begun before anything is touched, ended when everything is as it
/// should be.
public final class IntentSteps {
    private final StepContext context;

    public IntentSteps(StepContext context) {
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
            if (carriesOn) {
                return lostItsMember(kind, ordinal) ? begun.withMember(ordinal, newcomer) : begun;
            }
            return kind == Intent.Kind.JOIN
                    ? begun.withMember(ordinal, newcomer).withTries(joining(ordinal))
                    : begun.withTries(calledOff(ordinal, earlier));
        });
        return new StepResult.Done(carriesOn ? "continued" : "journalled");
    }

    /// Somebody has taken out the one that had joined: whoever joins now is another, and finds no data of it.
    private boolean lostItsMember(Intent.Kind kind, int ordinal) {
        boolean known = Optional.ofNullable(context.journal().members().get(ordinal))
                .flatMap(Journal.Member::id)
                .isPresent();
        return kind == Intent.Kind.JOIN && known && context.isNoMember(ordinal).isPresent();
    }

    /// A claim that is there before has something else on it.
    private RestartAttempts joining(int ordinal) {
        var tries = context.journal().past().tries();
        var known = Optional.ofNullable(tries.joins().get(ordinal));
        return tries.with(
                ordinal,
                new RestartAttempts.Joined(
                        known.map(RestartAttempts.Joined::failed).orElse(0),
                        known.map(RestartAttempts.Joined::last).orElseGet(this::now),
                        context.claim(ordinal).isEmpty(),
                        Optional.empty()));
    }

    /// What a voter has on its volume is kept, and an attempt that came to nothing is counted once.
    private RestartAttempts calledOff(int ordinal, Optional<Intent> earlier) {
        var tries = context.journal().past().tries();
        if (earlier.filter(i -> i.kind() == Intent.Kind.JOIN).isEmpty()) {
            return tries.joined(List.of(ordinal));
        }
        var counted = JoinAttempts.stuck(context.state(), ordinal).isPresent() ? tries.failed(ordinal, now()) : tries;
        boolean votes = context.member(ordinal).filter(m -> !m.learner()).isPresent();
        return votes ? counted.keeping(ordinal) : counted;
    }

    private Instant now() {
        return context.now().truncatedTo(ChronoUnit.SECONDS);
    }

    private Optional<String> claimProblem(int ordinal) {
        return context.claim(ordinal).flatMap(claim -> {
            if (!claim.ours()) {
                return Optional.of("the claim " + claim.name() + " exists and is not managed by etcd-gitops");
            }
            return claim.terminating()
                    ? Optional.of("the claim " + claim.name() + " is being deleted")
                    : Optional.empty();
        });
    }

    /// Beside a replacement a roll may be paused, which is under way again then.
    Optional<String> finished(Intent.Kind kind) {
        if (kind == Intent.Kind.REPLACE) {
            return over(kind);
        }
        return context.journal().intent().isEmpty() ? Optional.of("nothing is under way") : Optional.empty();
    }

    /// Who has joined has no past; how often one failed that is called off is known until it has. What was
    /// paused for it goes on.
    public StepResult finish() {
        var paused = context.journal().intent().flatMap(Intent::paused);
        context.journal(journal -> {
            var joined = journal.intent().map(IntentSteps::joined).orElseGet(Set::of);
            return journal.withTries(journal.past().tries().joined(joined)).withIntent(paused);
        });
        return new StepResult.Done(
                paused.map(p -> "journalled; " + p.kind() + " continues").orElse("journalled"));
    }

    /// Nothing of this kind is under way.
    public Optional<String> over(Intent.Kind kind) {
        return context.journal().isUnderWay(kind) ? Optional.empty() : Optional.of("it is not under way");
    }

    private static Set<Integer> joined(Intent intent) {
        return intent.kind() == Intent.Kind.JOIN
                ? Set.of(intent.ordinal())
                : intent.replacement().map(r -> r.formers().keySet()).orElseGet(Set::of);
    }
}
