package io.github.etcdgitops.spec;

import io.github.etcdgitops.spec.BackupPolicy.Drill;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Namespaces;
import io.github.etcdgitops.validation.Location;
import io.github.etcdgitops.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/// Everything in a repository's tree. `rejected` are rings that an invalid document names: they are known
/// to exist and are not touched, so that a typing error never makes a ring an orphan. `unread` are
/// unreadable locations that may hold documents of any ring. `digest` covers the bytes of every document
/// read.
public record DesiredState(
        Fleet fleet,
        SortedMap<ClusterRef, EtcdClusterSpec> rings,
        Decisions decisions,
        Protection protection,
        Refused refused,
        String digest) {
    /// The parts of a repository that are not carried out. `large` are files in the document folders that
    /// are not read.
    public record Refused(
            SortedSet<ClusterRef> rejected, List<Location> unread, List<Violation> violations, List<String> large) {
        public Refused {
            unread = List.copyOf(unread);
            large = List.copyOf(large);
            violations = violations.stream().sorted().toList();
        }
    }

    /// For a repository that could be read.
    public DesiredState(
            Fleet fleet,
            SortedMap<ClusterRef, EtcdClusterSpec> rings,
            Decisions decisions,
            Protection protection,
            SortedSet<ClusterRef> rejected,
            List<Violation> violations,
            String digest) {
        this(fleet, rings, decisions, protection, new Refused(rejected, List.of(), violations, List.of()), digest);
    }

    /// For a repository without tombstones.
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

    /// The tombstones of rings with this name, current or former.
    public List<Tombstone> tombstones(ClusterRef ref) {
        return decisions.tombstones().stream()
                .filter(t -> t.cluster().equals(ref))
                .toList();
    }

    /// The same with changed specs.
    public DesiredState with(UnaryOperator<EtcdClusterSpec> change) {
        var changed = new TreeMap<>(rings);
        changed.replaceAll((_, ring) -> change.apply(ring));
        return new DesiredState(fleet, changed, decisions, protection, refused, digest);
    }

    /// The same with additional violations.
    public DesiredState with(List<Violation> more) {
        var all = new ArrayList<>(violations());
        all.addAll(more);
        var wrong = new Refused(rejected(), unread(), all, refused.large());
        return new DesiredState(fleet, rings, decisions, protection, wrong, digest);
    }

    /// The same without rings and drills in forbidden namespaces.
    public DesiredState outside(Namespaces forbidden) {
        var inside = rings.values().stream()
                .filter(ring -> forbidden.contains(ring.ref().namespace()))
                .toList();
        var drills = protection.policies().stream()
                .filter(policy -> policy.drill()
                        .map(Drill::namespace)
                        .filter(forbidden::contains)
                        .isPresent())
                .toList();
        if (inside.isEmpty() && drills.isEmpty()) {
            return this;
        }
        var others = new TreeMap<>(rings);
        var left = new TreeSet<>(rejected());
        var all = new ArrayList<>(violations());
        for (var ring : inside) {
            others.remove(ring.ref());
            left.add(ring.ref());
            all.add(forbidden(
                    "The ring " + ring.ref() + " is", ring.declaration().source()));
        }
        drills.forEach(policy -> all.add(forbidden("Drills of the policy " + policy.name() + " are", policy.source())));
        var wrong = new Refused(left, unread(), all, refused.large());
        return new DesiredState(fleet, others, decisions, protection.withoutDrills(drills), wrong, digest);
    }

    private static Violation forbidden(String what, Location at) {
        return Violation.of(
                "forbidden-namespace",
                at,
                what + " in a namespace that the settings of the reconciler forbid (--forbidden-namespaces,"
                        + " --reconciler-namespace).",
                "Choose another namespace.");
    }

    /// The same with the authors from the history.
    public DesiredState by(Authorship authorship) {
        var told = new Decisions(
                decisions.approvals(), decisions.tombstones(), decisions.rules(), authorship, decisions.ofRules());
        return new DesiredState(fleet, rings, told, protection, refused, digest);
    }

    /// The same with other rules, and the notices about that.
    public DesiredState ruledBy(Fleet.Approvals approvals, Rulebook rules, List<OfRules.Notice> notices) {
        var ruled = new Decisions(
                decisions.approvals(),
                decisions.tombstones(),
                rules,
                decisions.authorship(),
                decisions.ofRules().telling(notices));
        return new DesiredState(fleet.with(approvals), rings, ruled, protection, refused, digest);
    }

    /// The same with one more restore request.
    public DesiredState asking(RestoreRequest request) {
        return new DesiredState(fleet, rings, decisions, protection.asking(request), refused, digest);
    }
}
