package io.github.etcdgitops.state;

import java.time.Instant;
import java.util.Optional;

/// What was done with a ring so far, as its journal has it. `returns` counts how often somebody has asked for
/// it again since it was founded: whoever let it be deleted has not let it be deleted once more. `tries` is
/// what was done about members that do not come up, `changed` the last change that could have cost a member.
public record Doings(int returns, Tries tries, Optional<Changed> changed) {
    public static final Doings NONE = new Doings(0, Tries.NONE, Optional.empty());

    /// The kind and id of an operation, and when it ended; when it began, as long as it has not `ended`.
    public record Changed(String operation, String operationId, Instant at, boolean ended) {}

    Doings returned() {
        return new Doings(returns + 1, tries, changed);
    }

    Doings with(Tries done) {
        return new Doings(returns, done, changed);
    }

    Doings with(Changed last) {
        return new Doings(returns, tries, Optional.of(last));
    }
}
