package io.github.etcdgitops.ring.maintenance;

import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.ring.roll.RollGate;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.health.Space;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What the steps of maintenance ask for besides what every step does. Pure; fails closed.
///
/// A ring that is out of space is well but for that, and for members that it can spare, or nothing is done
/// to it: the others are away one after the other for as long as they write their files anew.
public final class MaintainGate {
    private MaintainGate() {}

    /// Whether the member may be away for a while.
    static Optional<String> busy(int ordinal, ClusterState fresh) {
        return RollGate.away(ordinal, fresh).or(() -> MemberGate.evictable(fresh));
    }

    static Optional<String> unwell(ClusterState fresh) {
        return outOfSpaceAnd(fresh, RingHealth.bearable(fresh));
    }

    /// What else is wrong with a ring of which the member has just been away, and must be back.
    public static Optional<String> unwellAfter(int ordinal, ClusterState fresh) {
        var away = new TreeSet<>(RingHealth.bearable(fresh));
        away.remove(ordinal);
        return outOfSpaceAnd(fresh, away);
    }

    private static Optional<String> outOfSpaceAnd(ClusterState fresh, Set<Integer> away) {
        return RingHealth.problems(Space.ignored(fresh), away).stream().findFirst();
    }
}
