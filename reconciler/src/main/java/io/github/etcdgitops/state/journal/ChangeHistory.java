package io.github.etcdgitops.state.journal;

import java.time.Instant;
import java.util.Optional;

/// What was done with a ring so far, as its journal has it. `returns` counts how often somebody has asked for
/// it again since it was founded: whoever let it be deleted has not let it be deleted once more. `tries` is
/// what was done about members that do not come up, `changed` the last change that could have cost a member,
/// `begun` the run that began the operation under way.
public record ChangeHistory(int returns, RestartAttempts tries, Optional<Changed> changed, Optional<Begun> begun) {
    public static final ChangeHistory NONE = new ChangeHistory(0, RestartAttempts.NONE, Optional.empty());

    public ChangeHistory(int returns, RestartAttempts tries, Optional<Changed> changed) {
        this(returns, tries, changed, Optional.empty());
    }

    /// The id of the run, kind and id of the operation, and the number that the step had, in the plan of the run that
    /// noted it, in which the journal was written last.
    public record Begun(String run, String operation, String operationId, int step) {}

    /// The kind and id of an operation, and when it ended; when it began, as long as it has not `ended`.
    public record Changed(String operation, String operationId, Instant at, boolean ended) {}

    public ChangeHistory returned() {
        return new ChangeHistory(returns + 1, tries, changed, begun);
    }

    ChangeHistory with(RestartAttempts done) {
        return new ChangeHistory(returns, done, changed, begun);
    }

    public ChangeHistory with(Changed last) {
        return new ChangeHistory(returns, tries, Optional.of(last), begun);
    }

    public ChangeHistory with(Optional<Begun> by) {
        return new ChangeHistory(returns, tries, changed, by);
    }
}
