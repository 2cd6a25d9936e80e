package io.github.etcdgitops.ring;

import io.github.etcdgitops.state.health.Quorum;

/// The disruption budget while no change is under way: evictions must leave a quorum of the current voters.
/// The member of a ring of one may be evicted: its data stays on its volume. A budget that never allows an
/// eviction would prevent every drain of its node.
public final class Budget {
    private Budget() {}

    public static int of(int voters) {
        return voters <= 1 ? 0 : Quorum.of(voters);
    }
}
