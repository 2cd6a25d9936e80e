package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.Verdict;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings that lose volumes, played from the plan to the end.
class VolumePlaysTest {
    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 0", "3.5.16, 3, 1", "3.5.16, 5, 4", "3.3.25, 3, 0", "3.3.25, 5, 2"})
    void replacesOnlyTheMemberWithLostVolume(String version, int size, int lost) {
        var play = losing(version, size, Mode.AUTOMATIC, lost);
        var former = play.ring.memberId(lost);
        var siblings = siblings(play, lost);
        assertThat(kinds(play.plan())).containsExactly("ResetVolume");

        done(play);

        assertThat(play.ring.memberId(lost)).isNotEqualTo(former);
        assertThat(siblings(play, lost)).isEqualTo(siblings);
    }

    @ParameterizedTest
    @CsvSource({"5, 3, 4", "5, 4, 4", "5, 3, '3 4'", "7, 3, '4 5 6'", "5, 1, '3 4'", "4, 3, 3"})
    void doesNotReplaceMemberThatIsToLeave(int size, int wanted, String lost) {
        var play = shrinking(size, wanted, lost);
        assertThat(kinds(play.plan())).hasSize(size - wanted).allMatch("ScaleIn"::equals);
        assertThat(play.plan().waiting()).isEmpty();

        assertThat(play.notAtRest(play.untilQuiet(4))).as(play.toString()).isEmpty();

        assertThat(play.ring.voters()).hasSize(wanted);
        assertThat(play.world.acts()).noneMatch(act -> act.contains("addLearner") || act.contains("add member"));
        assertThat(play.breaches()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5, 3, 1", "5, 4, 3", "5, 5, 4"})
    void replacesLostMemberBelowHealthyOne(int size, int wanted, String lost) {
        var play = shrinking(size, wanted, lost);

        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        assertThat(play.notAtRest(play.untilQuiet(6))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void continuesRemovalOfLostMembersAfterCrash() {
        killedAnywhere(() -> shrinking(5, 3, "3 4"));
    }

    private static Play shrinking(int size, int wanted, String lost) {
        var world = losing("3.5.16", size, Mode.AUTOMATIC, ordinals(lost)).world;
        return new Play(world, wanted("3.5.16", wanted, Mode.AUTOMATIC));
    }

    private static int[] ordinals(String text) {
        return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    /// The volume is gone from Kubernetes, and the process still has its files open.
    @Test
    void replacesRunningLeaderWithLostVolume() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).loseClaim(2);
        var play = new Play(world, wanted("3.5.16", 3, Mode.AUTOMATIC));
        assertThat(play.ring.leader()).contains(2);

        done(play);
    }

    @Test
    void waitsForApprovalUnlessAutomatic() {
        var plan = losing("3.5.16", 3, Mode.MANUAL, 1).plan();

        assertThat(kinds(plan)).containsExactly("ResetVolume");
        assertThat(plan.operations().getFirst().verdict()).isInstanceOf(Verdict.Hold.class);
        assertThat(losing("3.5.16", 3, Mode.AUTOMATIC, 1)
                        .plan()
                        .operations()
                        .getFirst()
                        .verdict())
                .isInstanceOf(Verdict.Allow.class);
    }

    @Test
    void offOnlyReports() {
        var plan = losing("3.5.16", 3, Mode.OFF, 1).plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.situation()).isEqualTo(Situation.HELD);
        assertThat(plan.findings())
                .anyMatch(f -> f.code().equals("volume-lost")
                        && f.message().contains("data-orders-1")
                        && f.message().contains("/spec/repair/volumes"));
    }

    @Test
    void otherChangesWaitForVolumeReset() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).loseVolume(1);
        world.tick(20);
        var play = new Play(world, Specs.repairing(Given.spec(Play.REF, 5, "3.5.30"), Mode.AUTOMATIC));

        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        assertThat(codes(play.plan())).contains("one-at-a-time", "volume-lost");
        assertThat(play.notAtRest(play.untilQuiet(4))).isEmpty();
    }

    /// The member is taken out, and comes back once etcd lets anybody in.
    @Test
    void toleratesOneMoreMemberDownWhileQuorumHolds() {
        var play = losing("3.5.16", 5, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).stop(3);
        play.world.tick(20);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("etcd adds no member while orders-3 does not answer");
        assertThat(play.ring.voters()).containsExactly(0, 2, 3, 4);
        assertThat(play.breaches()).isEmpty();
        play.mend();
        assertThat(play.notAtRest(play.untilQuiet(2))).as(play.toString()).isEmpty();
    }

    /// Its process goes on with the files that it has open: as long as nobody can come in its place, the
    /// ring is better off with it.
    @Test
    void keepsServingMemberWhileAnotherIsAway() {
        var world = ring("3.5.16", 5);
        world.faults(Play.REF).loseClaim(1);
        world.faults(Play.REF).stop(3);
        world.tick(20);
        var play = new Play(world, wanted("3.5.16", 5, Mode.AUTOMATIC));

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("orders-1 still serves").contains("orders-3 does not answer");
        assertThat(play.ring.voters()).containsExactly(0, 1, 2, 3, 4);
        play.mend();
        done(play);
    }

    @Test
    void touchesNothingWithoutQuorum() {
        var play = losing("3.5.16", 3, Mode.AUTOMATIC, 1);
        play.world.faults(Play.REF).stop(2);
        play.world.tick(20);
        int before = play.world.acts().size();

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isNotEqualTo(Outcome.DONE);
        assertThat(play.world.acts().subList(before, play.world.acts().size()))
                .noneMatch(act -> act.contains("remove") || act.contains("delete"));
        play.mend();
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
    }

    /// It looks as if several members were down, and it is we who cannot see them.
    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void ourOwnNetworkFaultChangesNothing(int size) {
        var play = losing("3.5.16", size, Mode.AUTOMATIC, 1);
        for (int ordinal = 0; ordinal < size; ordinal++) {
            if (ordinal != 1 && ordinal != 0) {
                play.world.faults(Play.REF).hideFromUs(ordinal);
            }
        }
        int before = play.world.acts().size();

        play.once(FaultHook.NONE);

        assertThat(play.world.acts().subList(before, play.world.acts().size()))
                .noneMatch(act -> act.contains("remove") || act.contains("delete"));
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        for (String version : List.of("3.3.25", "3.5.16")) {
            var boundaries = new LinkedHashSet<String>();
            losing(version, 3, Mode.AUTOMATIC, 1).once(boundaries::add);
            for (String boundary : boundaries) {
                var play = losing(version, 3, Mode.AUTOMATIC, 1);
                play.killAt(boundary);
                play.world.tick(30);

                assertThat(play.notAtRest(play.untilQuiet(3)))
                        .as("%s %s", boundary, play)
                        .isEmpty();
                assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();
            }
            assertThat(boundaries).hasSizeGreaterThan(24);
        }
    }

    /// At each boundary the new volume is lost as well.
    @Test
    void replacesVolumeLostTwice() {
        var boundaries = new LinkedHashSet<String>();
        losing("3.5.16", 3, Mode.AUTOMATIC, 1).once(boundaries::add);
        for (String boundary : boundaries) {
            var play = losing("3.5.16", 3, Mode.AUTOMATIC, 1);
            play.killAt(boundary);
            play.world.faults(Play.REF).loseVolume(1);
            play.dayAfterAReplacement();

            assertThat(play.notAtRest(play.untilQuiet(4)))
                    .as("%s %s", boundary, play)
                    .isEmpty();
            assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();
        }
    }

    /// The deletion of a claim cannot be taken back, and the member has its data for as long as its pod.
    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 0", "3.5.16, 3, 2", "3.3.25, 3, 1", "3.5.16, 5, 4"})
    void replacesServingMemberWithDeletedClaim(String version, int size, int deleted) {
        var world = ring(version, size);
        world.faults(Play.REF).endClaim(deleted);
        var play = new Play(world, wanted(version, size, Mode.AUTOMATIC));
        var siblings = siblings(play, deleted);
        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        assertThat(message(play.plan(), "volume-lost"))
                .contains("the claim data-orders-" + deleted + " is being deleted");

        done(play);

        assertThat(siblings(play, deleted)).isEqualTo(siblings);
    }

    /// The new claim has nothing on it, and is not deleted once more.
    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 0", "3.5.16, 3, 2", "3.3.25, 3, 1", "3.5.16, 5, 4"})
    void replacesMemberOnItsNewClaim(String version, int size, int exchanged) {
        var play = exchanged(version, size, exchanged);
        var siblings = siblings(play, exchanged);
        var claim = play.ring.claimUid(exchanged);
        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        assertThat(message(play.plan(), "volume-lost")).contains("data-orders-" + exchanged + " is a different claim");

        done(play);

        assertThat(siblings(play, exchanged)).isEqualTo(siblings);
        assertThat(play.ring.claimUid(exchanged)).isEqualTo(claim);
    }

    @Test
    void handlesDeletedOrReplacedClaimAfterKillAtAnyPoint() {
        killedAnywhere(() -> exchanged("3.5.16", 3, 1));
        killedAnywhere(() -> {
            var world = ring("3.5.16", 3);
            world.faults(Play.REF).endClaim(1);
            return new Play(world, wanted("3.5.16", 3, Mode.AUTOMATIC));
        });
    }

    private static void killedAnywhere(Supplier<Play> beginning) {
        var boundaries = new LinkedHashSet<String>();
        beginning.get().once(boundaries::add);
        for (String boundary : boundaries) {
            var play = beginning.get();
            play.killAt(boundary);
            play.world.tick(30);

            assertThat(play.notAtRest(play.untilQuiet(3)))
                    .as("%s %s", boundary, play)
                    .isEmpty();
            assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();
        }
        assertThat(boundaries).hasSizeGreaterThan(20);
    }

    /// Whoever binds the former volume to a new claim gets the member back.
    @Test
    void keepsVolumeThatIsBoundAgain() {
        var faults = new AtomicReference<Faults>();
        var world = ring("3.5.16", 3);
        faults.set(world.faults(Play.REF));
        faults.get().exchangeClaim(1);
        world.tick(20);
        var play = new Play(world, wanted("3.5.16", 3, Mode.AUTOMATIC));
        var former = play.ring.memberId(1);

        var result = play.once(boundary -> {
            if (boundary.equals("ResetVolume/RemoveFormer/before")) {
                faults.get().bindAnew(1);
                world.tick(5);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("orders-1 has started on its present claim");
        assertThat(play.ring.memberId(1)).isEqualTo(former);
    }

    /// Starting takes a while, and whoever binds a volume anew has another claim as well.
    @Test
    void keepsAnsweringMemberWithAnotherClaim() {
        var world = ring("3.5.16", 3);
        world.faults(Play.REF).exchangeClaim(1);
        world.tick(1);

        var plan = new Play(world, wanted("3.5.16", 3, Mode.AUTOMATIC)).plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).doesNotContain("volume-lost");
    }

    private static Play exchanged(String version, int size, int ordinal) {
        var world = ring(version, size);
        world.faults(Play.REF).exchangeClaim(ordinal);
        world.tick(20);
        return new Play(world, wanted(version, size, Mode.AUTOMATIC));
    }

    private static String message(ClusterPlan plan, String code) {
        return plan.findings().stream()
                .filter(f -> f.code().equals(code))
                .map(Finding::message)
                .findFirst()
                .orElse("");
    }

    @Test
    void twoLostVolumesOfFiveAreReplaced() {
        var play = losing("3.5.16", 5, Mode.AUTOMATIC, 1, 3);

        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    /// Somebody has brought the volume back meanwhile.
    @Test
    void keepsVolumeThatExistsAgain() {
        var play = losing("3.5.16", 3, Mode.AUTOMATIC, 1);
        var former = play.ring.memberId(1);

        var result = play.once(boundary -> {
            if (boundary.equals("ResetVolume/RemoveFormer/before")) {
                play.world.faults(Play.REF).findVolume(1);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("the volume of the claim data-orders-1 exists");
        assertThat(play.ring.memberId(1)).isEqualTo(former);
    }

    /// Nothing is wrong with it that we could see: somebody says so, by the claim's UID.
    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 0", "3.5.16, 3, 2", "3.5.16, 5, 1", "3.3.25, 3, 1"})
    void givesUpRequestedVolumeOnce(String version, int size, int ordinal) {
        var world = ring(version, size);
        String claim = world.look(Play.REF).claimUid(ordinal);
        var play = new Play(world, Specs.resetting(Given.spec(Play.REF, size, version), ordinal, claim));
        var former = play.ring.memberId(ordinal);
        var siblings = siblings(play, ordinal);
        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        assertThat(play.plan().operations().getFirst().operation().reason())
                .isEqualTo("a document asks for another volume for orders-" + ordinal);

        done(play);

        assertThat(play.ring.memberId(ordinal)).isNotEqualTo(former);
        assertThat(play.ring.claimUid(ordinal)).isNotEqualTo(claim);
        assertThat(siblings(play, ordinal)).isEqualTo(siblings);
        assertThat(codes(play.plan())).containsExactly("volume-reset-over");
    }

    @Test
    void replacesNoMemberOnRequestWhileAnotherIsAway() {
        var world = ring("3.5.16", 5);
        var wanted = Specs.resetting(
                Given.spec(Play.REF, 5, "3.5.16"), 1, world.look(Play.REF).claimUid(1));
        world.faults(Play.REF).stop(3);
        world.tick(20);
        var play = new Play(world, wanted);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.voters()).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void neverReplacesVolumeOfSoleMember() {
        var world = ring("3.5.16", 1);
        var wanted = Specs.resetting(
                Given.spec(Play.REF, 1, "3.5.16"), 0, world.look(Play.REF).claimUid(0));
        var plan = new Play(world, wanted).plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).containsExactly("volume-reset-of-one");
    }

    private static void done(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.notAtRest(play.plan())).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    private static Play losing(String version, int size, Mode mode, int... lost) {
        var world = ring(version, size);
        for (int ordinal : lost) {
            world.faults(Play.REF).loseVolume(ordinal);
        }
        world.tick(20);
        return new Play(world, wanted(version, size, mode));
    }

    private static FakeWorld ring(String version, int size) {
        return Worlds.ring().version(version).members(size).leader(size - 1).build();
    }

    private static EtcdClusterSpec wanted(String version, int size, Mode mode) {
        return Specs.repairing(Given.spec(Play.REF, size, version), mode);
    }

    private static List<String> siblings(Play play, int lost) {
        var uids = new java.util.ArrayList<>(play.ring.podUids());
        uids.remove(lost);
        return uids;
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
