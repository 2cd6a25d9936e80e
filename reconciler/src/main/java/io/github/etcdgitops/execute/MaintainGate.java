package io.github.etcdgitops.execute;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingHealth;
import io.github.etcdgitops.state.Space;
import io.github.etcdgitops.step.MaintainStep;
import java.util.Optional;
import java.util.Set;

/// What the steps of maintenance ask for besides what every step does. Pure; fails closed.
///
/// A ring that is out of space is well but for that, or nothing is done to it: its members are away one
/// after the other for as long as they write their files anew.
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
        return RingHealth.problems(Space.ignored(fresh), Set.of()).stream().findFirst();
    }
}
