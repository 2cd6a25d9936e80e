package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.deletion.DeleteAfterSnapshot.Last;
import io.github.etcdgitops.spec.BackupPolicy;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.backup.StoredBackup;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.member.MemberState;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/// How a ring is deleted together with its data: not without a place for a snapshot, and not when no member
/// is left to take one from.
public final class LastSnapshot {
    private final ClusterState state;
    private final Clearance clearance;

    public LastSnapshot(ClusterState state, Clearance clearance) {
        this.state = state;
        this.clearance = clearance;
    }

    public sealed interface Answer {}

    public record Refused(Finding why) implements Answer {}

    public record Planned(DeleteAfterSnapshot operation) implements Answer {}

    /// `ended` where the members no longer run.
    public Answer of(Tombstone tombstone, Journal journal, boolean ended) {
        String name = tombstone.policy().orElse("");
        var policy = clearance.policy(name);
        if (policy.isEmpty()) {
            return refused(
                    FindingCode.TOMBSTONE_NO_POLICY,
                    "the tombstone " + tombstone.name() + " asks for a last snapshot with the backup policy " + name
                            + ", which does not exist or is invalid. Nothing is deleted. Fix the policy, name"
                            + " another one, or set `data: retain`");
        }
        var saved = journal.remains().flatMap(RetainedRing::saved);
        if (ended && saved.isEmpty()) {
            return refused(FindingCode.SNAPSHOT_TOO_LATE, tooLate(tombstone));
        }
        boolean taken = saved.isPresent()
                && (ended || revision().equals(OptionalLong.of(saved.get().revision())));
        return new Planned(new DeleteAfterSnapshot(
                state.ref(),
                journal.clusterId().orElseThrow(),
                claims(journal),
                journal.applied().version(),
                journal.past().returns(),
                new Last(order(policy.get()), taken),
                tombstone.reason()));
    }

    public static String tooLate(Tombstone tombstone) {
        return "the tombstone " + tombstone.name()
                + " asks for a last snapshot, and the ring was shut down without one. Its volumes stay. Bring the"
                + " ring back first, or set `data: deleteRetained` to delete them without a snapshot";
    }

    private static Refused refused(FindingCode code, String message) {
        return new Refused(new Finding(Level.ERROR, code, message));
    }

    private BackupOrder order(BackupPolicy policy) {
        return new BackupOrder(
                clearance.environment(), policy.name(), policy.destination(), policy.encoding(), StoredBackup.LAST);
    }

    private OptionalLong revision() {
        return state.ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .flatMap(member -> member.status().optional().stream())
                .map(MemberState.Status::at)
                .mapToLong(MemberState.Position::revision)
                .max();
    }

    /// The claims in the journal. The first step journals those that it does not name yet.
    private SortedMap<Integer, String> claims(Journal journal) {
        var claims = new TreeMap<Integer, String>();
        journal.members()
                .forEach((ordinal, member) -> member.claimUid()
                        .or(() -> state.kube().claim(ordinal).map(claim -> claim.uid()))
                        .ifPresent(uid -> claims.put(ordinal, uid)));
        return claims;
    }
}
