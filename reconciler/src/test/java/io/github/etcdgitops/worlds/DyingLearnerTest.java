package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.Given;
import org.junit.jupiter.api.Test;

/// A learner that dies between two attempts to promote it. etcd itself would let it vote: it remembers that the
/// learner had caught up, and the ring then needs a voter that is not there.
class DyingLearnerTest {
    /// More calls than there are from the first attempt to the last one.
    private static final int CALLS = 80;

    private static final int CALLS_OF_A_RUN = 3_000;

    @Test
    void neverPromotesDeadLearner() {
        for (int size : new int[] {1, 2, 3}) {
            for (int delay = 1; delay < CALLS; delay++) {
                var death = new Death(size, delay);

                death.play.once(FaultHook.NONE);

                // Who dies in the very call that promotes it, or in the one right before by which the
                // Lease is proven, could not be seen to.
                assertThat(death.diedAt == 0 || death.promotedAt == 0 || death.promotedAt - death.diedAt <= 1)
                        .as("learner of " + size + " died at call " + death.diedAt + ", promoted at "
                                + death.promotedAt)
                        .isTrue();
                assertThat(death.play.breaches()).isEmpty();
            }
        }
    }

    /// Stops the learner so many calls after the first attempt to promote it, unless it votes by then.
    private static final class Death {
        final Play play;
        int promotedAt;
        int diedAt;
        private final int learner;
        private final int delay;
        private int attemptedAt;

        Death(int size, int delay) {
            this.play = new Play(Worlds.ring().members(size).build(), Given.spec(Play.REF, size + 1, "3.5.16"));
            this.learner = size;
            this.delay = delay;
            int first = play.world.calls() + 1;
            for (int call = first; call < first + CALLS_OF_A_RUN; call++) {
                int number = call;
                play.world.beforeCall(call, () -> before(number));
            }
        }

        private void before(int call) {
            var acts = play.world.acts();
            if (promotedAt == 0 && play.ring.voters().contains(learner)) {
                promotedAt = call - 1;
            }
            if (attemptedAt == 0 && !acts.isEmpty() && acts.getLast().startsWith("promote ")) {
                attemptedAt = call;
            }
            if (attemptedAt > 0
                    && call == attemptedAt + delay
                    && play.ring.learners().contains(learner)) {
                play.world.faults(Play.REF).stop(learner);
                diedAt = call;
            }
        }
    }
}
