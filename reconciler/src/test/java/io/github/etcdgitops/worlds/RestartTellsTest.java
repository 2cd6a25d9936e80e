package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A run is killed when it has restarted a member. The next one plans while that one is away, and before
/// it begins the member is back and answers: the plan is none the worse for it.
class RestartTellsTest {
    private static final int AT_MOST = 120;

    private static final Map<String, EtcdClusterSpec> WANTED = Map.of(
            "another template", Specs.withResources(Given.spec(Play.REF, 3, "3.5.16")),
            "another version", Given.spec(Play.REF, 3, "3.5.30"));

    @ParameterizedTest
    @ValueSource(strings = {"another template", "another version"})
    void planMadeWhileMemberWasAwayStaysValid(String wanted) {
        int boundary = 0;
        int away = 0;
        while (true) {
            var world = Worlds.ring().version("3.5.16").members(3).build();
            var play = new Play(world, WANTED.get(wanted));
            var reached = new AtomicInteger();
            int last = ++boundary;
            assertThat(boundary).isLessThan(AT_MOST);
            try {
                play.once(at -> {
                    if (reached.incrementAndGet() == last) {
                        throw new Crash(at);
                    }
                });
                break;
            } catch (Crash crash) {
                away += carriesOn(play, crash) ? 1 : 0;
            }
        }
        assertThat(away).as("boundaries at which a member was away").isGreaterThan(2);
    }

    /// What could not be read is neither absent nor another.
    @Test
    void unreadableRingHoldsPlan() {
        var world = Worlds.ring().version("3.5.16").members(3).build();
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.30"));
        var run = play.run();
        var plan = run.plan();
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            world.faults(Play.REF).hideFromUs(ordinal);
        }

        var result = run.execute(plan, FaultHook.NONE, _ -> true);

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.HELD);
        assertThat(result.detail())
                .contains("became unreadable after planning")
                .contains("no member returned its member list");
    }

    /// Whether a member was away when the second run planned.
    private static boolean carriesOn(Play play, Crash crash) {
        play.world.tick();
        var run = play.run();
        boolean away = run.fresh().ring().optional().orElseThrow().members().stream()
                .anyMatch(m -> m.status().optional().isEmpty());
        var plan = run.plan();
        play.world.tick(60);

        var result = run.execute(plan, FaultHook.NONE, _ -> true);

        if (plan.situation() != Situation.HELD) {
            assertThat(result.outcome())
                    .as("killed at " + crash.getMessage() + ": " + result.detail())
                    .isEqualTo(plan.situation() == Situation.IN_SYNC ? Outcome.NOTHING : Outcome.DONE);
        }
        assertThat(play.breaches()).isEmpty();
        return away && plan.situation() == Situation.CHANGES;
    }
}
