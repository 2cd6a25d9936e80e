package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A ring loses its quorum while a learner is in it, which goes on naming the leader that it had.
class LostInJoinPlaysTest {
    @Test
    void seesLossDuringJoinUntilMembersReturn() {
        var play = new Play(Worlds.ring().members(3).leader(0).build(), Given.spec(Play.REF, 5, "3.5.16"));
        assertThat(play.killAt("ScaleOut/AwaitStarted/after")).isTrue();
        play.world.faults(Play.REF).stop(1);
        play.world.faults(Play.REF).stop(2);
        play.world.tick(30);

        assertThat(codes(play.plan())).contains("quorum-lost");

        play.world.faults(Play.REF).recover(1);
        play.world.faults(Play.REF).recover(2);
        assertThat(play.notAtRest(play.untilQuiet(4))).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
