package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.deletion.Clearance;
import io.github.etcdgitops.ring.deletion.DeleteAfterSnapshot;
import io.github.etcdgitops.ring.deletion.DeleteCluster;
import io.github.etcdgitops.ring.deletion.Deletion;
import io.github.etcdgitops.ring.deletion.LastSnapshot;
import io.github.etcdgitops.ring.deletion.LeftBehind;
import io.github.etcdgitops.ring.deletion.ReturnCluster;
import io.github.etcdgitops.ring.membership.Membership;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.underway.KeptVolumes;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// A ring that exists and has no document. It stays as it is: a file may be missing by mistake. Only a
/// tombstone that names this exact ring deletes it.
public final class Orphan {
    private final ClusterState state;
    private final List<Tombstone> tombstones;
    private final Clearance clearance;
    private final List<Finding> findings = new ArrayList<>();

    private Orphan(ClusterState state, List<Tombstone> tombstones, Clearance clearance) {
        this.state = state;
        this.tombstones = List.copyOf(tombstones);
        this.clearance = clearance;
    }

    /// `tombstones` are those for rings of this name.
    public static ClusterPlan plan(ClusterState state, List<Tombstone> tombstones, Clearance clearance) {
        return new Orphan(state, tombstones, clearance).plan();
    }

    /// The finding about a tombstone whose ring has a document.
    public static Optional<Finding> waiting(ClusterState state, List<Tombstone> tombstones) {
        return state.kube()
                .knownJournal()
                .flatMap(journal -> meant(journal, tombstones))
                .map(tombstone -> new Finding(
                        Level.WARNING,
                        FindingCode.TOMBSTONE_WAITS,
                        "the tombstone " + tombstone.name() + " deletes this ring, but the ring has a document."
                                + " Nothing is deleted. Delete one of the two"));
    }

    /// A ring does not come back before its tombstone is removed: otherwise the next file missing by
    /// mistake would delete it. A deletion under way is undone anyway.
    public static ClusterPlan notBeside(Finding tombstone, ClusterPlan plan) {
        return plan.withFindings(List.of(tombstone))
                .gated(o -> o.operation() instanceof ReturnCluster back
                                && back.cause() != ReturnCluster.Cause.MIDWAY
                                && o.verdict().lets()
                        ? o.with(new Verdict.Hold(
                                "tombstone",
                                "the tombstone of this ring still exists and would delete it again. Delete the"
                                        + " tombstone first"))
                        : o);
    }

    private ClusterPlan plan() {
        var unread = state.kube().journal().unknownReason().filter(_ -> !tombstones.isEmpty());
        if (unread.isPresent()) {
            findings.add(new Finding(Level.ERROR, FindingCode.UNKNOWN, unread.get()));
            return ClusterPlan.nothing(state, Situation.UNKNOWN, findings);
        }
        var journal = state.kube().knownJournal();
        if (journal.isEmpty() || state.kube().foreign()) {
            return leftAlone(Optional.empty());
        }
        var meant = meant(journal.get(), tombstones);
        if (meant.isEmpty()) {
            tombstones.forEach(t -> findings.add(new Finding(
                    Level.WARNING,
                    FindingCode.TOMBSTONE_OTHER_RING,
                    "the tombstone " + t.name() + " names the cluster ID " + t.clusterId()
                            + ", which is not that of this ring")));
        }
        if (journal.get().intent().isEmpty()
                && journal.get().past().remains().isPresent()
                && state.kube().knownSet().isEmpty()) {
            return new RetainedRingPlan(state, journal.get(), clearance.unsure(), findings).plan(meant);
        }
        if (meant.isEmpty()) {
            return journal.get().isUnderWay(Intent.Kind.DELETE)
                    ? held(
                            FindingCode.DELETION_UNDER_WAY,
                            "the deletion of this ring has started, and now it has neither a document nor a"
                                    + " tombstone. Bring one of them back")
                    : leftAlone(journal.get().clusterId());
        }
        return switch (meant.get().data()) {
            case RETAIN, SNAPSHOT_THEN_DELETE -> deletion(meant.get(), journal.get());
            case DELETE_RETAINED -> remainder(meant.get(), journal.get());
        };
    }

    private ClusterPlan leftAlone(Optional<EtcdId> clusterId) {
        if (clearance.unread().isPresent()) {
            findings.add(new Finding(
                    Level.ERROR,
                    FindingCode.DOCUMENT_UNREAD,
                    clearance.unread().get() + " cannot be read and may be the document of this ring. Nothing is"
                            + " done with the ring until that file is corrected"));
            return ClusterPlan.nothing(state, Situation.REJECTED, findings);
        }
        findings.add(new Finding(
                Level.WARNING,
                FindingCode.ORPHAN,
                "no document in Git describes this ring, so nothing is done with it. Bring its file back, or "
                        + clusterId
                                .map(id -> "write a Tombstone for the cluster ID " + id
                                        + " when the ring is no longer needed")
                                .orElse("delete its objects by hand when the ring is no longer needed")));
        return ClusterPlan.nothing(state, Situation.ORPHAN, findings);
    }

    /// Deletes what is left where volumes are about to be deleted, or where a return was started and has
    /// started no member. A running ring is not deleted this way.
    private ClusterPlan remainder(Tombstone tombstone, Journal journal) {
        boolean known = state.kube().statefulSet().isKnown();
        if (known && state.kube().knownSet().isEmpty() && journal.remains().isPresent()) {
            return new RetainedRingPlan(state, journal, clearance.unsure(), findings).purge(tombstone);
        }
        return held(
                FindingCode.TOMBSTONE_TOO_EARLY,
                "the tombstone " + tombstone.name()
                        + " deletes what was retained of a deleted ring, but this ring still exists. Nothing is"
                        + " done. Set `data: retain` until the ring is gone");
    }

    private ClusterPlan deletion(Tombstone tombstone, Journal journal) {
        var unknown = state.kube().unknownParts();
        if (!unknown.isEmpty() || !state.kube().objects().confirmed()) {
            unknown.forEach(reason -> findings.add(new Finding(Level.ERROR, FindingCode.UNKNOWN, reason)));
            return ClusterPlan.nothing(state, Situation.UNKNOWN, findings);
        }
        var suspended = state.kube().knownSet().flatMap(StatefulSetState::suspended);
        if (suspended.isPresent()) {
            findings.add(new Finding(
                    Level.WARNING,
                    FindingCode.SUSPENDED,
                    "suspended by the annotation etcdgitops.dev/suspend on the StatefulSet: " + suspended.get()));
            return ClusterPlan.nothing(state, Situation.SUSPENDED, findings);
        }
        if (clearance.unsure().isPresent()) {
            return held(
                    FindingCode.DOCUMENTS_UNREAD,
                    "the ring is not deleted while it may have a document: "
                            + clearance.unsure().get());
        }
        // Also for a return that was started and has started no member yet.
        boolean ended = journal.intent().flatMap(Intent::remains).isPresent()
                && state.kube().knownSet().filter(s -> s.replicas() > 0).isEmpty();
        var obstacle = ended ? Optional.<Finding>empty() : obstacle(journal);
        if (obstacle.isPresent()) {
            return held(obstacle.get());
        }
        var start = ended ? RingModel.EMPTY : RingModel.of(state);
        return tombstone.data() == Tombstone.Data.RETAIN
                ? changes(
                        new DeleteCluster(
                                state.ref(),
                                journal.clusterId().orElseThrow(),
                                journal.members().size(),
                                journal.applied().version(),
                                journal.past().returns(),
                                tombstone.reason()),
                        start)
                : lastSnapshot(tombstone, journal, ended, start);
    }

    private ClusterPlan lastSnapshot(Tombstone tombstone, Journal journal, boolean ended, RingModel start) {
        return switch (new LastSnapshot(state, clearance).of(tombstone, journal, ended)) {
            case LastSnapshot.Refused(Finding why) -> held(why);
            case LastSnapshot.Planned(DeleteAfterSnapshot operation) -> changes(operation, start);
        };
    }

    private ClusterPlan changes(Deletion operation, RingModel start) {
        findings.add(LeftBehind.of(
                state,
                state.kube().knownJournal().orElseThrow(),
                operation instanceof DeleteAfterSnapshot all ? all.claims() : new TreeMap<>()));
        return new ClusterPlan(
                state.ref(),
                Situation.CHANGES,
                ClusterPlan.answering(state),
                List.of(PlannedOperation.of(operation, start)),
                List.of(),
                findings,
                Fingerprint.of(state));
    }

    /// What must end or be repaired before the ring may be deleted. Without its document, no operation does
    /// that.
    private Optional<Finding> obstacle(Journal journal) {
        var other = journal.intent()
                .map(Intent::kind)
                .filter(kind -> kind != Intent.Kind.DELETE && kind != Intent.Kind.RETURN);
        if (other.isPresent()) {
            return error(
                    FindingCode.DELETION_WAITS,
                    "this operation is under way: " + other.get() + ". Bring the ring's document back until it has"
                            + " finished");
        }
        var set = state.kube().knownSet().filter(s -> !s.terminating());
        if (set.isEmpty()) {
            return error(FindingCode.STATEFULSET_MISSING, "the journal knows this ring, but its StatefulSet is gone");
        }
        var ring = state.ring().optional();
        if (ring.isEmpty()) {
            return error(FindingCode.RING_UNKNOWN, state.ring().unknownReason().orElseThrow());
        }
        return switch (Membership.of(state.ref(), ring.get(), set.get(), journal)) {
            case Membership.Broken(FindingCode code, String reason) -> error(code, reason);
            case Membership.Steady(int members)
            when members == journal.members().size() && set.get().replicas() == members -> unwell(journal);
            case Membership _ ->
                error(
                        FindingCode.DELETION_WAITS,
                        "the member list, the journal and the StatefulSet's replicas contradict each other");
        };
    }

    private Optional<Finding> unwell(Journal journal) {
        var changed = KeptVolumes.changed(state.ref(), state.kube(), journal)
                .or(() -> KeptVolumes.lost(state.kube(), journal).stream()
                        .findFirst()
                        .map(o -> "the volume of " + state.ref().podName(o) + " is lost"));
        if (changed.isPresent()) {
            return error(FindingCode.VOLUMES_MISSING, changed.get());
        }
        return RingHealth.problems(state, Set.of()).stream()
                .findFirst()
                .flatMap(problem -> error(
                        FindingCode.NOT_GREEN,
                        problem + ". A ring is deleted only while all its members are healthy, so that its volumes"
                                + " keep all of its data"));
    }

    private static Optional<Finding> error(FindingCode code, String message) {
        return Optional.of(new Finding(Level.ERROR, code, message));
    }

    private ClusterPlan held(FindingCode code, String reason) {
        return held(new Finding(Level.ERROR, code, reason));
    }

    private ClusterPlan held(Finding why) {
        findings.add(why);
        return ClusterPlan.nothing(state, Situation.HELD, findings);
    }

    private static Optional<Tombstone> meant(Journal journal, List<Tombstone> tombstones) {
        return tombstones.stream()
                .filter(t -> journal.clusterId()
                        .filter(id -> id.equals(EtcdId.parse(t.clusterId())))
                        .isPresent())
                .findFirst();
    }
}
