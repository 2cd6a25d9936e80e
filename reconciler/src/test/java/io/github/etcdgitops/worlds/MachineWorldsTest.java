package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.ring.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineWorldsTest {
    private final Play play = play();

    private static Play play() {
        var world = Worlds.ring().version("3.5.16").members(3).leader(0).build();
        return new Play(world, Given.spec(Play.REF, 3, "3.5.16"));
    }

    private List<String> said(String code) {
        return play.plan().findings().stream()
                .filter(f -> f.code().equals(code))
                .map(Finding::message)
                .toList();
    }

    @Test
    void healthyRingReportsNoNodes() {
        assertThat(play.plan().findings()).noneMatch(f -> f.code().startsWith("machine-"));
    }

    @Test
    void reportsUnresponsiveNodeWithStableTime() {
        var since = play.world.instant();
        play.world.faults(Play.REF).silence(2);
        play.world.tick(60);
        var first = said("machine-silent");
        play.world.tick(60);

        assertThat(first)
                .singleElement()
                .asString()
                .contains("the node node-2 of " + Play.REF.podName(2) + " has not reported since " + since);
        assertThat(said("machine-silent")).isEqualTo(first);
    }

    @Test
    void reportsDeletedPodOnUnresponsiveNode() {
        play.world.faults(Play.REF).silence(2);
        play.world.faults(Play.REF).deletePod(2);
        play.world.tick(60);

        assertThat(said("machine-silent")).singleElement().asString().contains("is not confirmed");
    }

    @Test
    void reportsNodeThatIsGoneWithItsVolume() {
        play.world.faults(Play.REF).loseMachine(2);
        play.world.tick(60);

        assertThat(said("machine-gone"))
                .singleElement()
                .asString()
                .contains("the only one with the volume of " + Play.REF.podName(2) + ", is gone");
        play.world.faults(Play.REF).machineBack(2);
        play.world.tick(60);
        assertThat(said("machine-gone")).isEmpty();
    }

    @Test
    void concludesNothingWithoutRightToReadNodes() {
        play.world.faults(Play.REF).loseMachine(2);
        play.world.faults(Play.REF).hideMachines(true);
        play.world.tick(60);

        assertThat(said("machine-gone")).isEmpty();
        assertThat(said("machine-unknown")).hasSize(1);
    }

    /// Whoever is drained is away for a while, and its machine is ready all the time.
    @Test
    void drainIsNoLoss() {
        play.world.faults(Play.REF).stop(2);
        play.world.faults(Play.REF).deletePod(2);
        play.world.tick(60);

        assertThat(play.plan().findings()).noneMatch(f -> f.code().startsWith("machine-"));
    }
}
