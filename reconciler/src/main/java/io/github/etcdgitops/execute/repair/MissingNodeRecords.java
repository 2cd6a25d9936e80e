package io.github.etcdgitops.execute.repair;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.ring.repair.NodeStep;
import io.github.etcdgitops.state.journal.RestartAttempts;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Since when the machines that alone have members' volumes are gone, in the journal.
final class MissingNodeRecords {
    private final StepContext context;

    MissingNodeRecords(StepContext context) {
        this.context = context;
    }

    /// Whoever has noted it first is right about the time.
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
