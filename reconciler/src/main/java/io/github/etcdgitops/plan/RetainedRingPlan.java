package io.github.etcdgitops.plan;

import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.deletion.DeleteVolumes;
import io.github.etcdgitops.ring.deletion.LastSnapshot;
import io.github.etcdgitops.ring.deletion.LeftBehind;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.underway.Leftovers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A ring that was deleted and has no document. What is retained of it stays, until a tombstone asks to
/// delete that as well.
final class RetainedRingPlan {
    private final ClusterState state;
    private final Journal journal;
    private final Optional<String> unsure;
    private final List<Finding> findings;

    /// `findings` are those known already.
    RetainedRingPlan(ClusterState state, Journal journal, Optional<String> unsure, List<Finding> findings) {
        this.state = state;
        this.journal = journal;
        this.unsure = unsure;
        this.findings = new ArrayList<>(findings);
    }

    /// `meant` is the tombstone that names this exact ring.
    ClusterPlan plan(Optional<Tombstone> meant) {
        var remains = journal.past().remains().orElseThrow();
        boolean purges =
                meant.filter(t -> t.data() == Tombstone.Data.DELETE_RETAINED).isPresent();
        if (remains.volumes() == RetainedRing.Volumes.DELETED
                && !(purges && !left().former().isEmpty())) {
            String snapshot = remains.saved()
                    .map(saved -> ", after the backup " + saved.backup() + " of revision " + saved.revision())
                    .orElse("");
            return deleted(
                    "its volumes are deleted too" + snapshot
                            + ". No other ring of this name is created while its journal exists: "
                            + left().afterwards(),
                    meant);
        }
        var late = meant.filter(t -> t.data() == Tombstone.Data.SNAPSHOT_THEN_DELETE);
        if (late.isPresent()) {
            return held(FindingCode.SNAPSHOT_TOO_LATE, LastSnapshot.tooLate(late.get()));
        }
        return purges
                ? purge(meant.orElseThrow())
                : deleted(
                        "its " + journal.members().size() + " volumes are kept, and it comes back with its document; "
                                + left().afterwards(),
                        meant);
    }

    private ClusterPlan deleted(String what, Optional<Tombstone> meant) {
        String reason = journal.past().remains().orElseThrow().reason();
        findings.add(
                new Finding(Level.NOTE, FindingCode.RING_DELETED, "this ring was deleted (" + reason + "); " + what));
        return ClusterPlan.nothing(state, meant.isPresent() ? Situation.IN_SYNC : Situation.ORPHAN, findings);
    }

    private Leftovers left() {
        return Leftovers.of(state.ref(), state.kube(), journal);
    }

    /// Only claims whose UID the journal of this exact ring has, and those of members that left earlier.
    /// Any other claim belongs to others, or to another ring.
    ClusterPlan purge(Tombstone tombstone) {
        var unknown = state.kube().unknownParts();
        if (!unknown.isEmpty() || !state.kube().objects().confirmed()) {
            unknown.forEach(reason -> findings.add(new Finding(Level.ERROR, FindingCode.UNKNOWN, reason)));
            return ClusterPlan.nothing(state, Situation.UNKNOWN, findings);
        }
        if (unsure.isPresent()) {
            return held(
                    FindingCode.DOCUMENTS_UNREAD, "its volumes are kept while it may have a document: " + unsure.get());
        }
        var pods = state.kube().pods().optional().orElseThrow();
        if (!pods.isEmpty()) {
            return held(
                    FindingCode.DELETION_WAITS,
                    "the pod " + state.ref().podName(pods.firstKey())
                            + " still exists. The volumes of the ring are kept until it is gone");
        }
        var claims = claims();
        others(claims);
        findings.add(LeftBehind.of(state, journal, claims));
        var operation = new DeleteVolumes(
                state.ref(),
                journal.clusterId().orElseThrow(),
                claims,
                journal.applied().version(),
                journal.past().returns(),
                tombstone.reason());
        return new ClusterPlan(
                state.ref(),
                Situation.CHANGES,
                ClusterPlan.answering(state),
                List.of(PlannedOperation.of(operation, RingModel.EMPTY)),
                List.of(),
                findings,
                Fingerprint.of(state));
    }

    /// An approval names them: once the deletion starts, the journalled claims count, whatever is observed.
    /// The claims of members that left earlier go with those of the members.
    private SortedMap<Integer, String> claims() {
        var remains = journal.remains().orElseThrow();
        if (remains.volumes() == RetainedRing.Volumes.GOING) {
            return remains.going().isEmpty() ? Leftovers.members(journal) : remains.going();
        }
        var claims = remains.volumes() == RetainedRing.Volumes.DELETED
                ? new TreeMap<Integer, String>()
                : new TreeMap<>(Leftovers.members(journal));
        left().former().forEach((ordinal, claim) -> claims.put(ordinal, claim.uid()));
        return claims;
    }

    private void others(Map<Integer, String> claims) {
        state.kube().claims().optional().orElseThrow().forEach((ordinal, claim) -> {
            if (!claim.uid().equals(claims.get(ordinal))) {
                findings.add(new Finding(Level.WARNING, FindingCode.VOLUME_LEFT_ALONE, other(claim)));
            }
        });
    }

    private static String other(KubeState.ClaimState claim) {
        return "the claim " + claim.name() + " (UID " + claim.uid()
                + ") is not in the ring's journal. It is kept. Delete it by hand if it is not needed";
    }

    private ClusterPlan held(FindingCode code, String reason) {
        findings.add(new Finding(Level.ERROR, code, reason));
        return ClusterPlan.nothing(state, Situation.HELD, findings);
    }
}
