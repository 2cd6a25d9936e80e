package io.github.etcdgitops.state.journal;

import java.time.Instant;
import java.util.Optional;

/// The changes of a ring so far, from its journal. `returns` counts how often the ring was asked for again
/// since its creation: an approval of one deletion does not cover the next one. `tries` is what was done
/// about members that do not start, `changed` the last change that could have cost a member, `begun` the
/// run that started the operation under way.
public record ChangeHistory(int returns, RestartAttempts tries, Optional<Changed> changed, Optional<Begun> begun) {
    public static final ChangeHistory NONE = new ChangeHistory(0, RestartAttempts.NONE, Optional.empty());

    public ChangeHistory(int returns, RestartAttempts tries, Optional<Changed> changed) {
        this(returns, tries, changed, Optional.empty());
    }

    /// The run's ID, the kind and ID of the operation, and the step number at the last journal write, in
    /// the plan of the run that recorded it.
    public record Begun(String run, String operation, String operationId, int step) {}

    /// The kind and ID of an operation, and when it ended; when it started, as long as it has not `ended`.
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
