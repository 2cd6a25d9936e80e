package io.github.etcdgitops.ring.maintenance;

import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.ring.roll.RollGate;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.health.Space;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What the maintenance steps require besides the checks of every step. Pure; fails closed.
///
/// A ring that is out of space must otherwise be healthy, except for members that it can spare; else the
/// steps do nothing. Each remaining member is away for as long as its defragmentation takes, one after the
/// other.
public final class MaintainGate {
    private MaintainGate() {}

    /// Whether the member may be away for a while.
    static Optional<String> busy(int ordinal, ClusterState fresh) {
        return RollGate.away(ordinal, fresh).or(() -> MemberGate.evictable(fresh));
    }

    static Optional<String> unwell(ClusterState fresh) {
        return outOfSpaceAnd(fresh, RingHealth.bearable(fresh));
    }

    /// Which other problems a ring has after the member was away. The member must be back.
    public static Optional<String> unwellAfter(int ordinal, ClusterState fresh) {
        var away = new TreeSet<>(RingHealth.bearable(fresh));
        away.remove(ordinal);
        return outOfSpaceAnd(fresh, away);
    }

    private static Optional<String> outOfSpaceAnd(ClusterState fresh, Set<Integer> away) {
        return RingHealth.problems(Space.ignored(fresh), away).stream().findFirst();
    }
}
