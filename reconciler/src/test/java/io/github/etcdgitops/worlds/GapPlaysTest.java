package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.PlannedOperation;
import io.github.etcdgitops.policy.PolicyEngine;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.Approval;
import io.github.etcdgitops.spec.ring.Fleet;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.validation.Location;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Members that somebody has taken out of the ring by hand, their pods and volumes left where they are.
class GapPlaysTest {
    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 0", "3.5.16, 3, 1", "3.5.16, 5, 2", "3.4.23, 3, 1", "3.3.25, 3, 0", "3.3.25, 5, 3"})
    void fillsGapAfterApproval(String version, int size, int ordinal) {
        var play = removed(version, size, ordinal);
        var others = siblings(play, ordinal);
        String claim = play.ring.claimUid(ordinal);

        play.untilQuiet(2);
        assertThat(play.ring.voters()).hasSize(size - 1);
        assertThat(play.plan().findings()).extracting(Finding::code).contains("member-gap");

        assertThat(play.notAtRest(approved(play).untilQuiet(3))).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
        assertThat(play.ring.claimUid(ordinal)).isNotEqualTo(claim);
        assertThat(siblings(play, ordinal)).isEqualTo(others);
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        for (String version : List.of("3.3.25", "3.5.16")) {
            var boundaries = new LinkedHashSet<String>();
            approved(removed(version, 3, 1)).once(boundaries::add);
            for (String boundary : boundaries) {
                var play = approved(removed(version, 3, 1));
                play.killAt(boundary);
                play.world.tick(30);

                assertThat(play.notAtRest(play.untilQuiet(3)))
                        .as("%s %s", boundary, play)
                        .isEmpty();
                assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();
            }
            assertThat(boundaries).hasSizeGreaterThan(18);
        }
    }

    @ParameterizedTest
    @EnumSource
    void doesNothingWithoutApproval(Mode mode) {
        var play = removed("3.5.16", 3, 1, mode);

        var plan = play.untilQuiet(2);

        assertThat(plan.findings()).extracting(Finding::code).contains("member-gap");
        assertThat(kinds(plan)).isEqualTo(mode == Mode.OFF ? List.of() : List.of("ReplaceMember"));
        assertThat(play.ring.voters()).hasSize(2);
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    /// etcd adds nobody while one of the voters is away.
    @Test
    void waitsForAnotherMissingMember() {
        var play = approved(removed("3.5.16", 5, 1));
        play.world.faults(Play.REF).stop(3);
        play.world.tick(20);

        play.untilQuiet(2);
        assertThat(play.ring.voters()).hasSize(4);
        assertThat(play.breaches()).as("%s", play).isEmpty();

        play.world.faults(Play.REF).recover(3);
        play.world.tick(30);
        assertThat(play.notAtRest(play.untilQuiet(3))).as("%s", play).isEmpty();
    }

    /// etcd takes nobody in while the data of a member differs: both are replaced by one operation.
    @Test
    void replacesDivergedMemberTogetherWithGap() {
        var play = removed("3.5.16", 5, 1);
        play.world.faults(Play.REF).diverge(3);
        play.world.tick(20);

        assertThat(play.notAtRest(approved(play).untilQuiet(4))).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
        assertThat(play.ring.differing()).isEmpty();
    }

    /// In the midst of a growth of the volumes, while the StatefulSet is still there.
    @Test
    void continuesGrowthAfterwards() {
        var wanted = Specs.mendingMembers(Specs.withStorage(Given.spec(Play.REF, 5, "3.5.16"), "2Gi"), Mode.MANUAL);
        var play = new Play(Worlds.ring().members(5).leader(4).build(), wanted);
        assertThat(play.killAt("GrowStorage/BeginRecreation/after")).isTrue();
        play.world.faults(Play.REF).removeMemberByHand(3);
        play.world.tick(30);

        assertThat(play.notAtRest(approved(play).untilQuiet(4))).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    /// All that is left is one voter, which nobody can take over from.
    @Test
    void freesSpaceOfLastVoterWithoutMovingLeader() {
        var full = SpaceWorlds.full("3.5.16", 3, 2);
        var play = new Play(full.make().get(), Specs.healing(full.spec(), Mode.AUTOMATIC));
        play.world.faults(Play.REF).removeMemberByHand(2);
        play.world.tick(20);
        play.world.faults(Play.REF).removeMemberByHand(1);
        play.world.tick(20);
        isWholeWithAPerson(play);
    }

    /// Its volume still waits for a pod to mount it, and nobody makes that pod before it joins again.
    @Test
    void doesNotRestartMissingMemberForItsVolume() {
        var play = new Play(
                Worlds.ring().members(3).leader(0).build(),
                Specs.withStorage(Given.spec(Play.REF, 3, "3.5.16"), "2Gi"));
        assertThat(play.killAt("GrowStorage/ExpandClaim/after")).isTrue();
        play.world.faults(Play.REF).removeMemberByHand(2);
        play.world.faults(Play.REF).scaleByHand(2);
        play.world.tick(20);
        isWholeWithAPerson(play);
    }

    /// By somebody who takes out each one that comes.
    @Test
    void replacesNewMemberThatIsRemovedByHand() {
        var play = approved(removed("3.5.16", 3, 1));
        assertThat(play.killAt("ReplaceMember/PromoteNewcomer/before")).isTrue();
        play.world.faults(Play.REF).removeMemberByHand(1);
        play.world.tick(20);
        assertThat(play.killAt("ReplaceMember/WriteJoinConfig/before")).isTrue();
        play.world.tick(20);

        assertThat(play.notAtRest(play.untilQuiet(6))).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    /// Two are left and one of them will not come back: that it is about to restart excuses nobody.
    @Test
    void reportsLostQuorumIfNodeOfOneOfTwoIsGone() {
        var play = new Play(RollPlaysTest.halfRolled(3, 2), Given.spec(Play.REF, 3, "3.5.16"));
        play.world.faults(Play.REF).removeMemberByHand(2);
        play.world.tick(20);
        play.world.faults(Play.REF).loseMachine(1);
        play.world.tick(60);

        assertThat(play.plan().findings()).extracting(Finding::code).contains("quorum-lost");
    }

    /// An upgrade is being taken back, and the last member of the former version is removed by hand.
    /// etcd raises the version of the ring then, and a new member of the former one would never come
    /// up.
    @Test
    void resumesUpgradeIfNoFormerMemberIsLeft() {
        var upgrades = Map.of("3.4.23", "3.5.16", "3.3.25", "3.4.23");
        upgrades.forEach((from, to) -> {
            var play = new Play(
                    RollPlaysTest.halfRolled(from, to, 3, 2),
                    Specs.healing(Given.spec(Play.REF, 3, from), Mode.AUTOMATIC));
            assertThat(play.killAt("BackOutRoll/ReinstateTemplate/after")).isTrue();
            play.world.faults(Play.REF).removeMemberByHand(0);
            play.world.tick(30);

            assertThat(play.plan().findings()).extracting(Finding::code).contains("roll-goes-on");
            isWholeWithAPerson(play);
            assertThat(play.ring.versions()).hasSize(3).allMatch(to::equals);
        });
    }

    /// An upgrade is being taken back when the node of the last former member goes, and the ring is out of space
    /// besides: the member is not waited for, and the alarm not either.
    @Test
    void resumesUpgradeIfLastFormerNodeIsGoneAndRingIsFull() {
        var former = Specs.healing(Given.spec(Play.REF, 3, "3.4.23"), Mode.AUTOMATIC);
        var play = new Play(
                RollPlaysTest.halfRolled("3.4.23", "3.5.16", 3, 2), Specs.freeing(former, Mode.AUTOMATIC, 10_000));
        assertThat(play.killAt("BackOutRoll/ReinstateTemplate/after")).isTrue();
        play.world.faults(Play.REF).fill(40L << 20, 0, 1900L << 20);
        play.world.faults(Play.REF).alarm(Alarm.Kind.NOSPACE, 1);
        play.world.faults(Play.REF).loseMachine(0);
        play.world.faults(Play.REF).missedFor(0, Duration.ofHours(2));
        play.world.tick(30);

        isWholeWithAPerson(play);
        assertThat(play.ring.versions()).hasSize(3).allMatch("3.5.16"::equals);
    }

    /// The last former member is removed in the midst of an upgrade, so that etcd raises the cluster version. Then
    /// one of the two that are left fails: no member can go back, and the ways out of the lost quorum are open.
    @Test
    void lostQuorumIsNotHeldForImpossibleRollback() {
        for (String wanted : List.of("3.3.25", "3.4.23")) {
            for (boolean backing : List.of(false, true)) {
                for (boolean comesBack : List.of(false, true)) {
                    var play = withoutTheLastFormerMember(wanted, backing);
                    play.world.faults(Play.REF).spoil(2);
                    play.world.tick(60);

                    var plan = play.plan();
                    assertThat(plan.findings()).extracting(Finding::code).contains("quorum-lost");
                    assertThat(kinds(plan)).as("%s", play).doesNotContain("BackOutRoll");
                    if (comesBack) {
                        play.world.faults(Play.REF).unspoil(2);
                        play.world.tick(60);
                    }
                    isWholeWithAPerson(play);
                    assertThat(play.ring.versions()).hasSize(3).allMatch("3.4.23"::equals);
                }
            }
        }
    }

    /// Where no member tells the cluster version, the rollback is planned, and its first step asks once more.
    @Test
    void doesNotTakeUnknownClusterVersionForRaised() {
        var play = withoutTheLastFormerMember("3.3.25", false);
        play.world.faults(Play.REF).stop(1);
        play.world.faults(Play.REF).spoil(2);
        play.world.tick(60);

        assertThat(kinds(play.plan())).as("%s", play).containsExactly("BackOutRoll");
    }

    private static Play withoutTheLastFormerMember(String wanted, boolean backing) {
        var world = RollPlaysTest.halfRolled("3.3.25", "3.4.23", 3, 2);
        var play = new Play(world, Specs.healing(Given.spec(Play.REF, 3, "3.3.25"), Mode.AUTOMATIC));
        if (backing) {
            assertThat(play.killAt("BackOutRoll/ReinstateTemplate/after")).isTrue();
        }
        play.spec = Specs.healing(Given.spec(Play.REF, 3, wanted), Mode.AUTOMATIC);
        world.faults(Play.REF).removeMemberByHand(0);
        world.tick(30);
        return play;
    }

    private static void isWholeWithAPerson(Play play) {
        var person = new Person(play);
        for (int i = 0; i < 6; i++) {
            play.once(FaultHook.NONE);
            play.world.tick(20);
            person.follow(play.plan());
        }

        assertThat(play.notAtRest(play.plan())).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    private static Play removed(String version, int size, int ordinal) {
        return removed(version, size, ordinal, Mode.MANUAL);
    }

    private static Play removed(String version, int size, int ordinal, Mode mode) {
        var world = Worlds.ring()
                .version(version)
                .members(size)
                .leader(size - 1)
                .removedByHand(ordinal)
                .build();
        world.tick(20);
        return new Play(world, Specs.mendingMembers(Given.spec(Play.REF, size, version), mode));
    }

    private static Play approved(Play play) {
        var ids = play.plan().operations().stream()
                .map(planned -> planned.operation().id())
                .collect(Collectors.toUnmodifiableSet());
        assertThat(ids).hasSize(1);
        play.policies = new PolicyEngine(
                Fleet.DEFAULT,
                List.of(new Approval(
                        "yes",
                        Play.REF,
                        Optional.empty(),
                        ids,
                        "an owner",
                        Instant.MAX,
                        Location.ofFile("approvals/yes.yaml"))));
        return play;
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream()
                .map(PlannedOperation::operation)
                .map(o -> o.kind())
                .toList();
    }

    private static List<String> siblings(Play play, int replaced) {
        var uids = new ArrayList<>(play.ring.podUids());
        uids.remove(replaced);
        return uids;
    }
}
