package io.github.etcdgitops.spec;

import java.util.List;

/// What people have decided besides what rings are like: which operations may happen, and which rings
/// shall go.
public record Decisions(List<Approval> approvals, List<Tombstone> tombstones) {
    public Decisions {
        approvals = List.copyOf(approvals);
        tombstones = List.copyOf(tombstones);
    }
}
