package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.roll.VersionChange;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Rings that are downgraded by etcd's own procedure, played from the plan to the end.
class DowngradePlaysTest {
    private static final String LATER = "3.6.14";
    private static final String EARLIER = "3.5.30";
    private static final List<Integer> SIZES = List.of(1, 3, 5);

    @Test
    void downgradesByTwoMinorVersionsInOneRun() {
        for (int size : SIZES) {
            var play = play("3.7.1", size, EARLIER);
            assertThat(kinds(play.plan())).hasSize(2).allMatch(kind -> kind.startsWith("DowngradeVersion 3."));

            var result = play.once(FaultHook.NONE);

            assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
            assertDowngraded(play, size);
        }
    }

    @Test
    void announcesBeforeItRestartsAndLeavesNothingAnnounced() {
        var play = play(LATER, 3, EARLIER);

        play.once(boundary -> {
            if (boundary.equals("DowngradeVersion/WriteTemplate/before")) {
                assertThat(play.ring.downgradeTo()).contains("3.5");
                assertThat(play.ring.line()).isEqualTo("3.5");
                assertThat(play.ring.versions()).allMatch(LATER::equals);
            }
        });

        assertDowngraded(play, 3);
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        for (int size : SIZES) {
            for (String boundary : boundaries(size)) {
                var play = killed(size, boundary);

                play.untilQuiet(3);

                assertDowngraded(play, size);
            }
        }
    }

    /// Before the last member restarts, the ring goes back. After that it is an upgrade.
    @Test
    void goesBackFromAnyPointWhenTheCommitIsTakenBack() {
        for (int size : SIZES) {
            for (String boundary : boundaries(size)) {
                var play = killed(size, boundary);
                play.spec = Given.spec(Play.REF, size, LATER);

                var rest = play.untilQuiet(4);

                assertThat(play.notAtRest(rest)).as(boundary + " " + play).isEmpty();
                assertThat(play.ring.versions()).as(boundary).hasSize(size).allMatch(LATER::equals);
                assertThat(play.ring.downgradeTo()).as(boundary).isEmpty();
                assertThat(play.ring.line()).as(boundary).isEqualTo("3.6");
                assertThat(play.breaches()).as(boundary).isEmpty();
            }
        }
    }

    /// Whoever cancels before a member runs the earlier version stops the run. The next one announces the downgrade
    /// again, because the document still asks for it.
    @Test
    void cancelledAtEtcdByHandNoMemberIsRestarted() {
        for (int size : SIZES) {
            for (String boundary : List.of("WriteTemplate/before", "WriteTemplate/after", "WriteMemberFile/after")) {
                var play = play(LATER, size, EARLIER);

                var result = play.once(at -> {
                    if (at.equals("DowngradeVersion/" + boundary)
                            && play.ring.versions().stream().allMatch(LATER::equals)) {
                        play.world.faults(Play.REF).cancelDowngrade();
                        play.world.tick(10);
                    }
                });

                assertThat(result.outcome()).as(boundary).isNotEqualTo(Outcome.DONE);
                assertThat(result.detail()).as(boundary).contains("Somebody may have cancelled it");
                assertThat(play.ring.versions()).as(boundary).hasSize(size).allMatch(LATER::equals);
                assertThat(play.breaches()).as(boundary).isEmpty();
            }
        }
    }

    @Test
    void holdsRingWhoseDowngradeSomebodyElseAnnounced() {
        for (int size : SIZES) {
            var play = play(LATER, size, LATER);
            play.world
                    .faults(Play.REF)
                    .announceDowngrade(EtcdVersion.parse(EARLIER).orElseThrow());

            for (String wanted : List.of(LATER, "3.7.1")) {
                play.spec = Given.spec(Play.REF, size, wanted);
                var plan = play.plan();
                assertThat(plan.situation()).isEqualTo(Situation.HELD);
                assertThat(plan.operations()).isEmpty();
                assertThat(plan.findings())
                        .anySatisfy(f -> assertThat(f.message())
                                .contains("somebody announced a downgrade to 3.5", "etcdctl downgrade cancel"));
            }

            play.world.faults(Play.REF).cancelDowngrade();
            play.world.tick(10);
            play.spec = Given.spec(Play.REF, size, LATER);
            assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        }
    }

    /// Somebody has begun what a document then asks for.
    @Test
    void continuesDowngradeThatSomebodyElseAnnounced() {
        var play = play(LATER, 3, EARLIER);
        play.world.faults(Play.REF).announceDowngrade(EtcdVersion.parse(EARLIER).orElseThrow());

        play.untilQuiet(3);

        assertDowngraded(play, 3);
    }

    @Test
    void cancelledAtEtcdAtAnyPointTheRingIsNeverHarmed() {
        for (int size : SIZES) {
            for (String boundary : boundaries(size)) {
                var play = killed(size, boundary);
                play.world.faults(Play.REF).cancelDowngrade();
                play.world.tick(30);

                var rest = play.untilQuiet(4);

                boolean takenBack =
                        rest.findings().stream().anyMatch(f -> f.code().equals("taken-back"));
                String runs = takenBack ? LATER : EARLIER;
                assertThat(play.ring.versions())
                        .as(boundary + " " + play)
                        .hasSize(size)
                        .allMatch(runs::equals);
                assertThat(play.ring.downgradeTo()).as(boundary).isEmpty();
                assertThat(play.breaches()).as(boundary).isEmpty();
            }
        }
    }

    @Test
    void memberThatDoesNotStartIsTakenBackAndTheDowngradeCancelled() {
        for (int size : SIZES) {
            var play = play(LATER, size, EARLIER);
            play.world.faults(Play.REF).unpullable(EARLIER, true);

            var first = play.once(FaultHook.NONE);
            assertThat(first.outcome()).isEqualTo(Outcome.FAILED);
            assertThat(first.detail()).contains("ImagePullBackOff");

            assertThat(kinds(play.plan())).containsExactly("BackOutRoll");
            var second = play.once(FaultHook.NONE);
            assertThat(second.outcome()).as(second.detail()).isEqualTo(Outcome.DONE);
            play.world.tick(20);

            var held = play.plan();
            assertThat(held.situation()).isEqualTo(Situation.HELD);
            assertThat(held.findings()).extracting(Finding::code).containsExactly("taken-back");
            assertThat(play.ring.versions()).hasSize(size).allMatch(LATER::equals);
            assertThat(play.ring.downgradeTo()).isEmpty();
            assertThat(play.ring.line()).isEqualTo("3.6");
            assertThat(play.breaches()).isEmpty();
        }
    }

    @Test
    void nothingIsAnnouncedWhileAMemberIsDown() {
        for (int size : List.of(3, 5)) {
            var world = Worlds.ring().version(LATER).members(size).down(1).build();
            var play = new Play(world, Given.spec(Play.REF, size, EARLIER));

            var plan = play.plan();
            play.once(FaultHook.NONE);

            assertThat(plan.operations()).isEmpty();
            assertThat(plan.waiting()).hasSize(1);
            assertThat(play.ring.downgradeTo()).isEmpty();
            assertThat(play.breaches()).isEmpty();
        }
    }

    @Test
    void upgradesAgainAfterwards() {
        var play = play(LATER, 3, EARLIER);
        play.once(FaultHook.NONE);
        play.world.tick(20);
        play.spec = Given.spec(Play.REF, 3, LATER);
        assertThat(kinds(play.plan())).containsExactly("UpgradeVersion " + LATER);

        assertThat(play.notAtRest(play.untilQuiet(2))).isEmpty();
        assertThat(play.ring.line()).isEqualTo("3.6");
    }

    @Test
    void refusesToGoBelow35() {
        var plan = play(LATER, 3, "3.4.23").plan();

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.findings())
                .extracting(Finding::code, Finding::message)
                .singleElement()
                .satisfies(finding -> assertThat(finding.toList().toString())
                        .contains("no-way-to-version", "can be downgraded to 3.5 and not further"));
    }

    private static void assertDowngraded(Play play, int size) {
        assertThat(play.notAtRest(play.plan())).as("%s", play).isEmpty();
        assertThat(play.ring.versions()).hasSize(size).allMatch(EARLIER::equals);
        assertThat(play.ring.downgradeTo()).isEmpty();
        assertThat(play.ring.line()).isEqualTo("3.5");
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    private static Play killed(int size, String boundary) {
        var play = play(LATER, size, EARLIER);
        play.killedAt(boundary);
        return play;
    }

    private static Set<String> boundaries(int size) {
        var seen = play(LATER, size, EARLIER).boundaryNames();
        assertThat(seen).hasSizeGreaterThan(20);
        return seen;
    }

    private static Play play(String from, int size, String to) {
        return new Play(world(from, size), Given.spec(Play.REF, size, to));
    }

    private static FakeWorld world(String version, int size) {
        return Worlds.ring().version(version).members(size).leader(size - 1).build();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream()
                .map(o -> o.operation() instanceof VersionChange change
                        ? change.kind() + " " + change.roll().target().version()
                        : o.operation().kind())
                .toList();
    }
}
