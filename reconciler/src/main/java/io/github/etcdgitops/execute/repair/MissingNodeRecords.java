package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.repair.NodeStep;
import io.github.etcdgitops.state.journal.RestartAttempts;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Journals since when the nodes are gone that hold the only copy of members' volumes.
final class MissingNodeRecords {
    private final StepContext context;

    MissingNodeRecords(StepContext context) {
        this.context = context;
    }

    /// The first record has the right time.
    Optional<String> noted(NodeStep.NoteMachine note) {
        var known =
                Optional.ofNullable(context.journal().past().tries().missed().get(note.ordinal()));
        return note.gone()
                ? known.filter(m -> m.is(note.claimUid(), note.machine())).map(m -> "recorded, since " + m.since())
                : known.isEmpty() ? Optional.of("the journal has no record of it") : Optional.empty();
    }

    StepResult note(NodeStep.NoteMachine note) {
        context.journal(journal -> {
            var tries = journal.past().tries();
            var now = context.now().truncatedTo(ChronoUnit.SECONDS);
            return journal.withTries(
                    note.gone()
                            ? tries.missing(
                                    note.ordinal(), new RestartAttempts.Missed(note.claimUid(), note.machine(), now))
                            : tries.found(note.ordinal()));
        });
        return new StepResult.Done("journalled");
    }
}
