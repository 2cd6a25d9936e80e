package io.github.etcdgitops.execute;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.state.journal.ChangeHistory.Begun;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import java.util.Optional;

/// Which run began what is under way, and how far it came: noted in the journal whenever that is written in any case. A
/// run that was killed tells nobody else.
final class RunMark {
    private final String run;
    private Optional<Begun> now = Optional.empty();

    /// Nothing is noted of a run without an id.
    RunMark(String run) {
        this.run = run;
    }

    /// The step with this number of the operation's plan is in hand.
    void at(Operation operation, int step) {
        now = run.isEmpty() ? Optional.empty() : Optional.of(new Begun(run, operation.kind(), operation.id(), step));
    }

    /// Whoever began an operation has begun it, whichever run carries it on.
    Journal onto(Journal journal) {
        var before = journal.past().doings().begun();
        var underWay = journal.intent().map(Intent::operationId);
        var mine =
                now.filter(begun -> underWay.filter(begun.operationId()::equals).isPresent());
        var noted = mine.map(begun -> before.filter(b -> b.operationId().equals(begun.operationId()))
                        .map(b -> new Begun(b.run(), begun.operation(), begun.operationId(), begun.step()))
                        .orElse(begun))
                .or(() -> underWay.flatMap(_ -> before));
        return noted.equals(before)
                ? journal
                : journal.withDoings(journal.past().doings().with(noted));
    }
}
