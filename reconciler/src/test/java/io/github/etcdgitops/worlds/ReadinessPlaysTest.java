package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.format.Style;
import io.github.etcdgitops.report.table.ReadinessTable;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What `upgrade check` says of rings.
class ReadinessPlaysTest {
    private static final EtcdVersion TARGET = new EtcdVersion(3, 7, 1);

    private static List<String> lines(Play play) {
        var plan = new FleetPlan("default", "", "", List.of(play.plan()), List.of());
        return new ReadinessTable(plan, TARGET)
                .human(Style.PLAIN)
                .toString()
                .lines()
                .toList();
    }

    private static Play raised(String version) {
        var world = SpaceWorlds.ring(version, 3, 0);
        return new Play(world, Given.spec(Play.REF, 3, version).on(TARGET));
    }

    @Test
    void saysWayRestartsAndElectionsOfReadyRing() {
        assertThat(lines(raised("3.5.30")))
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("Ready for etcd 3.7.1: 1 of 1 ring."),
                        line -> assertThat(line).isEmpty(),
                        line -> assertThat(line).startsWith("RING"),
                        line -> assertThat(line)
                                .containsPattern("yes +3.5.30 → 3.6.14 → 3.7.1 +6 +4 +[0-9]+ +nothing"));
    }

    @Test
    void saysWhatStandsBetween() {
        var play = raised("3.5.30");
        play.world.faults(Play.REF).stop(1);

        assertThat(lines(play).getFirst()).isEqualTo("Ready for etcd 3.7.1: 0 of 1 ring.");
        assertThat(lines(play).getLast()).contains(" no ", "orders-1 does not answer");
    }

    @Test
    void clientsThatWouldBeCutOffStandBetween() {
        var play = raised("3.3.25");
        play.world.faults(Play.REF).v2Writes(1);

        assertThat(lines(play).getFirst()).isEqualTo("Ready for etcd 3.7.1: 0 of 1 ring.");
        assertThat(lines(play).getLast()).contains("3.3.25 → ", "through etcd's v2 API 3 times");
    }

    @Test
    void ringOnTargetIsThere() {
        assertThat(lines(raised("3.7.1")).getLast()).contains("is there");
    }

    @Test
    void bannedReleaseOnTheWayIsToldWithItsRemedy() {
        var world = SpaceWorlds.ring("3.5.30", 3, 0);
        var play = new Play(world, Specs.via(Given.spec(Play.REF, 3, "3.5.30").on(TARGET), "3.6.2"));

        assertThat(lines(play).getLast()).contains(" no ", "Choose 3.6.4 or later");
    }
}
