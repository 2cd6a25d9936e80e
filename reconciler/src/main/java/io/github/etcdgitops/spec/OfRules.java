package io.github.etcdgitops.spec;

import java.util.List;

/// Decisions about the rules themselves: approvals of their change, and the notices about it.
public record OfRules(List<RulesApproval> approvals, List<Notice> notices) {
    public static final OfRules NONE = new OfRules(List.of(), List.of());

    public OfRules {
        approvals = List.copyOf(approvals);
        notices = List.copyOf(notices);
    }

    /// `holds` where the former rules apply as well.
    public record Notice(boolean holds, String text) {}

    OfRules telling(List<Notice> found) {
        return new OfRules(approvals, found);
    }
}
