package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.journal.ChangeHistory.Begun;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import java.util.Optional;

/// Which run started the operation under way, and how far it is. It is recorded with every journal write.
/// Nothing else shows it after a run is killed.
final class RunMark {
    private final String run;
    private Optional<Begun> now = Optional.empty();

    /// Records nothing for a run without an id.
    RunMark(String run) {
        this.run = run;
    }

    /// The run is at the step with this number of the operation's plan.
    void at(String kind, String operationId, int step) {
        now = run.isEmpty() ? Optional.empty() : Optional.of(new Begun(run, kind, operationId, step));
    }

    /// The run that started an operation stays recorded, whichever run continues it.
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
