package io.github.etcdgitops.ring.storage;

import io.github.etcdgitops.inert.Count;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.health.RingHealth;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Deletes volumes of removed members, once the document's `spec.storage.retention` has expired. This
/// cannot be undone. The ring of `members` does not need them.
///
/// `claims` are those volumes' claims, UID by ordinal; no other claim is touched. A claim without a removal
/// date first gets today's date, and its retention counts from there.
///
/// A failure leaves some of them. The next run continues with those.
public record DeleteLeftVolumes(ClusterRef ref, int members, SortedMap<Integer, String> claims, Stage stage)
        implements Operation {
    public enum Stage {
        DATE,
        DELETE
    }

    public DeleteLeftVolumes {
        claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
    }

    /// For a ring with no change under way and nothing else to do. A member that its document asks for may
    /// come back to its volume.
    public static List<DeleteLeftVolumes> detect(EtcdClusterSpec spec, ClusterState state, int members, Instant now) {
        var after = spec.declaration().handling().maintenance().deleteLeftAfter();
        if (after.isEmpty()
                || spec.size() != members
                || !RingHealth.problems(state, Set.of()).isEmpty()) {
            return List.of();
        }
        return Stream.of(
                        of(state, members, Stage.DATE, claim -> !claim.dated()),
                        of(state, members, Stage.DELETE, claim -> claim.leftBefore(now.minus(after.get()))))
                .filter(operation -> !operation.claims.isEmpty())
                .toList();
    }

    private static DeleteLeftVolumes of(ClusterState state, int members, Stage stage, Predicate<ClaimState> which) {
        var claims = new TreeMap<Integer, String>();
        state.kube().claims().optional().orElseThrow().forEach((ordinal, claim) -> {
            if (LeftStep.needed(ordinal, members, state).isEmpty() && which.test(claim)) {
                claims.put(ordinal, claim.uid());
            }
        });
        return new DeleteLeftVolumes(state.ref(), members, claims, stage);
    }

    @Override
    public String kind() {
        return "DeleteLeftVolumes";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of(RequestedBy.Part.RETENTION);
    }

    @Override
    public String target() {
        return (stage == Stage.DATE ? "departures dated" : "volumes deleted") + " claims="
                + String.join(",", claims.values());
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING;
    }

    @Override
    public Risk risk() {
        return stage == Stage.DATE ? Risk.LOW : Risk.DESTRUCTIVE;
    }

    /// The reviewer of the document has permitted it, and had `after` to withdraw that.
    @Override
    public Consent consent() {
        return Consent.PERMITTED;
    }

    /// The volumes hold data that no member has any more.
    @Override
    public boolean needsBackup() {
        return stage == Stage.DELETE;
    }

    @Override
    public String reason() {
        return stage == Stage.DATE
                ? "these volume claims have no departure date, and /spec/storage/retention counts from it"
                : "their members left longer ago than /spec/storage/retention keeps their volumes";
    }

    @Override
    public String summary() {
        return (stage == Stage.DATE ? "record today as the departure date of " : "delete the volumes of ")
                + Count.of(claims.size(), "former member");
    }

    @Override
    public List<Step> steps() {
        return List.of(
                stage == Stage.DATE
                        ? new LeftStep.DateDepartures(members, claims)
                        : new LeftStep.DeleteLeftClaims(members, claims));
    }
}
