package io.github.etcdgitops.spec;

import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/// All that a repository's tree says. `rejected` are rings that a bad document names: they are known to
/// exist and left alone, so that a typing error never turns a ring into an orphan. `unread` are the places where
/// documents of any ring may be that could not be read. `digest` covers the bytes of every document read.
public record DesiredState(
        Fleet fleet,
        SortedMap<ClusterRef, EtcdClusterSpec> rings,
        Decisions decisions,
        Protection protection,
        Refused refused,
        String digest) {
    /// What of a repository is not carried out.
    public record Refused(SortedSet<ClusterRef> rejected, List<Location> unread, List<Violation> violations) {
        public Refused {
            unread = List.copyOf(unread);
            violations = violations.stream().sorted().toList();
        }
    }

    /// Of a repository that could be read.
    public DesiredState(
            Fleet fleet,
            SortedMap<ClusterRef, EtcdClusterSpec> rings,
            Decisions decisions,
            Protection protection,
            SortedSet<ClusterRef> rejected,
            List<Violation> violations,
            String digest) {
        this(fleet, rings, decisions, protection, new Refused(rejected, List.of(), violations), digest);
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

    public SortedSet<ClusterRef> rejected() {
        return refused.rejected();
    }

    public List<Location> unread() {
        return refused.unread();
    }

    public List<Violation> violations() {
        return refused.violations();
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
        var all = new ArrayList<>(violations());
        all.addAll(more);
        var wrong = new Refused(rejected(), unread(), all);
        return new DesiredState(fleet, rings, decisions, protection, wrong, digest);
    }

    /// The same, once history has told who wrote it.
    public DesiredState by(Authorship authorship) {
        var told = new Decisions(decisions.approvals(), decisions.tombstones(), decisions.rules(), authorship);
        return new DesiredState(fleet, rings, told, protection, refused, digest);
    }

    /// The same, with one more wish for a ring to be restored.
    public DesiredState asking(RestoreRequest request) {
        return new DesiredState(fleet, rings, decisions, protection.asking(request), refused, digest);
    }
}
