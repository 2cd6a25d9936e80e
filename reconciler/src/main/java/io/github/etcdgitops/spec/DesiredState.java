package io.github.etcdgitops.spec;

import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/// All that a repository's tree says. `rejected` are rings that a bad document names: they are known to
/// exist and left alone, so that a typing error never turns a ring into an orphan. `digest` covers the
/// bytes of every document read.
public record DesiredState(
        Fleet fleet,
        SortedMap<ClusterRef, EtcdClusterSpec> rings,
        Decisions decisions,
        Protection protection,
        SortedSet<ClusterRef> rejected,
        List<Violation> violations,
        String digest) {
    public DesiredState {
        violations = violations.stream().sorted().toList();
    }

    /// Of a repository without tombstones.
    public DesiredState(
            Fleet fleet,
            SortedMap<ClusterRef, EtcdClusterSpec> rings,
            List<Approval> approvals,
            Protection protection,
            SortedSet<ClusterRef> rejected,
            List<Violation> violations,
            String digest) {
        this(fleet, rings, new Decisions(approvals, List.of()), protection, rejected, violations, digest);
    }

    public List<Approval> approvals() {
        return decisions.approvals();
    }

    /// Those about rings of this name, of now or of before.
    public List<Tombstone> tombstones(ClusterRef ref) {
        return decisions.tombstones().stream()
                .filter(t -> t.cluster().equals(ref))
                .toList();
    }

    /// The same, with what somebody else found wrong besides.
    public DesiredState with(List<Violation> more) {
        var all = new ArrayList<>(violations);
        all.addAll(more);
        return new DesiredState(fleet, rings, decisions, protection, rejected, all, digest);
    }

    /// The same, once history has told who wrote it.
    public DesiredState by(Authorship authorship) {
        var told = new Decisions(decisions.approvals(), decisions.tombstones(), decisions.rules(), authorship);
        return new DesiredState(fleet, rings, told, protection, rejected, violations, digest);
    }

    /// The same, with one more wish for a ring to be restored.
    public DesiredState asking(RestoreRequest request) {
        return new DesiredState(fleet, rings, decisions, protection.asking(request), rejected, violations, digest);
    }
}
