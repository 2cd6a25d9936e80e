package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingHealth;
import io.github.etcdgitops.state.Space;
import io.github.etcdgitops.step.MaintainStep;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What the steps of maintenance ask for besides what every step does. Pure; fails closed.
///
/// A ring that is out of space is well but for that, and for members that it can spare, or nothing is done
/// to it: the others are away one after the other for as long as they write their files anew.
final class MaintainGate {
    private MaintainGate() {}

    static Optional<String> check(MaintainStep step, ClusterState fresh) {
        return switch (step) {
            case MaintainStep.Defragment(int ordinal, var percent, var size) -> busy(ordinal, fresh);
            case MaintainStep.MakeRoom(int ordinal) -> unwell(fresh).or(() -> busy(ordinal, fresh));
            case MaintainStep.CompactHistory _, MaintainStep.HandOver _, MaintainStep.DisarmSpace _ -> unwell(fresh);
            case MaintainStep.ProveWrites _ -> Optional.empty();
        };
    }

    /// Whether the member may be away for a while.
    private static Optional<String> busy(int ordinal, ClusterState fresh) {
        return RollGate.away(ordinal, fresh).or(() -> SafetyGate.evictable(fresh));
    }

    private static Optional<String> unwell(ClusterState fresh) {
        return outOfSpaceAnd(fresh, RingHealth.bearable(fresh));
    }

    /// What else is wrong with a ring of which the member has just been away, and must be back.
    static Optional<String> unwellAfter(int ordinal, ClusterState fresh) {
        var away = new TreeSet<>(RingHealth.bearable(fresh));
        away.remove(ordinal);
        return outOfSpaceAnd(fresh, away);
    }

    private static Optional<String> outOfSpaceAnd(ClusterState fresh, Set<Integer> away) {
        return RingHealth.problems(Space.ignored(fresh), away).stream().findFirst();
    }
}
