package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.fake.Stage;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.storage.GrowStorage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.worlds.Case.Expect;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings whose volumes become larger, played from the plan to the end.
class GrowPlaysTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void growsVolumesWithoutRestart(int size) {
        var play = new Play(ring(size), larger(size));
        var pods = play.ring.podUids();
        assertThat(kinds(play.plan())).containsExactly("GrowStorage");

        done(play);

        assertThat(play.ring.podUids()).isEqualTo(pods);
        assertThat(play.ring.capacities()).hasSize(size).allMatch("2Gi"::equals);
    }

    /// One commit, one run: the quota is one for the volumes as they are then.
    @Test
    void raisesQuotaAfterGrowth() {
        var play = new Play(ring(3), Specs.withStorage(withQuota(3, 1_200_000_000L), "2Gi"));

        assertThat(kinds(play.plan())).containsExactly("GrowStorage", "RollMembers");
        done(play);
    }

    /// What could not be begun keeps the rest from being done: the quota is one for larger volumes.
    @Test
    void withoutTheBackupThatItNeedsTheQuotaStaysAsWell() {
        var play = new Play(ring(3), Specs.withStorage(withQuota(3, 1_200_000_000L), "2Gi"));
        play.vault.keep(Duration.ofDays(1), 3);
        var run = play.run();
        var plan = run.plan();
        assertThat(kinds(plan)).containsExactly("TakeBackup", "GrowStorage", "RollMembers");
        play.vault.store.failAll(GatewayException.Kind.UNREACHABLE);

        assertThat(run.execute(plan, FaultHook.NONE, _ -> true).outcome()).isEqualTo(Outcome.FAILED);

        assertThat(play.ring.capacities()).allMatch("1Gi"::equals);
        assertThat(play.ring.journal().orElseThrow().applied().options()).isEmpty();
        play.vault.store.heal();
        play.world.tick(120);
        assertThat(play.notAtRest(play.untilQuiet(4))).isEmpty();
    }

    @Test
    void plansOtherChangesAfterGrowth() {
        var spec = Specs.withStorage(Specs.withResources(Given.spec(Play.REF, 5, "3.5.30")), "2Gi");
        var play = new Play(ring(3), spec);

        assertThat(kinds(play.plan()))
                .containsExactly("GrowStorage", "RollMembers", "ScaleOut", "ScaleOut", "UpgradeVersion");
        done(play);
    }

    /// Killed at each boundary; nobody is restarted, and the next run carries on.
    @Test
    void continuesKilledRunWithoutRestart() {
        var boundaries = new java.util.LinkedHashSet<String>();
        new Play(ring(3), larger(3)).once(boundaries::add);
        for (String boundary : boundaries) {
            var world = ring(3);
            var play = new Play(world, larger(3));
            var pods = play.ring.podUids();
            play.killAt(boundary);
            world.tick(30);

            assertThat(play.notAtRest(play.untilQuiet(2))).as(boundary).isEmpty();
            assertThat(play.ring.podUids()).as(boundary).isEqualTo(pods);
            assertThat(play.breaches()).as(boundary).isEmpty();
        }
        assertThat(boundaries).hasSize(14);
    }

    /// Else its volume would be taken for one that no pod has.
    @Test
    void waitsForVolumeWithUnreadablePod() {
        var world = ring(3);
        world.volumes().offline(true);
        world.volumes().hidesPods();
        var play = new Play(world, larger(3));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("the pods could not be read");
        assertThat(play.ring.capacities()).allMatch("1Gi"::equals);
    }

    @Test
    void withoutItsStatefulSetARingIsGivenItBackAndNothingElse() {
        var play = orphaned(larger(3));

        var plan = play.plan();

        assertThat(kinds(plan)).containsExactly("GrowStorage");
        assertThat(plan.operations().getFirst().steps())
                .extracting(s -> s.step().getClass().getSimpleName())
                .containsExactly("RecreateStatefulSet", "FinishRecreation", "SetBudget");
        done(play);
    }

    /// Nobody makes its pods anew meanwhile, and nobody can be asked: it is brought back all the same.
    @Test
    void recreatesStatefulSetEvenIfPodsAreGone() {
        var play = orphaned(larger(3));
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            play.world.faults(Play.REF).deletePod(ordinal);
        }
        play.world.tick(20);
        assertThat(play.ring.pods()).isEmpty();

        assertThat(kinds(play.plan())).containsExactly("GrowStorage");
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
        assertThat(play.world.lostWrites()).isZero();
    }

    /// What the journal says is made, and then what the spec says by now.
    @Test
    void appliesSizeCommittedMeanwhileAfterwards() {
        var world = orphaned(larger(3)).world;
        var play = new Play(world, Specs.withStorage(Given.spec(Play.REF, 3, "3.5.16"), "3Gi"));

        play.once(FaultHook.NONE);
        assertThat(play.ring.storageOfNewClaims()).isEqualTo("2Gi");
        world.tick(20);

        assertThat(kinds(play.plan())).containsExactly("GrowStorage");
        done(play);
    }

    @Test
    void finishesStartedGrowthIfSpecIsReverted() {
        var world = orphaned(larger(3)).world;
        var play = new Play(world, Given.spec(Play.REF, 3, "3.5.16"));

        play.untilQuiet(2);

        assertThat(play.ring.hasStatefulSet()).isTrue();
        assertThat(play.ring.journal().orElseThrow().intent()).isEmpty();
        assertThat(play.plan().situation()).isEqualTo(Situation.HELD);
        assertThat(codes(play.plan())).containsExactly("storage-shrinks");
    }

    /// A template that waits for its roll is not slipped in with it.
    @Test
    void recreatesStatefulSetWithTemplateOfPods() {
        var world = ring(3);
        var play = new Play(world, Specs.withResources(larger(3)));
        var pods = play.ring.podUids();
        play.killAt("GrowStorage/FinishRecreation/after");

        assertThat(play.ring.podUids()).isEqualTo(pods);
        assertThat(kinds(play.plan())).containsExactly("RepairObjects", "RollMembers");
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
    }

    @Test
    void futureMembersGetLargerClaims() {
        var world = ring(3);
        done(new Play(world, larger(3)));
        var play = new Play(world, larger(5));

        done(play);

        assertThat(play.ring.capacities()).hasSize(5).allMatch("2Gi"::equals);
    }

    @Test
    void growsRetainedClaimBeforeReuse() {
        var world = Worlds.ring().members(5).build();
        done(new Play(world, Given.spec(Play.REF, 3, "3.5.16")));
        done(new Play(world, larger(3)));
        assertThat(world.look(Play.REF).capacities()).containsExactly("2Gi", "2Gi", "2Gi", "1Gi", "1Gi");
        var play = new Play(world, larger(4));

        assertThat(kinds(play.plan())).containsExactly("GrowStorage", "ScaleOut");
        done(play);

        assertThat(play.ring.capacities()).containsExactly("2Gi", "2Gi", "2Gi", "2Gi", "1Gi");
    }

    /// A closed window holds what is to grow besides, and not the end of what was begun.
    @Test
    void finishesStartedGrowthBeforeNextClaim() {
        var world = Worlds.ring().members(4).build();
        done(new Play(world, Given.spec(Play.REF, 3, "3.5.16")));
        new Play(world, larger(3)).killAt("GrowStorage/FinishRecreation/before");
        world.tick(30);
        var play = new Play(world, larger(4));

        var ending = growth(play.plan());
        assertThat(ending.stage()).isEqualTo(GrowStorage.Stage.BACK);
        assertThat(ending.claims()).isEmpty();
        assertThat(ending.endsWhatWasBegun()).isTrue();

        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
    }

    // --- file systems that grow only when they are mounted

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void restartsMembersWhoseFileSystemNeedsItInOwnPlan(int size) {
        var world = ring(size);
        world.volumes().offline(true);
        var play = new Play(world, larger(size));
        assertThat(growth(play.plan()).risk()).isEqualTo(Risk.LOW);

        var first = play.once(FaultHook.NONE);
        assertThat(first.outcome()).as(first.detail()).isEqualTo(Outcome.HELD);
        assertThat(first.detail()).contains("The next run restarts it");

        var plan = play.plan();
        assertThat(growth(plan).restarts().members()).containsExactly(size - 1);
        assertThat(growth(plan).risk()).isEqualTo(size > 2 ? Risk.MEDIUM : Risk.HIGH);
        done(play);
    }

    /// It was killed in the moment between the volume and its file system.
    @Test
    void doesNotRestartMemberWhoseFileSystemGrows() {
        var world = ring(3);
        var play = new Play(world, larger(3));
        var pods = play.ring.podUids();
        world.volumes().offline(true);
        play.once(FaultHook.NONE);
        world.volumes().offline(false);
        assertThat(growth(play.plan()).restarts().members()).containsExactly(2);

        done(play);

        assertThat(play.ring.podUids()).isEqualTo(pods);
    }

    // --- what is refused, and what is not known

    @Test
    void planNamesClassWithoutExpansion() {
        var world = ring(3);
        world.volumes().storageClass("standard", Expansion.NOT_ALLOWED);

        var plan = new Play(world, Specs.withStorage(withQuota(3, 1_200_000_000L), "2Gi")).plan();

        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).containsExactly("storage-cannot-grow", "quota-waits");
        assertThat(plan.findings().getFirst().message())
                .contains("standard")
                .contains("allowVolumeExpansion")
                .contains("set the size back");
    }

    @Test
    void waitsForUnreadableClass() {
        var world = ring(3);
        world.volumes().unreadable("standard");

        assertRefused(new Play(world, larger(3)), "storage-unknown", "could not be read");
    }

    @Test
    void planNamesMissingClass() {
        var world = ring(3);
        world.volumes().storageClass("standard", Expansion.NO_SUCH_CLASS);

        assertRefused(new Play(world, larger(3)), "storage-cannot-grow", "the storage class standard no longer exists");
    }

    /// With rights by namespace: the API server itself is asked, by asking for more.
    @Test
    void leavesForbiddenClassToApiServer() {
        var world = ring(3);
        world.volumes().storageClass("standard", Expansion.NOT_FOR_US_TO_READ);
        var play = new Play(world, larger(3));
        assertThat(kinds(play.plan())).containsExactly("GrowStorage");

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("does not allow it to grow").contains("back to 1Gi");
        assertThat(play.ring.capacities()).allMatch("1Gi"::equals);
        assertThat(play.ring.journal().orElseThrow().intent()).isEmpty();
    }

    @Test
    void doesNotTakeStalledVolumeForGrown() {
        var world = ring(3);
        world.volumes().stuck(true);
        var play = new Play(world, larger(3));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("data-orders-2 has 1Gi, and asks for 2Gi");
        world.volumes().stuck(false);
        assertThat(play.notAtRest(play.untilQuiet(2))).isEmpty();
    }

    @Test
    void unhealthyRingWaits() {
        var world = Worlds.ring().members(3).down(1).build();
        var play = new Play(world, larger(3));

        assertThat(play.plan().operations()).isEmpty();
        assertThat(play.plan().waiting()).hasSize(1);
    }

    @Test
    void failingMemberStopsGrowth() {
        var world = ring(3);
        var play = new Play(world, larger(3));

        var result = play.once(boundary -> {
            if (boundary.equals("GrowStorage/OrphanPods/before")) {
                world.faults(Play.REF).stop(1);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.hasStatefulSet()).isTrue();
        play.mend();
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
    }

    @Test
    void volumesWaitWhileMembersJoin() {
        var world = Worlds.ring().members(3).inJoin(Stage.Join.STARTED).build();

        assertThat(kinds(new Play(world, larger(4)).plan())).containsExactly("ScaleOut");
    }

    private static void assertRefused(Play play, String code, String words) {
        var plan = play.plan();
        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).containsExactly(code);
        assertThat(plan.findings().getFirst().message()).contains(words);
        int before = play.world.acts().size();
        play.once(FaultHook.NONE);
        assertThat(play.world.acts()).hasSize(before);
    }

    private static void done(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.notAtRest(play.plan())).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    private static Play orphaned(EtcdClusterSpec spec) {
        var play = new Play(ring(3), spec);
        play.killAt("GrowStorage/OrphanPods/after");
        play.world.tick(60);
        assertThat(play.ring.hasStatefulSet()).isFalse();
        return play;
    }

    private static FakeWorld ring(int size) {
        return Worlds.ring().members(size).leader(size - 1).build();
    }

    private static EtcdClusterSpec larger(int size) {
        return Specs.withStorage(Given.spec(Play.REF, size, "3.5.16"), "2Gi");
    }

    static EtcdClusterSpec withQuota(int size, long quota) {
        return Specs.withOption(Given.spec(Play.REF, size, "3.5.16"), "quotaBackendBytes", quota);
    }

    static Case growing(String name, int size, boolean offline, EtcdClusterSpec spec) {
        return new Case(
                name,
                () -> {
                    var world = ring(size);
                    world.volumes().offline(offline);
                    return world;
                },
                Specs.withStorage(spec, "2Gi"),
                new Expect.Converges());
    }

    private static GrowStorage growth(ClusterPlan plan) {
        return plan.operations().stream()
                .map(o -> o.operation())
                .filter(GrowStorage.class::isInstance)
                .map(GrowStorage.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
