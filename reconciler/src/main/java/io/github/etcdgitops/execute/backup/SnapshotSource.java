package io.github.etcdgitops.execute.backup;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.backup.Manifest.RingRevision;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Checks whether a member has the data that the ring has. A follower that was suspended, or whose disk is
/// slow, answers like any other and would give an old snapshot.
///
/// The ring is asked once, by a linearizable read, and then each member by itself. The limit is a time, not
/// a number of revisions: a member that has everything the ring had within ten seconds is a source, and its
/// snapshot contains every write that was acknowledged before the ring was asked.
final class SnapshotSource {
    static final Duration CATCH_UP = Duration.ofSeconds(10);

    private final StepContext context;
    private final Optional<Asked> asked;

    /// The revision of a majority at that moment, or a moment later.
    private record Asked(long revision, Instant at) {}

    private SnapshotSource(StepContext context, Optional<Asked> asked) {
        this.context = context;
        this.asked = asked;
    }

    /// Asks the leader where it answers. A ring that has certainly lost its quorum has no reference to
    /// compare with.
    static SnapshotSource of(StepContext context, ClusterState state, List<MemberState> sources) {
        if (QuorumLoss.of(state).isPresent()) {
            return new SnapshotSource(context, Optional.empty());
        }
        GatewayException last = null;
        for (var member : sources.reversed()) {
            var at = context.now();
            try {
                long revision =
                        context.calls().through(member, (etcd, route) -> etcd.ringRevision(route, StepContext.CALL));
                return new SnapshotSource(context, Optional.of(new Asked(revision, at)));
            } catch (GatewayException e) {
                last = e;
            }
        }
        throw new GatewayException(
                GatewayException.Kind.UNREACHABLE,
                false,
                "no member returned the ring's revision, so none can be the source: "
                        + (last == null ? "no member answers" : last.getMessage()));
    }

    /// What is known of a member's data: nothing where there was no reference.
    sealed interface Standing {
        record Source(Optional<RingRevision> ring) implements Standing {}

        record Behind(String reason) implements Standing {}
    }

    Standing standing(MemberState member) {
        if (asked.isEmpty()) {
            return new Standing.Source(Optional.empty());
        }
        long ring = asked.get().revision();
        long first = own(member);
        var missing = first >= ring
                ? Optional.<String>empty()
                : context.awaitTurn(
                        CATCH_UP,
                        () -> own(member) >= ring
                                ? Optional.empty()
                                : Optional.of(name(member) + " was " + (ring - first)
                                        + " revisions behind the ring, which was at " + ring));
        return missing.<Standing>map(Standing.Behind::new)
                .orElseGet(() -> new Standing.Source(
                        Optional.of(new RingRevision(ring, asked.get().at(), Math.max(0, ring - first)))));
    }

    private long own(MemberState member) {
        return context.calls().through(member, (etcd, route) -> etcd.revision(route, StepContext.CALL));
    }

    private String name(MemberState member) {
        return member.ordinal(context.ref()).map(context.ref()::podName).orElse(member.name());
    }
}
