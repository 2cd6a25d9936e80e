package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// One member's data differs, and a member restarts: etcd's check at the start ends it, whoever of them it is
/// that differs.
class InitialCheckPlaysTest {
    /// Nobody else may be added or removed for as long as it is down.
    @ParameterizedTest
    @CsvSource({"5, true, 0", "5, false, 0", "5, true, 1"})
    void startsAHealthyMemberWithoutTheCheckAndReplacesTheOneThatDiffers(int size, boolean alarm, int leader) {
        var play = refused(size, Mode.AUTOMATIC, alarm, leader, 1, 2);
        var healthy = play.ring.memberId(2);
        var differs = play.ring.memberId(1);

        assertThat(kinds(play.plan())).containsExactly("StartUnchecked");
        rests(play, 4);

        assertThat(play.ring.memberId(2)).isEqualTo(healthy);
        assertThat(play.ring.memberId(1)).isNotEqualTo(differs);
        assertThat(play.ring.unchecked()).isEmpty();
    }

    /// Two that answer differ, and the volume of the third says which of them is odd.
    @ParameterizedTest
    @CsvSource({"0, 1, true", "1, 1, true", "1, 1, false", "0, 1, false", "0, 0, true", "1, 0, true"})
    void inspectsVolumeOfStoppedMemberToFindWrongData(int leader, int differs, boolean alarm) {
        var play = refused(3, Mode.AUTOMATIC, alarm, leader, differs, 2);
        var right = List.of(play.ring.memberId(1 - differs), play.ring.memberId(2));
        var wrong = play.ring.memberId(differs);
        assertThat(play.plan().findings())
                .filteredOn(f -> f.code().equals("start-refused"))
                .noneMatch(f -> f.message().contains("MemberReplacement"));

        rests(play, 4);

        assertThat(List.of(play.ring.memberId(1 - differs), play.ring.memberId(2)))
                .isEqualTo(right);
        assertThat(play.ring.memberId(differs)).isNotEqualTo(wrong);
        assertThat(play.ring.unchecked()).isEmpty();
        assertThat(play.world.jobs().count()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"true, 0", "false, 0", "true, 1", "false, 1"})
    void replacesTheOneThatIsDownOfThreeWhereItsDataIsTheWrongOne(boolean alarm, int leader) {
        var play = new Play(
                ring(3, "3.5.16", leader, 2, alarm),
                Specs.mendingMembers(Given.spec(Play.REF, 3, "3.5.16"), Mode.AUTOMATIC));
        var right = List.of(play.ring.memberId(0), play.ring.memberId(1));
        restart(play.world, 2);
        for (int run = 0; run < 6; run++) {
            play.once(FaultHook.NONE);
            play.world.tick(60 * 60);
        }

        rests(play, 6);

        assertThat(List.of(play.ring.memberId(0), play.ring.memberId(1))).isEqualTo(right);
    }

    /// Others compact while it is down: its copy is compacted as well, where it goes that far.
    @Test
    void comparesWhatIsCompactedAlike() {
        var play = refused(3, Mode.AUTOMATIC, false, 1, 1, 2);
        play.world.faults(Play.REF).goOnWithout(2, false);

        rests(play, 4);
    }

    /// Who was away for long gets the leader's data once it starts, which may be the wrong one. So nobody is
    /// started before it is known whose data is wrong, and then that member does not lead.
    @ParameterizedTest
    @CsvSource({
        "COMPACTED, 0, true, No revision can be compared on all members",
        "COMPACTED, 1, false, No revision can be compared on all members",
        "SENT, 1, true, a leader sent the member a snapshot",
        "UNPLACED, 1, true, no machine has room"
    })
    void startsNoneOfThreeUntilWrongDataIsKnown(Silence silence, int leader, boolean alarm, String why) {
        var play = refused(3, Mode.AUTOMATIC, alarm, leader, 1, 2);
        silence.befalls(play);
        var healthy = List.of(play.ring.memberId(0), play.ring.memberId(2));
        for (int run = 0; run < 4; run++) {
            play.once(FaultHook.NONE);
            assertThat(play.ring.unchecked()).isEmpty();
            assertThat(play.plan().findings())
                    .filteredOn(f -> f.code().equals("start-refused"))
                    .anyMatch(f -> f.message().contains("MemberReplacement")
                            && f.message().contains(why));
            play.world.tick(60 * 60);
        }

        play.spec = Specs.replacing(play.spec, Map.of(1, play.ring.memberId(1).orElseThrow()));
        rests(play, 6);

        assertThat(List.of(play.ring.memberId(0), play.ring.memberId(2))).isEqualTo(healthy);
    }

    /// Why a volume says nothing.
    enum Silence {
        COMPACTED {
            @Override
            void befalls(Play play) {
                play.world.faults(Play.REF).goOnWithout(2, true);
            }
        },
        SENT {
            @Override
            void befalls(Play play) {
                play.world.faults(Play.REF).sentItsData(2);
            }
        },
        UNPLACED {
            @Override
            void befalls(Play play) {
                play.world.jobs().stuck(true);
            }
        };

        abstract void befalls(Play play);
    }

    /// What it had then may not be what it has now.
    @Test
    void ignoresInspectionOfMemberStartedSince() {
        var play = refused(3, Mode.AUTOMATIC, true, 0, 1, 2);

        var result = play.once(boundary -> {
            if (boundary.equals("StartUnchecked/LeaveOutCheck/before")) {
                play.world.tick(60);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("orders-2 was started after the inspection of its volume");
        assertThat(play.ring.unchecked()).isEmpty();
        play.world.tick(20);
        rests(play, 4);
    }

    /// The kubelet starts it again while its data is copied: then it is copied once more.
    @Test
    void inspectsAgainIfMemberWasStarted() {
        var play = refused(3, Mode.AUTOMATIC, true, 0, 1, 2);
        play.world.tick(35);

        rests(play, 4);
    }

    /// What was told for want of a quorum may be a copy of what a leader had.
    @Test
    void takesNoEarlierLookForAWitness() {
        var play = refused(3, Mode.AUTOMATIC, true, 1, 1, 2);
        play.world.faults(Play.REF).sentItsData(2);
        play.world.faults(Play.REF).inspectedAsItIs(2);

        play.once(FaultHook.NONE);

        assertThat(play.ring.unchecked()).isEmpty();
    }

    /// By what the volume said before: what it got from the leader since is no proof.
    @Test
    void leavesItOpenWhereTheMemberGotTheWrongDataAfterAll() {
        var play = refused(3, Mode.AUTOMATIC, false, 1, 1, 2);
        var right = play.ring.memberId(0);
        play.once(boundary -> {
            if (boundary.equals("StartUnchecked/FreePod/before")) {
                play.world.faults(Play.REF).lead(1);
            }
        });

        for (int run = 0; run < 4; run++) {
            play.world.tick(60 * 60);
            play.once(FaultHook.NONE);
        }

        assertThat(play.ring.differing()).contains(1, 2);
        assertThat(play.ring.memberId(0)).isEqualTo(right);
        assertThat(play.breaches()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4})
    void startsTwoHealthyMembersOfFiveOnceWrongDataIsKnown(int leader) {
        var play = refused(5, Mode.AUTOMATIC, true, leader, 1, 2, 3);
        play.spec = Specs.replacing(play.spec, Map.of(1, play.ring.memberId(1).orElseThrow()));

        rests(play, 8);

        assertThat(play.ring.unchecked()).isEmpty();
    }

    /// All others have the same data, and etcd has said that somebody has not.
    @ParameterizedTest
    @CsvSource({"3, 3.5.16", "5, 3.5.16", "3, 3.4.23"})
    void replacesTheOneThatDiffersWhereItIsTheOneThatIsDown(int size, String version) {
        var play = new Play(
                ring(size, version, 0, 1, true),
                Specs.mendingMembers(Given.spec(Play.REF, size, version), Mode.AUTOMATIC));
        var differs = play.ring.memberId(1);
        restart(play.world, 1);

        rests(play, 4);

        assertThat(play.ring.memberId(1)).isNotEqualTo(differs);
    }

    /// It would be copied from whichever of the others leads.
    @ParameterizedTest
    @CsvSource({"MANUAL", "OFF", "AUTOMATIC"})
    void neverReplacesTheMemberThatIsDownWhileTheOthersDiffer(Mode mode) {
        var play = refused(3, mode, false, 0, 1, 2);
        var healthy = play.ring.memberId(2);

        for (int run = 0; run < 8; run++) {
            play.once(FaultHook.NONE);
            play.world.tick(60 * 60);
        }

        assertThat(play.ring.memberId(2)).isEqualTo(healthy);
        assertThat(play.breaches()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void waitsForAnApprovalWherePeopleDecide(int size) {
        var play = refused(size, Mode.MANUAL, true, 0, 1, 2);

        var result = play.once(FaultHook.NONE);

        assertThat(kinds(play.plan())).containsExactly("StartUnchecked");
        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(play.ring.unchecked()).isEmpty();
        assertThat(play.world.jobs().count()).isZero();
    }

    @Test
    void saysWhatToDoWhereRepairsAreOff() {
        var play = refused(3, Mode.OFF, true, 0, 1, 2);

        assertThat(play.plan().findings())
                .anyMatch(f -> f.code().equals("start-refused")
                        && f.message().contains("orders-2")
                        && f.message().contains("spec/repair/members"));
        assertThat(play.plan().operations()).isEmpty();
    }

    /// Of three only the one whose data differs answers, and the two that are right end at each start.
    @Test
    void warnsOfRecoveryFromMemberWithDoubtfulData() {
        var play = refused(3, Mode.AUTOMATIC, false, 0, 1, 0, 2);

        assertThat(play.plan().findings())
                .filteredOn(f -> f.code().equals("quorum-lost"))
                .anyMatch(f -> f.message().contains("orders-0, orders-2 cannot start")
                        && f.message().contains("the data of orders-1 may be the wrong one: do not approve"));
    }

    /// Compared once more right before: the check says something then.
    @Test
    void keepsTheCheckWhereTheOthersAgreeByThen() {
        var play = refused(5, Mode.AUTOMATIC, true, 0, 1, 2);

        var result = play.once(boundary -> {
            if (boundary.equals("StartUnchecked/LeaveOutCheck/before")) {
                play.world.faults(Play.REF).mendData(1);
            }
        });

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("have the same data");
        assertThat(play.ring.unchecked()).isEmpty();
    }

    /// Its probes keep clients from it for as long as it does not answer. Nobody else does, or it would be for good.
    @Test
    void clientsReachAMemberThatAnsweredLate() {
        var play = refused(5, Mode.AUTOMATIC, true, 0, 1, 2);

        play.once(boundary -> {
            if (boundary.equals("StartUnchecked/AwaitStarted/before")) {
                play.world.faults(Play.REF).hideFromUs(2);
            }
        });
        play.world.faults(Play.REF).recover(2);

        rests(play, 6);
    }

    @Test
    void continuesAfterKillAnywhere() {
        continuesAfterKillAnywhere(3);
        continuesAfterKillAnywhere(5);
    }

    private static void continuesAfterKillAnywhere(int size) {
        var boundaries = new LinkedHashSet<String>();
        var first = refused(size, Mode.AUTOMATIC, false, 0, 1, 2);
        for (int run = 0; run < 4; run++) {
            first.once(boundaries::add);
            first.world.tick(20);
        }
        assertThat(boundaries).hasSizeGreaterThan(20);
        for (String boundary : boundaries) {
            var play = refused(size, Mode.AUTOMATIC, false, 0, 1, 2);
            for (int run = 0; run < 4; run++) {
                try {
                    play.once(reached -> {
                        if (reached.equals(boundary)) {
                            throw new Crash(boundary);
                        }
                    });
                } catch (Crash _) {
                    break;
                }
                play.world.tick(20);
            }
            play.world.tick(60);
            rests(play, 6);
        }
    }

    // --- what they have in common

    private static void rests(Play play, int runs) {
        assertThat(play.notAtRest(play.untilQuiet(runs))).as("%s", play).isEmpty();
        assertThat(play.ring.alarms()).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
        assertThat(play.ring.differing()).isEmpty();
    }

    /// Whoever restarts was away for so long that it gets the leader's data once it starts.
    private static Play refused(int size, Mode mode, boolean alarm, int leader, int differs, int... restarted) {
        return new Play(
                refused(size, alarm, leader, differs, restarted),
                Specs.mendingMembers(Given.spec(Play.REF, size, "3.5.16"), mode));
    }

    static FakeWorld refused(int size, boolean alarm, int leader, int differs, int... restarted) {
        var world = ring(size, "3.5.16", leader, differs, alarm);
        for (int ordinal : restarted) {
            world.faults(Play.REF).leaveBehind(ordinal);
        }
        restart(world, restarted);
        return world;
    }

    private static FakeWorld ring(int size, String version, int leader, int differs, boolean alarm) {
        var world = Worlds.ring().version(version).members(size).leader(leader).build();
        if (alarm) {
            world.faults(Play.REF).diverge(differs);
        } else {
            world.faults(Play.REF).corrupt(differs);
        }
        world.tick(20);
        return world;
    }

    private static void restart(FakeWorld world, int... ordinals) {
        for (int ordinal : ordinals) {
            world.faults(Play.REF).killPod(ordinal);
        }
        world.tick(20);
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }
}
