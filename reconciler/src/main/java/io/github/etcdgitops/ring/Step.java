package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.health.RingHealth;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// One instruction. Every step observes, decides, acts and verifies; says "already so" when it is; and
/// may be run again after a crash at any point of it. `ordinal` is always a StatefulSet ordinal.
///
/// A step says itself what plans, gates and reports need to know of it. Each family of steps is a sealed
/// interface, and one handler carries it out.
public interface Step {
    /// How closely the ring is looked at before the step.
    enum Gate {
        /// The step only waits, reads or writes our own notes.
        NONE,
        /// Nobody stopped us. For what reads the ring and touches backups only.
        UNSUSPENDED,
        /// Nobody stopped us, and the ring is where the plan said it would be.
        EXPECTED,
        /// That, and every member is healthy and agrees with the others. For whatever touches membership
        /// or a running member.
        GREEN
    }

    /// What does not depend on the ring. `name` is the wire name in plans, run reports, log lines and
    /// metrics: a class may be renamed, its wire name stays. `undo` says whether and how the step can be
    /// taken back. `deadline` is how long it may take before it counts as failed: generous where images are
    /// pulled and data is copied. `elections` are the leader elections to be expected; it may be empty.
    record Facts(String name, Gate gate, String undo, Duration deadline, String elections) {
        private static final Duration USUAL = Duration.ofMinutes(2);

        public static Facts of(String name, Gate gate) {
            return new Facts(name, gate, "", USUAL, "");
        }

        public Facts undo(String how) {
            return new Facts(name, gate, how, deadline, elections);
        }

        public Facts within(Duration longest) {
            return new Facts(name, gate, undo, longest, elections);
        }

        public Facts elects(String expected) {
            return new Facts(name, gate, undo, deadline, expected);
        }
    }

    Facts facts();

    /// What the step does, for plans, progress and reports: an imperative sentence without a full stop,
    /// such as `Remove member orders-4 from the ring`.
    String text(ClusterRef ref);

    default String name() {
        return facts().name();
    }

    default Gate gate() {
        return facts().gate();
    }

    default Duration deadline() {
        return facts().deadline();
    }

    /// Whether and how the step can be taken back.
    default String undo(ClusterRef ref) {
        return facts().undo();
    }

    /// What the ring is after the step. Applying a step to a ring where it is already so changes nothing.
    default RingModel apply(RingModel ring) {
        return ring;
    }

    /// The worst moment of the step. A removal has none of its own: the leaving member votes until the
    /// ring is the smaller one.
    default Quorum during(RingModel before) {
        return apply(before).quorum();
    }

    /// Why the ring, as it was just read, is not green enough for the step, where its gate is [Gate#GREEN].
    default Optional<String> notGreen(ClusterState fresh) {
        return RingHealth.problems(fresh, Set.of()).stream().findFirst();
    }

    /// Why the step itself cannot be done now, beyond what its gate asks of every step. Pure; fails closed.
    default Optional<String> obstacle(ClusterState fresh) {
        return Optional.empty();
    }

    /// Whether the step may be let because of whose data differs, so that the members' data has to be
    /// compared first.
    default boolean compares() {
        return false;
    }
}
