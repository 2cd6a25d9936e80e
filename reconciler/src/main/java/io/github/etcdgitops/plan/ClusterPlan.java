package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Defect;
import io.github.etcdgitops.state.health.Quorum;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// What a run would do to one ring, in order, and what stands in the way of the rest.
///
/// `fingerprint` names what was observed and must be the same when the plan is carried out (IDs, UIDs,
/// versions, counts). Nothing that changes by itself (leader, term, revision, sizes, times) is in here:
/// the same state gives the same bytes.
public record ClusterPlan(
        ClusterRef ref,
        Situation situation,
        Quorum quorum,
        List<PlannedOperation> operations,
        List<Waiting> waiting,
        List<Finding> findings,
        SortedMap<String, String> fingerprint) {
    /// A ring one of whose documents is wrong: the violations say what is.

    public ClusterPlan {
        operations = List.copyOf(operations);
        waiting = List.copyOf(waiting);
        findings = findings.stream().sorted().distinct().toList();
        fingerprint = Collections.unmodifiableSortedMap(new TreeMap<>(fingerprint));
    }

    /// The one word for a ring, worst first.
    public enum Situation implements WireName {
        /// Its document is wrong: the ring is left alone.
        REJECTED,
        /// Something could not be read: nothing is planned.
        UNKNOWN,
        /// Something is not as it must be: nothing is planned until it is.
        HELD,
        SUSPENDED,
        /// Its file is gone. Nothing happens to it.
        ORPHAN,
        /// Operations are planned, or wait.
        CHANGES,
        IN_SYNC;

        /// `in sync`.
        public String title() {
            return wire().replace('_', ' ');
        }

        @Override
        public String wire() {
            return switch (this) {
                case REJECTED -> "rejected";
                case UNKNOWN -> "unknown";
                case HELD -> "held";
                case SUSPENDED -> "suspended";
                case ORPHAN -> "orphan";
                case CHANGES -> "changes";
                case IN_SYNC -> "in_sync";
            };
        }
    }

    /// What is wanted and not planned in this run, with the reason.
    public record Waiting(String what, String reason) {}

    static ClusterPlan nothing(ClusterState state, Situation situation, List<Finding> findings) {
        return new ClusterPlan(
                state.ref(), situation, answering(state), List.of(), List.of(), findings, Fingerprint.of(state));
    }

    /// Of a ring of which a document is wrong.
    public static ClusterPlan rejected(ClusterRef ref) {
        return rejected(
                ref,
                List.of(new Finding(
                        Finding.Level.ERROR,
                        Finding.DOCUMENT_REJECTED,
                        "a document of this ring is invalid. Nothing is done with the ring until the document is"
                                + " corrected")));
    }

    /// Of a ring whose objects Kubernetes' structures cannot hold.
    public static ClusterPlan notRendered(ClusterRef ref, IllegalArgumentException why) {
        return rejected(
                ref,
                List.of(new Finding(
                        Finding.Level.ERROR,
                        "cannot-be-rendered",
                        "the pod template is not a valid Kubernetes structure: " + why.getMessage())));
    }

    public static ClusterPlan rejected(ClusterRef ref, List<Finding> findings) {
        var none = new Quorum(0, 0);
        return new ClusterPlan(ref, Situation.REJECTED, none, List.of(), List.of(), findings, new TreeMap<>());
    }

    /// Of a ring whose planning met a bug: nothing is planned, and nothing known is taken for absent.
    public static ClusterPlan failed(ClusterRef ref, Defect defect) {
        return unknown(ref, new Finding(Finding.Level.ERROR, Defect.CODE, defect.in(ref)));
    }

    /// Of a ring that could not be read at all.
    public static ClusterPlan unknown(ClusterRef ref, Finding why) {
        var none = new Quorum(0, 0);
        return new ClusterPlan(ref, Situation.UNKNOWN, none, List.of(), List.of(), List.of(why), new TreeMap<>());
    }

    /// What went wrong where a bug ended the planning of this ring.
    public Optional<String> internalError() {
        return findings.stream()
                .filter(finding -> finding.code().equals(Defect.CODE))
                .map(Finding::message)
                .findFirst();
    }

    /// The voters, and how many of them answer.
    static Quorum answering(ClusterState state) {
        return state.ring()
                .map(ring -> new Quorum(ring.voters().size(), (int)
                        ring.voters().stream().filter(m -> m.answers()).count()))
                .optional()
                .orElse(new Quorum(0, 0));
    }

    /// Of all operations: the first one may be the most harmless.
    public Optional<Risk> highestRisk() {
        return operations.stream().map(o -> o.operation().risk()).max(Comparator.naturalOrder());
    }

    /// The least tolerance at any moment of any operation.
    public Quorum worst() {
        return operations.stream()
                .map(PlannedOperation::worst)
                .filter(q -> q.voters() > 0)
                .min(Comparator.comparingInt(Quorum::tolerance))
                .orElse(quorum);
    }

    /// What the rules say where they say something in the way: of all operations, the worst.
    public Optional<Verdict> strictest() {
        return operations.stream().map(PlannedOperation::verdict).max(Comparator.comparingInt(Verdict::strictness));
    }

    public boolean changes() {
        return !operations.isEmpty();
    }

    public ClusterPlan gated(UnaryOperator<PlannedOperation> gate) {
        return new ClusterPlan(
                ref, situation, quorum, operations.stream().map(gate).toList(), waiting, findings, fingerprint);
    }

    /// The same of a ring that nobody has looked at: there is nothing by which to find it changed.
    public ClusterPlan unseen() {
        return new ClusterPlan(ref, situation, quorum, operations, waiting, findings, new TreeMap<>());
    }

    public ClusterPlan withFindings(List<Finding> more) {
        var all = new java.util.ArrayList<>(findings);
        all.addAll(more);
        return new ClusterPlan(ref, situation, quorum, operations, waiting, all, fingerprint);
    }
}
