package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Planner;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.storage.DeleteLeftVolumes;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Volumes of members that left a ring, played from the plan to the end.
class LeftVolumesPlaysTest {
    private static final Duration AFTER = Duration.ofMinutes(10);

    @Test
    void volumesAreDeletedOnceTheirTimeIsOverAndNotBefore() {
        var play = new Play(Worlds.ring().members(5).leader(0).build(), deleting(3));
        assertThat(play.notAtRest(play.untilQuiet(6))).isEmpty();
        assertThat(play.ring.claims()).hasSize(5);
        assertThat(said(play.plan())).contains("data-orders-3 from 20", "data-orders-4 from 20");

        later(play);

        assertThat(kinds(play.plan())).containsExactly("DeleteLeftVolumes");
        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        play.world.tick(20);
        gone(play);
    }

    /// A clock that is a year ahead makes every departure long ago.
    @Test
    void keepsVolumesWhileTheClockIsInDoubt() {
        var play = due();
        var doubt = BackupNeeds.NONE.doubting(Optional.of("the API server's clock says otherwise"));

        var plan = Planner.plan(deleting(3), play.run().fresh(), doubt, play.world.instant());

        assertThat(kinds(plan)).isEmpty();
        assertThat(plan.findings()).map(Finding::code).contains("clock-in-doubt");
    }

    /// A clock that is behind would date the departure long ago.
    @Test
    void datesDeparturesByTheClockThatIsAhead() {
        var play = new Play(Worlds.ring().members(4).leader(0).build(), deleting(3));
        var run = play.run().off(Duration.ofDays(-30));
        run.execute(run.plan(), FaultHook.NONE, _ -> true);
        assertThat(play.ring.claims()).contains(3);
        assertThat(kinds(play.plan())).isEmpty();

        later(play);

        assertThat(kinds(play.plan())).containsExactly("DeleteLeftVolumes");
    }

    @Test
    void byDefaultTheyAreKeptAndThePlanSaysHowTheyGo() {
        var play = new Play(left(), Given.spec(Play.REF, 3, "3.5.16"));
        later(play);

        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(said(play.plan()))
                .contains("data-orders-3 (", "kubectl -n demo delete pvc data-orders-3")
                .contains("/spec/storage/retention/whenScaled to Delete");
    }

    /// A claim that an older version has released has no date: the time counts from the first run that finds it.
    @Test
    void countsRetentionFromNowWhereDepartureIsUndated() {
        var play = new Play(undated(), deleting(3));
        assertThat(said(play.plan())).contains("after its departure date has been recorded");
        assertThat(stage(play.plan())).isEqualTo(DeleteLeftVolumes.Stage.DATE);

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);
        play.world.tick(20);

        assertThat(play.plan().situation()).isEqualTo(Situation.IN_SYNC);
        assertThat(play.ring.claims()).contains(3);
        later(play);
        assertThat(stage(play.plan())).isEqualTo(DeleteLeftVolumes.Stage.DELETE);
        play.untilQuiet(2);
        gone(play);
    }

    /// Whoever comes back and leaves again has the whole time anew.
    @Test
    void reusedVolumeGetsNewDepartureDate() {
        var world = left();
        var back = new Play(world, deleting(4));
        assertThat(back.notAtRest(back.untilQuiet(4))).isEmpty();
        later(back);
        var play = new Play(world, deleting(3));

        play.untilQuiet(4);

        assertThat(play.ring.claims()).contains(3);
        later(play);
        play.untilQuiet(2);
        gone(play);
    }

    @Test
    void deletesNoVolumeWhileRingIsUnhealthyOrMemberReturns() {
        var play = due();
        play.world.faults(Play.REF).stop(1);
        assertThat(kinds(play.plan())).doesNotContain("DeleteLeftVolumes");

        assertThat(kinds(new Play(due().world, deleting(4)).plan())).containsExactly("ScaleOut");
        assertThat(kinds(new Play(due().world, deleting(2)).plan())).containsExactly("ScaleIn");
    }

    @Test
    void keepsClaimThatNoMemberReleased() {
        var world = Worlds.ring().members(3).build();
        world.faults(Play.REF).departed(3, world.instant());
        world.faults(Play.REF).copyClaim(3);
        var play = new Play(world, deleting(3));
        later(play);

        assertThat(play.plan().operations()).isEmpty();
        assertThat(play.plan().findings()).map(Finding::code).contains("claims-of-nobody");
    }

    @Test
    void mountedVolumeIsKept() {
        var play = due();
        play.world.faults(Play.REF).mount(3, "copying");

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("the pod copying would lose a volume that is in use");
        assertThat(play.ring.claims()).contains(3);
        play.world.faults(Play.REF).mount(3, "");
        play.world.tick(20);
        play.untilQuiet(2);
        gone(play);
    }

    /// Somebody else's claim of that name was never asked for.
    @Test
    void keepsClaimOfAnotherUid() {
        var play = due();
        var run = play.run();
        var plan = run.plan();
        play.world.faults(Play.REF).copyClaim(3);

        run.execute(plan, FaultHook.NONE, _ -> true);
        play.world.tick(20);

        assertThat(play.ring.claims()).contains(3);
        assertThat(play.breaches()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void keepsVolumesIfPartIsUnreadable(Part part) {
        var play = due();
        var plan = play.run().plan();
        play.world.faults(Play.REF).unreadable(part);

        play.run().execute(plan, FaultHook.NONE, _ -> true);
        play.once(FaultHook.NONE);

        assertThat(play.ring.claims()).as(part.name()).contains(3);
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void continuesAfterKillAtAnyBoundary() {
        for (boolean dated : List.of(true, false)) {
            var boundaries = new LinkedHashSet<String>();
            start(dated).once(boundaries::add);
            assertThat(boundaries).hasSize(2);
            for (String boundary : boundaries) {
                var play = start(dated);
                assertThat(play.killAt(boundary)).isTrue();
                play.world.tick(20);
                end(play);
            }
        }
    }

    @Test
    void continuesAfterKillAfterAnyCall() {
        for (boolean dated : List.of(true, false)) {
            var whole = start(dated);
            int before = whole.world.calls();
            whole.once(FaultHook.NONE);
            int calls = whole.world.calls() - before;
            assertThat(calls).isGreaterThan(5);
            for (int call = 1; call <= calls; call++) {
                var play = start(dated);
                play.world.crashAfterCall(play.world.calls() + call);
                try {
                    play.once(FaultHook.NONE);
                } catch (Crash | OneProcess.StillDead _) {
                    // Killed.
                }
                play.world.tick(70);
                end(play);
            }
        }
    }

    private static Play start(boolean dated) {
        return dated ? due() : new Play(undated(), deleting(3));
    }

    private static void end(Play play) {
        play.untilQuiet(2);
        later(play);
        play.untilQuiet(2);
        gone(play);
    }

    private static void gone(Play play) {
        assertThat(play.breaches()).as(play.toString()).isEmpty();
        assertThat(play.ring.claims()).as(play.toString()).containsExactly(0, 1, 2);
        assertThat(play.plan().situation()).as(play.toString()).isEqualTo(Situation.IN_SYNC);
        assertThat(play.plan().findings()).as(play.toString()).isEmpty();
    }

    private static Play due() {
        var play = new Play(left(), deleting(3));
        later(play);
        return play;
    }

    private static void later(Play play) {
        play.world.tick((int) AFTER.toSeconds());
    }

    /// A ring of 3 whose fourth member has just left.
    private static FakeWorld left() {
        var world = Worlds.ring().members(3).leader(0).build();
        world.faults(Play.REF).departed(3, world.instant());
        return world;
    }

    private static FakeWorld undated() {
        var world = Worlds.ring().members(3).leader(0).build();
        world.faults(Play.REF).departed(3, null);
        return world;
    }

    private static EtcdClusterSpec deleting(int size) {
        return Specs.deletingLeft(Given.spec(Play.REF, size, "3.5.16"), AFTER);
    }

    private static String said(ClusterPlan plan) {
        return plan.findings().stream()
                .filter(finding -> finding.code().equals("claims-kept"))
                .map(Finding::message)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream()
                .map(planned -> planned.operation().kind())
                .toList();
    }

    private static DeleteLeftVolumes.Stage stage(ClusterPlan plan) {
        Operation operation = plan.operations().getFirst().operation();
        return ((DeleteLeftVolumes) operation).stage();
    }
}
