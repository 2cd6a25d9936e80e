package io.github.etcdgitops.spec;

import java.util.List;

/// People's decisions besides the specs of rings: which operations are approved, which rings to delete, and
/// the rules for rings. `authorship` is who wrote that, and the passages that it is about.
public record Decisions(
        List<Approval> approvals, List<Tombstone> tombstones, Rulebook rules, Authorship authorship, OfRules ofRules) {
    public Decisions {
        approvals = List.copyOf(approvals);
        tombstones = List.copyOf(tombstones);
    }

    /// As long as the history is not read.
    public Decisions(List<Approval> approvals, List<Tombstone> tombstones, Rulebook rules) {
        this(approvals, tombstones, rules, Authorship.NONE, OfRules.NONE);
    }

    /// For a repository without policies.
    public Decisions(List<Approval> approvals, List<Tombstone> tombstones) {
        this(approvals, tombstones, Rulebook.EMPTY);
    }
}
