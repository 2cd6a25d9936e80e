package io.github.etcdgitops.ring;

import io.github.etcdgitops.state.health.Quorum;

/// The disruption budget at rest: evictions must leave a quorum of the current voters. A ring of one may be
/// evicted: its data stays on its volume, and a budget that never allows an eviction would keep every machine
/// from being drained.
public final class Budget {
    private Budget() {}

    public static int of(int voters) {
        return voters <= 1 ? 0 : Quorum.of(voters);
    }
}
