package io.github.etcdgitops.ring;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.health.RingHealth;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// One instruction. Every step observes, decides, acts and verifies. It reports "already so" where nothing
/// is left to do, and it may run again after a crash at any point. `ordinal` is always a StatefulSet
/// ordinal.
///
/// A step itself states what plans, gates and reports need to know about it. Each family of steps is a
/// sealed interface, and one handler carries it out.
public interface Step {
    /// How strictly the ring is checked before the step.
    enum Gate {
        /// The step only waits, reads, or writes our own notes.
        NONE,
        /// Changes are not stopped. Only for steps that read the ring and touch backups.
        UNSUSPENDED,
        /// Changes are not stopped, and the ring matches the plan.
        EXPECTED,
        /// The same, and every member is healthy and agrees with the others. For every step that touches
        /// membership or a running member.
        GREEN
    }

    /// What does not depend on the ring. `name` is the wire name in plans, run reports, log lines and
    /// metrics: a class may be renamed, its wire name stays. `undo` says whether and how the step can be
    /// undone. `deadline` is the time after which the step counts as failed: generous where it pulls images
    /// or copies data. `elections` describes the leader elections to expect; it may be empty.
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

    /// Whether and how the step can be undone.
    default String undo(ClusterRef ref) {
        return facts().undo();
    }

    /// The ring after the step. Applying a step to a ring where it is already done changes nothing.
    default RingModel apply(RingModel ring) {
        return ring;
    }

    /// The quorum at the worst moment of the step. A removal has no worse moment: the leaving member votes
    /// until the ring is smaller.
    default Quorum during(RingModel before) {
        return apply(before).quorum();
    }

    /// Why the freshly read ring is not healthy enough for the step, where the step's gate is [Gate#GREEN].
    default Optional<String> notGreen(ClusterState fresh) {
        return RingHealth.problems(fresh, Set.of()).stream().findFirst();
    }

    /// Why the step cannot run now, beyond what its gate checks for every step. Pure; fails closed.
    default Optional<String> obstacle(ClusterState fresh) {
        return Optional.empty();
    }

    /// Whether differing data may be the reason to allow the step, so that the members' data must be
    /// compared first.
    default boolean compares() {
        return false;
    }
}
