package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.Stopped;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Given;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A process is asked to stop while a step waits for its ring.
class EndingTest {
    private static final int WAITS_AT_MOST = 40;

    @Test
    void leavesWaitToNextRunOnShutdown() {
        int held = 0;
        for (int last = 0; last < WAITS_AT_MOST; last++) {
            for (var sizes : List.of(List.of(3, 5), List.of(5, 3), List.of(1, 3))) {
                held += endsAt(last, sizes.getFirst(), sizes.getLast());
            }
        }
        assertThat(held).as("runs that ended in the middle of a wait").isPositive();
    }

    private static int endsAt(int last, int from, int to) {
        var play = new Play(Worlds.ring().members(from).leader(from - 1).build(), Given.spec(Play.REF, to, "3.5.16"));
        var waits = new AtomicInteger();
        var run = play.run().pausing(duration -> {
            play.world.sleep(duration);
            if (waits.getAndIncrement() >= last) {
                throw new Stopped("asked to stop");
            }
        });

        var result = run.execute(run.plan(), FaultHook.NONE, _ -> true);

        boolean ended = waits.get() > last;
        if (ended) {
            assertThat(result.outcome()).isEqualTo(Outcome.HELD);
            assertThat(result.detail()).endsWith("asked to stop");
        }
        play.world.tick(20);
        assertThat(play.notAtRest(play.untilQuiet(4)))
                .as(from + " to " + to + ", wait " + last)
                .isEmpty();
        assertThat(play.breaches()).isEmpty();
        return ended ? 1 : 0;
    }
}
