package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.validation.Violation;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The plan of one environment: every ring in it, sorted, and every violation found on the way.
/// `specDigest` covers the documents it was made from, policies and approvals among them. `needs` is what
/// each ring's backups were judged by; `certificates` has the rings with TLS.
public record FleetPlan(
        String environment,
        String specDigest,
        String tool,
        List<ClusterPlan> clusters,
        List<Violation> violations,
        SortedMap<ClusterRef, BackupNeeds> needs,
        SortedMap<ClusterRef, CertificateEnds> certificates) {
    public FleetPlan {
        certificates = Collections.unmodifiableSortedMap(new TreeMap<>(certificates));
        needs = Collections.unmodifiableSortedMap(new TreeMap<>(needs));
        clusters =
                clusters.stream().sorted(Comparator.comparing(ClusterPlan::ref)).toList();
        violations = violations.stream().sorted().toList();
    }

    /// Without any backups or certificates.
    public FleetPlan(
            String environment,
            String specDigest,
            String tool,
            List<ClusterPlan> clusters,
            List<Violation> violations) {
        this(environment, specDigest, tool, clusters, violations, new TreeMap<>(), new TreeMap<>());
    }

    public BackupNeeds needsOf(ClusterRef ref) {
        return needs.getOrDefault(ref, BackupNeeds.NONE);
    }

    /// The first time at which a policy will ask for a backup that it does not ask for now.
    public Optional<Instant> nextBackup() {
        return needs.values().stream()
                .flatMap(ring -> ring.policies().stream())
                .flatMap(kept -> kept.dues().next().stream())
                .min(Comparator.naturalOrder());
    }

    public long count(Situation situation) {
        return clusters.stream().filter(c -> c.situation() == situation).count();
    }

    /// Whether anything would be done or waits to be.
    public boolean changes() {
        return clusters.stream().anyMatch(c -> c.situation() == Situation.CHANGES);
    }

    /// `1 to change, 2 in sync, 1 held`, in a fixed order, without zeros.
    public String summary() {
        var parts = new java.util.ArrayList<String>();
        for (Situation situation : List.of(
                Situation.CHANGES,
                Situation.IN_SYNC,
                Situation.SUSPENDED,
                Situation.HELD,
                Situation.UNKNOWN,
                Situation.REJECTED,
                Situation.ORPHAN)) {
            if (count(situation) > 0) {
                parts.add(count(situation) + " " + (situation == Situation.CHANGES ? "to change" : situation.title()));
            }
        }
        return parts.isEmpty() ? "no rings" : String.join(", ", parts);
    }
}
