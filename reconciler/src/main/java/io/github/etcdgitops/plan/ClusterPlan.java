package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Defect;
import io.github.etcdgitops.state.health.Quorum;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// What a run would do to one ring, in order, and what blocks the rest.
///
/// `fingerprint` covers observed facts that must be unchanged when a run carries out the plan (IDs, UIDs,
/// versions, counts). It excludes everything that changes by itself (leader, term, revision, sizes, times):
/// the same state gives the same bytes.
public record ClusterPlan(
        ClusterRef ref,
        Situation situation,
        Quorum quorum,
        List<PlannedOperation> operations,
        List<Waiting> waiting,
        List<Finding> findings,
        SortedMap<String, String> fingerprint) {
    /// For a ring with an invalid document; the violations say what is wrong.

    public ClusterPlan {
        operations = List.copyOf(operations);
        waiting = List.copyOf(waiting);
        findings = findings.stream().sorted().distinct().toList();
        fingerprint = PackedFacts.of(fingerprint);
    }

    /// The state of a ring in one word, worst first.
    public enum Situation implements WireName {
        /// Its document is invalid: the run does not touch the ring.
        REJECTED,
        /// Something could not be read: nothing is planned.
        UNKNOWN,
        /// The ring is not in the required state: nothing is planned until it is.
        HELD,
        SUSPENDED,
        /// Its document is gone. Nothing happens to it.
        ORPHAN,
        /// Operations are planned or waiting.
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

    /// A wanted change that this run does not plan, with the reason.
    public record Waiting(String what, String reason) {}

    static ClusterPlan nothing(ClusterState state, Situation situation, List<Finding> findings) {
        return new ClusterPlan(
                state.ref(), situation, answering(state), List.of(), List.of(), findings, Fingerprint.of(state));
    }

    /// For a ring with an invalid document.
    public static ClusterPlan rejected(ClusterRef ref) {
        return rejected(
                ref,
                List.of(new Finding(
                        Finding.Level.ERROR,
                        FindingCode.DOCUMENT_REJECTED,
                        "a document of this ring is invalid. Nothing is done with the ring until the document is"
                                + " corrected")));
    }

    /// For a ring whose objects do not fit the Kubernetes types.
    public static ClusterPlan notRendered(ClusterRef ref, IllegalArgumentException why) {
        return rejected(
                ref,
                List.of(new Finding(
                        Finding.Level.ERROR,
                        FindingCode.CANNOT_BE_RENDERED,
                        "the pod template is not a valid Kubernetes structure: " + why.getMessage())));
    }

    public static ClusterPlan rejected(ClusterRef ref, List<Finding> findings) {
        var none = new Quorum(0, 0);
        return new ClusterPlan(ref, Situation.REJECTED, none, List.of(), List.of(), findings, new TreeMap<>());
    }

    /// For a ring whose planning failed with a bug: nothing is planned, and no known object is taken for
    /// absent.
    public static ClusterPlan failed(ClusterRef ref, Defect defect) {
        return unknown(ref, new Finding(Finding.Level.ERROR, FindingCode.INTERNAL_ERROR, defect.in(ref)));
    }

    /// For a ring that could not be read at all.
    public static ClusterPlan unknown(ClusterRef ref, Finding why) {
        var none = new Quorum(0, 0);
        return new ClusterPlan(ref, Situation.UNKNOWN, none, List.of(), List.of(), List.of(why), new TreeMap<>());
    }

    /// The internal error that ended the planning of this ring, if any.
    public Optional<String> internalError() {
        return findings.stream()
                .filter(finding -> finding.is(FindingCode.INTERNAL_ERROR))
                .map(Finding::message)
                .findFirst();
    }

    /// The number of voters, and how many of them answer.
    static Quorum answering(ClusterState state) {
        return state.ring()
                .map(ring -> new Quorum(ring.voters().size(), (int)
                        ring.voters().stream().filter(m -> m.answers()).count()))
                .optional()
                .orElse(new Quorum(0, 0));
    }

    /// The highest risk of all operations: the first one may be the most harmless.
    public Optional<Risk> highestRisk() {
        return operations.stream().map(o -> o.operation().risk()).max(Comparator.naturalOrder());
    }

    /// The lowest tolerance at any moment of any operation.
    public Quorum worst() {
        return operations.stream()
                .map(PlannedOperation::worst)
                .filter(q -> q.voters() > 0)
                .min(Comparator.comparingInt(Quorum::tolerance))
                .orElse(quorum);
    }

    /// The strictest verdict of all operations, where a rule objects.
    public Optional<Verdict> strictest() {
        return operations.stream().map(PlannedOperation::verdict).max(Comparator.comparingInt(Verdict::strictness));
    }

    public boolean changes() {
        return !operations.isEmpty();
    }

    public ClusterPlan gated(UnaryOperator<PlannedOperation> gate) {
        return operations.isEmpty()
                ? this
                : new ClusterPlan(
                        ref, situation, quorum, operations.stream().map(gate).toList(), waiting, findings, fingerprint);
    }

    /// The same for a ring that was not observed: there is nothing to detect a change by.
    public ClusterPlan unseen() {
        return new ClusterPlan(ref, situation, quorum, operations, waiting, findings, new TreeMap<>());
    }

    public ClusterPlan withFindings(List<Finding> more) {
        if (more.isEmpty()) {
            return this;
        }
        var all = new java.util.ArrayList<>(findings);
        all.addAll(more);
        return new ClusterPlan(ref, situation, quorum, operations, waiting, all, fingerprint);
    }
}
