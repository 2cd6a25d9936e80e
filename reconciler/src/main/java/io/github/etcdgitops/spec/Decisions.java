package io.github.etcdgitops.spec;

import java.util.List;

/// What people have decided besides what rings are like: which operations may happen, which rings shall
/// go, and what rings must keep to.
public record Decisions(List<Approval> approvals, List<Tombstone> tombstones, Rulebook rules) {
    public Decisions {
        approvals = List.copyOf(approvals);
        tombstones = List.copyOf(tombstones);
    }

    /// Of a repository without policies.
    public Decisions(List<Approval> approvals, List<Tombstone> tombstones) {
        this(approvals, tombstones, Rulebook.EMPTY);
    }
}
