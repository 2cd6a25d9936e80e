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

/// The operation under way, in the journal: recorded before anything is touched, cleared when everything is
/// complete.
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

    /// The member that had joined was removed by hand: the next one to join is another member, and must
    /// find no data of it.
    private boolean lostItsMember(Intent.Kind kind, int ordinal) {
        boolean known = Optional.ofNullable(context.journal().members().get(ordinal))
                .flatMap(Journal.Member::id)
                .isPresent();
        return kind == Intent.Kind.JOIN && known && context.isNoMember(ordinal).isPresent();
    }

    /// A claim that existed before holds other data.
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

    /// The data on a voter's volume is retained, and a failed attempt counts once.
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

    /// A roll that was paused for a replacement is under way again then.
    Optional<String> finished(Intent.Kind kind) {
        if (kind == Intent.Kind.REPLACE) {
            return over(kind);
        }
        return context.journal().intent().isEmpty() ? Optional.of("nothing is under way") : Optional.empty();
    }

    /// A joined member has no failed attempts on record. The failures of a cancelled join stay recorded
    /// until a member joins. An operation that was paused for it continues.
    public StepResult finish() {
        var paused = context.journal().intent().flatMap(Intent::paused);
        context.journal(journal -> {
            var joined = journal.intent().map(IntentSteps::joined).orElseGet(Set::of);
            return journal.withTries(journal.past().tries().joined(joined)).withIntent(paused);
        });
        return new StepResult.Done(
                paused.map(p -> "journalled; " + p.kind() + " continues").orElse("journalled"));
    }

    /// Nothing of this kind is under way any more.
    public Optional<String> over(Intent.Kind kind) {
        return context.journal().isUnderWay(kind) ? Optional.empty() : Optional.of("it is not under way");
    }

    private static Set<Integer> joined(Intent intent) {
        return intent.kind() == Intent.Kind.JOIN
                ? Set.of(intent.ordinal())
                : intent.replacement().map(r -> r.formers().keySet()).orElseGet(Set::of);
    }
}
