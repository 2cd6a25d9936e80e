package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.IrreversibleSteps;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.validation.Violation;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// The plan of one environment: every ring in it, sorted, and every violation found. `specDigest` covers
/// the documents it was made from, including policies and approvals.
public record FleetPlan(
        String environment,
        String specDigest,
        String tool,
        List<ClusterPlan> clusters,
        List<Violation> violations,
        Beside beside) {
    public FleetPlan {
        clusters = clusters.stream()
                .map(ring -> ring.withFindings(IrreversibleSteps.of(ring)))
                .sorted(Comparator.comparing(ClusterPlan::ref))
                .toList();
        violations = violations.stream().sorted().toList();
    }

    /// Additional facts: per ring, fleet-wide findings, and how long steps have taken in this fleet.
    public record Beside(SortedMap<ClusterRef, RingFacts> rings, List<Finding> findings, Tempo tempo) {
        public static final Beside NOTHING = new Beside(new TreeMap<>(), List.of());

        public Beside(SortedMap<ClusterRef, RingFacts> rings, List<Finding> findings) {
            this(rings, findings, Tempo.NONE);
        }

        public Beside {
            rings = Collections.unmodifiableSortedMap(new TreeMap<>(rings));
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

    public FleetPlan with(List<ClusterPlan> rings) {
        return new FleetPlan(environment, specDigest, tool, rings, violations, beside);
    }

    public FleetPlan with(Beside known) {
        return new FleetPlan(environment, specDigest, tool, clusters, violations, known);
    }

    public FleetPlan with(Finding finding) {
        var more = Stream.concat(findings().stream(), Stream.of(finding)).toList();
        return with(new Beside(beside.rings(), more, tempo()));
    }

    /// The same plan, with how long steps took in earlier runs.
    public FleetPlan at(Tempo tempo) {
        return with(new Beside(beside.rings(), findings(), tempo));
    }

    /// By bisection, because a run asks this for each ring.
    public ClusterPlan of(ClusterRef ref) {
        int from = 0;
        int to = clusters.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            var ring = clusters.get(middle);
            int order = ring.ref().compareTo(ref);
            if (order == 0) {
                return ring;
            }
            from = order < 0 ? middle + 1 : from;
            to = order < 0 ? to : middle;
        }
        throw new IllegalStateException("the planner left out " + ref);
    }

    public RingFacts factsOf(ClusterRef ref) {
        return beside.rings().getOrDefault(ref, RingFacts.NONE);
    }

    public BackupNeeds needsOf(ClusterRef ref) {
        return factsOf(ref).needs().orElse(BackupNeeds.NONE);
    }

    /// `what` of each ring, where it is known.
    public <T> SortedMap<ClusterRef, T> known(Function<RingFacts, Optional<T>> what) {
        return RingFacts.known(beside.rings(), what);
    }

    public List<Finding> findings() {
        return beside.findings();
    }

    public Tempo tempo() {
        return beside.tempo();
    }

    /// The first time at which a policy will require a backup that it does not require now.
    public Optional<Instant> nextBackup() {
        return known(RingFacts::needs).values().stream()
                .flatMap(ring -> ring.policies().stream())
                .flatMap(kept -> kept.dues().next().stream())
                .min(Comparator.naturalOrder());
    }

    public long count(Situation situation) {
        return clusters.stream().filter(c -> c.situation() == situation).count();
    }

    /// Whether any operation is planned or waiting.
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
