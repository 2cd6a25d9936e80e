package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.NoWayBack;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.tls.CertificateEnds;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.journal.Doings;
import io.github.etcdgitops.validation.Violation;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The plan of one environment: every ring in it, sorted, and every violation found on the way.
/// `specDigest` covers the documents it was made from, policies and approvals among them.
public record FleetPlan(
        String environment,
        String specDigest,
        String tool,
        List<ClusterPlan> clusters,
        List<Violation> violations,
        Beside beside) {
    public FleetPlan {
        clusters = clusters.stream()
                .map(ring -> ring.withFindings(NoWayBack.of(ring)))
                .sorted(Comparator.comparing(ClusterPlan::ref))
                .toList();
        violations = violations.stream().sorted().toList();
    }

    /// What is known besides: by what each ring's backups were judged, when certificates end, of the rings
    /// with TLS, who was seen in the rings that could be read, what somebody should know that is about
    /// no ring in particular, and how long steps have taken in this fleet.
    public record Beside(
            SortedMap<ClusterRef, BackupNeeds> needs,
            SortedMap<ClusterRef, CertificateEnds> certificates,
            SortedMap<ClusterRef, Sight> sights,
            SortedMap<ClusterRef, Doings.Begun> begun,
            List<Finding> findings,
            Tempo tempo) {
        public static final Beside NOTHING = new Beside(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), List.of());

        public Beside(
                SortedMap<ClusterRef, BackupNeeds> needs,
                SortedMap<ClusterRef, CertificateEnds> certificates,
                SortedMap<ClusterRef, Sight> sights,
                List<Finding> findings) {
            this(needs, certificates, sights, new TreeMap<>(), findings, Tempo.NONE);
        }

        public Beside {
            certificates = Collections.unmodifiableSortedMap(new TreeMap<>(certificates));
            needs = Collections.unmodifiableSortedMap(new TreeMap<>(needs));
            sights = Collections.unmodifiableSortedMap(new TreeMap<>(sights));
            begun = Collections.unmodifiableSortedMap(new TreeMap<>(begun));
            findings = findings.stream().sorted().distinct().toList();
        }
    }

    public FleetPlan(
            String environment,
            String specDigest,
            String tool,
            List<ClusterPlan> clusters,
            List<Violation> violations) {
        this(environment, specDigest, tool, clusters, violations, Beside.NOTHING);
    }

    public SortedMap<ClusterRef, BackupNeeds> needs() {
        return beside.needs();
    }

    public SortedMap<ClusterRef, CertificateEnds> certificates() {
        return beside.certificates();
    }

    public List<Finding> findings() {
        return beside.findings();
    }

    public Tempo tempo() {
        return beside.tempo();
    }

    /// The same, with how long steps took in earlier runs.
    public FleetPlan at(Tempo tempo) {
        var known = new Beside(needs(), certificates(), beside.sights(), beside.begun(), findings(), tempo);
        return new FleetPlan(environment, specDigest, tool, clusters, violations, known);
    }

    public BackupNeeds needsOf(ClusterRef ref) {
        return needs().getOrDefault(ref, BackupNeeds.NONE);
    }

    /// The first time at which a policy will ask for a backup that it does not ask for now.
    public Optional<Instant> nextBackup() {
        return needs().values().stream()
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
