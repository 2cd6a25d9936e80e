package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A run is killed while a member joins. The next one plans, and before it begins the member has got its
/// volume, started, and told the ring its name and version: the plan is none the worse for it.
class JoinerTellsTest {
    private static final int AT_MOST = 60;

    private static final List<String> UNSEEN = List.of("ScaleOut/SetReplicas/after", "ScaleOut/AwaitStarted/before");

    @ParameterizedTest
    @ValueSource(strings = {"3.3.25", "3.4.23", "3.5.16"})
    void planMadeBeforeMemberStartedStaysValid(String version) {
        int boundary = 0;
        while (carriesOn(version, ++boundary)) {
            assertThat(boundary).isLessThan(AT_MOST);
        }
        assertThat(boundary).as("boundaries of a join").isGreaterThan(10);
    }

    /// Whether there is such a boundary.
    private static boolean carriesOn(String version, int boundary) {
        var world = Worlds.ring().version(version).members(3).build();
        var play = new Play(world, Given.spec(Play.REF, 4, version));
        var reached = new AtomicInteger();
        try {
            play.once(at -> {
                if (reached.incrementAndGet() == boundary) {
                    throw new Crash(at);
                }
            });
            return false;
        } catch (Crash crash) {
            var run = play.run();
            if (run.plan().situation() == Situation.HELD) {
                // The controller has not looked at the StatefulSet yet.
                assertThat(crash.getMessage()).isIn(UNSEEN);
                world.tick();
            }
            var plan = run.plan();
            world.tick(60);

            var result = run.execute(plan, FaultHook.NONE, _ -> true);

            assertThat(result.outcome())
                    .as(version + " killed at " + crash.getMessage() + ": " + result.detail())
                    .isEqualTo(plan.situation() == Situation.IN_SYNC ? Outcome.NOTHING : Outcome.DONE);
            assertThat(play.ring.voters()).hasSize(4);
            assertThat(play.breaches()).isEmpty();
            return true;
        }
    }
}
