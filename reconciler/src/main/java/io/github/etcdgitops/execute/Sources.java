package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.member.StatusError;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// The voters that a snapshot can be taken from, the best first: followers before the leader, the one that
/// has applied most before those that lag. So reading a whole database affects clients least. A ring that
/// is out of space is read like any other; so is one without quorum, whose members all report that there is
/// no leader.
public final class Sources {
    private static final Set<StatusError> FOR_WANT_OF_A_QUORUM =
            Set.of(StatusError.Plain.NO_LEADER, StatusError.Plain.ALARMS_UNKNOWN);

    private Sources() {}

    public static List<MemberState> of(ClusterState state) {
        var ring = Space.ignored(state).ring().optional();
        if (ring.isEmpty()) {
            return List.of();
        }
        var leader = ring.get().leader();
        Set<StatusError> ignored = QuorumLoss.of(state).isPresent() ? FOR_WANT_OF_A_QUORUM : Set.of();
        return ring.get().voters().stream()
                .filter(MemberState::answers)
                .filter(m -> m.status()
                                .optional()
                                .filter(s -> ignored.containsAll(s.errors()))
                                .isPresent()
                        || ring.get().voters().size() == 1)
                .sorted(Comparator.comparing(
                                (MemberState m) -> leader.filter(m.id()::equals).isPresent())
                        .thenComparing(
                                Comparator.comparingLong(Sources::applied).reversed())
                        .thenComparing(MemberState::id))
                .toList();
    }

    /// The best voters to compare with `source`: other followers first, and the leader last.
    public static List<MemberState> othersThan(EtcdId source, ClusterState state) {
        return of(state).stream().filter(m -> !m.id().equals(source)).toList();
    }

    private static long applied(MemberState member) {
        return member.status().optional().map(MemberState.Status::appliedIndex).orElse(0L);
    }
}
