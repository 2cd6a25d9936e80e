package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.member.Alarm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Defects and advisories of the release that a ring runs, in its plans.
class HazardPlaysTest {
    private static final int MIB = SpaceWorlds.MIB;

    private static Play loose(String version, EtcdClusterSpec spec) {
        var world = SpaceWorlds.ring(version, 3, 0);
        world.faults(Play.REF).fill(40 * MIB, 0, 80 * MIB);
        return new Play(world, Specs.defragmented(spec));
    }

    private static EtcdClusterSpec spec(String version) {
        return Given.spec(Play.REF, 3, version);
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream()
                .map(planned -> planned.operation())
                .map(Operation::kind)
                .toList();
    }

    private static List<String> said(ClusterPlan plan, String code) {
        return plan.findings().stream()
                .filter(f -> f.code().equals(code))
                .map(Finding::message)
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"3.5.3, false", "3.5.5, false", "3.5.6, true", "3.5.16, true", "3.4.23, true", "3.6.14, true"})
    void defragmentsNoReleaseThatACrashMeanwhileLeavesDifferent(String version, boolean defragmented) {
        var plan = loose(version, spec(version)).plan();

        if (defragmented) {
            assertThat(kinds(plan)).hasSize(3).containsOnly("MaintainMember");
            return;
        }
        assertThat(kinds(plan)).isEmpty();
        assertThat(plan.waiting())
                .first()
                .satisfies(waiting -> assertThat(waiting.reason())
                        .contains("before etcd 3.5.6, a crash in the middle of a defragmentation")
                        .endsWith("Upgrade the ring to 3.5.6 or later first."));
    }

    /// The ring accepts no writes: what makes room is done, and the danger is said.
    @Test
    void makesRoomOnSuchReleaseWithWarning() {
        var world = SpaceWorlds.ring("3.5.5", 3, 0);
        world.faults(Play.REF).fill(40 * MIB, 0, 80 * MIB);
        world.faults(Play.REF).alarm(Alarm.Kind.NOSPACE, 1);
        var plan = new Play(world, Specs.freeing(spec("3.5.5"), Mode.AUTOMATIC, SpaceWorlds.KEPT)).plan();

        assertThat(kinds(plan)).contains("FreeSpace");
        assertThat(said(plan, "hazard")).singleElement().asString().contains("pull request 14733");
    }

    @Test
    void upgradesAwayFromSuchRelease() {
        assertThat(kinds(loose("3.5.5", spec("3.5.16")).plan())).containsExactly("UpgradeVersion");
    }

    @ParameterizedTest
    @CsvSource({
        "3.5.16, 3.5.16, Set /spec/version to 3.5.33 or later",
        "3.5.16, 3.5.30, Set /spec/version to 3.5.33 or later",
        "3.5.16, 3.5.33, The change to 3.5.33 ends GHSA-6vch-q96h-7gc3",
        "3.5.33, 3.5.33, ''"
    })
    void planNamesAdvisoriesOfRingWithTls(String runs, String wanted, String remedy) {
        var world = SpaceWorlds.ring(runs, 3, 0);
        var tls = new Transport(Transport.Mode.MUTUAL, Transport.Mode.MUTUAL);
        var founded = new Play(world, Specs.talking(spec(runs), tls));
        founded.untilQuiet(6);
        var plan = new Play(world, Specs.talking(spec(wanted), tls)).plan();

        assertThat(said(plan, "advisory")).hasSize(remedy.isEmpty() ? 0 : 1);
        assertThat(said(plan, "advisory"))
                .allSatisfy(text -> assertThat(text)
                        .startsWith("etcd " + runs + " has GHSA-6vch-q96h-7gc3 (high, published 2026-07-23: ")
                        .endsWith(remedy));
    }

    @Test
    void planNamesAdvisoriesThatADowngradeBrings() {
        var world = SpaceWorlds.ring("3.6.14", 3, 0);
        var tls = new Transport(Transport.Mode.MUTUAL, Transport.Mode.MUTUAL);
        new Play(world, Specs.talking(spec("3.6.14"), tls)).untilQuiet(6);
        var plan = new Play(world, Specs.talking(spec("3.5.30"), tls)).plan();

        assertThat(kinds(plan)).contains("DowngradeVersion");
        assertThat(said(plan, "advisory"))
                .singleElement()
                .asString()
                .startsWith("The change to 3.5.30 brings GHSA-6vch-q96h-7gc3 (high")
                .endsWith("Set /spec/version to 3.5.33 or later");
    }

    @Test
    void ringInPlainTextHasNone() {
        assertThat(said(loose("3.5.16", spec("3.5.16")).plan(), "advisory")).isEmpty();
    }
}
