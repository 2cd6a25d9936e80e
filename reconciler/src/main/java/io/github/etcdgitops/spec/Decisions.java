package io.github.etcdgitops.spec;

import java.util.List;

/// What people have decided besides what rings are like: which operations may happen, which rings shall
/// go, and what rings must keep to. `authorship` is who wrote that, and what it is about.
public record Decisions(
        List<Approval> approvals, List<Tombstone> tombstones, Rulebook rules, Authorship authorship, OfRules ofRules) {
    public Decisions {
        approvals = List.copyOf(approvals);
        tombstones = List.copyOf(tombstones);
    }

    /// As long as nobody has asked who wrote it.
    public Decisions(List<Approval> approvals, List<Tombstone> tombstones, Rulebook rules) {
        this(approvals, tombstones, rules, Authorship.NONE, OfRules.NONE);
    }

    /// Of a repository without policies.
    public Decisions(List<Approval> approvals, List<Tombstone> tombstones) {
        this(approvals, tombstones, Rulebook.EMPTY);
    }
}
