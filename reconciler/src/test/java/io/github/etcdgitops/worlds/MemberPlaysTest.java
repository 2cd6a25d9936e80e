package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Members that somebody wants to be replaced, played from the plan to the end.
class MemberPlaysTest {
    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 0", "3.5.16, 3, 1", "3.5.16, 5, 4", "3.3.25, 3, 0", "3.3.25, 5, 2", "3.4.23, 3, 2"})
    void replacesOnlyTheMemberThatDoesNotStart(String version, int size, int ordinal) {
        var play = crashing(version, size, ordinal);
        var former = play.ring.memberId(ordinal);
        String claim = play.ring.claimUid(ordinal);
        var siblings = siblings(play, ordinal);
        assertThat(kinds(play.plan())).containsExactly("ReplaceMember");

        done(play);

        assertThat(play.ring.memberId(ordinal)).isNotEqualTo(former);
        assertThat(play.ring.claimUid(ordinal)).isNotEqualTo(claim);
        assertThat(siblings(play, ordinal)).isEqualTo(siblings);
        assertThat(codes(play.plan())).containsExactly("member-replacement-over");
    }

    /// Nothing is wrong with it that we could see; it leads as well.
    @ParameterizedTest
    @CsvSource({"3.5.16, 3", "3.3.25, 5"})
    void replacesServingLeaderOnRequest(String version, int size) {
        var world = ring(version, size);
        var play = new Play(world, MemberWorlds.asking(version, size, world, Set.of(size - 1)));
        assertThat(play.ring.leader()).contains(size - 1);

        done(play);
    }

    /// It answers us, and its peers do not reach it. The next one is on another machine.
    @ParameterizedTest
    @CsvSource({"3.5.16, 3, 0", "3.5.16, 5, 4", "3.4.23, 3, 2", "3.3.25, 5, 1"})
    void replacesMemberCutOffFromPeersOnRequest(String version, int size, int ordinal) {
        var world = ring(version, size);
        var play = new Play(world, MemberWorlds.asking(version, size, world, Set.of(ordinal)));
        var former = play.ring.memberId(ordinal);
        var siblings = siblings(play, ordinal);
        world.faults(Play.REF).sever(ordinal);
        world.tick(30);
        assertThat(kinds(play.plan())).containsExactly("ReplaceMember");

        play.once(_ -> {
            if (!play.ring.memberId(ordinal).equals(former)) {
                world.faults(Play.REF).recover(ordinal);
            }
        });

        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
        assertThat(play.breaches()).isEmpty();
        assertThat(play.ring.memberId(ordinal)).isNotEqualTo(former);
        assertThat(siblings(play, ordinal)).isEqualTo(siblings);
    }

    @Test
    void neverReplacesCutOffMemberWithoutRequest() {
        var world = ring("3.5.16", 3);
        var play = new Play(world, Specs.mendingMembers(Given.spec(Play.REF, 3, "3.5.16"), Mode.AUTOMATIC));
        world.faults(Play.REF).sever(1);
        world.tick(600);

        assertThat(play.plan().operations()).isEmpty();
    }

    @Test
    void continuesAfterKillAtAnyPoint() {
        for (String version : List.of("3.3.25", "3.5.16")) {
            var boundaries = new LinkedHashSet<String>();
            crashing(version, 3, 1).once(boundaries::add);
            for (String boundary : boundaries) {
                var play = crashing(version, 3, 1);
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

    /// Killed anywhere, and somebody deletes the document at once: what was begun is ended.
    @Test
    void finishesStartedReplacementWithoutDocument() {
        var boundaries = new LinkedHashSet<String>();
        crashing("3.5.16", 3, 1).once(boundaries::add);
        for (String boundary : boundaries) {
            var play = crashing("3.5.16", 3, 1);
            play.killAt(boundary);
            play.world.tick(30);
            if (play.ring.journal().filter(j -> j.replacement().isPresent()).isEmpty()) {
                continue;
            }
            var after = new Play(play.world, Given.spec(Play.REF, 3, "3.5.16"));
            assertThat(kinds(after.plan())).as(boundary).containsExactly("ReplaceMember");

            assertThat(after.notAtRest(after.untilQuiet(3)))
                    .as("%s %s", boundary, after)
                    .isEmpty();
            assertThat(after.breaches()).as("%s %s", boundary, after).isEmpty();
        }
    }

    /// At each boundary the new volume is lost.
    @Test
    void replacesVolumeThatIsLostMeanwhile() {
        var boundaries = new LinkedHashSet<String>();
        crashing("3.5.16", 3, 1).once(boundaries::add);
        for (String boundary : boundaries) {
            var play = crashing("3.5.16", 3, 1);
            play.killAt(boundary);
            play.world.faults(Play.REF).loseVolume(1);
            play.dayAfterAReplacement();

            assertThat(play.notAtRest(play.untilQuiet(4)))
                    .as("%s %s", boundary, play)
                    .isEmpty();
            assertThat(play.breaches()).as("%s %s", boundary, play).isEmpty();
        }
    }

    /// Somebody has deleted its claim: the new one is empty, and its sealed member never starts on it.
    @Test
    void replacesMemberWhoseClaimWasDeletedByHand() {
        var world = ring("3.5.16", 3);
        var spec = MemberWorlds.asking("3.5.16", 3, world, Set.of(1));
        world.faults(Play.REF).deleteClaim(1);
        world.faults(Play.REF).deletePod(1);
        world.tick(20);
        var play = new Play(world, spec);
        assertThat(play.ring.up()).containsExactly(0, 2);

        done(play);
    }

    /// It is the member that somebody has asked to go, whichever claim it has when it does.
    @Test
    void recreatedClaimHoldsNothingForGood() {
        var play = crashing("3.5.16", 3, 1);

        play.once(boundary -> {
            if (boundary.equals("ReplaceMember/RemoveFormer/before")) {
                play.world.faults(Play.REF).deleteClaim(1);
                play.world.faults(Play.REF).deletePod(1);
                play.world.tick(3);
            }
        });

        assertThat(play.notAtRest(play.untilQuiet(3))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    /// It is taken out, and a new one comes once etcd lets anybody in.
    @Test
    void toleratesOneMoreMemberDownWhileQuorumHolds() {
        var play = crashing("3.5.16", 5, 1);
        play.world.faults(Play.REF).stop(3);
        play.world.tick(20);

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("etcd adds no member while orders-3 does not answer");
        assertThat(play.ring.voters()).containsExactly(0, 2, 3, 4);
        play.mend();
        assertThat(play.notAtRest(play.untilQuiet(2))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    /// With two of three away there is nobody who could agree to anything.
    @Test
    void touchesNothingWithoutQuorum() {
        var play = crashing("3.5.16", 3, 1);
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

    /// Nobody knows yet whose data is right, and a new member would copy from the others. From 3.4 on the
    /// alarm has no member's ID.
    @Test
    void replacesNoMemberWhileOthersCannotBeCompared() {
        var play = crashing("3.5.16", 3, 1);
        play.world.faults(Play.REF).alarmOfNobody(Alarm.Kind.CORRUPT);
        play.world.faults(Play.REF).hashless(0);
        int before = play.world.acts().size();

        var result = play.once(FaultHook.NONE);

        assertThat(codes(play.plan())).contains("not-green");
        assertThat(result.outcome()).isEqualTo(Outcome.HELD);
        assertThat(result.detail()).contains("alarm CORRUPT 0");
        assertThat(play.world.acts().subList(before, play.world.acts().size()))
                .noneMatch(act -> act.contains("remove") || act.contains("delete"));
    }

    @Test
    void replacesTwoOfFiveTogether() {
        var world = ring("3.5.16", 5);
        var spec = MemberWorlds.asking("3.5.16", 5, world, Set.of(1, 3));
        world.faults(Play.REF).spoil(1);
        world.faults(Play.REF).spoil(3);
        world.tick(20);
        var play = new Play(world, spec);

        assertThat(play.notAtRest(play.untilQuiet(3))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void idOfAnotherMemberReplacesNone() {
        var world = ring("3.5.16", 3);
        var other = world.look(Play.REF).memberId(2).orElseThrow();
        var plan = new Play(world, asking(Map.of(1, other))).plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(plan.findings())
                .anyMatch(f -> f.code().equals("member-replacement-unclear")
                        && f.message().contains("which is orders-2"));
    }

    @Test
    void unknownIdIsDone() {
        var plan = new Play(ring("3.5.16", 3), asking(Map.of(1, new EtcdId(1)))).plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).containsExactly("member-replacement-over");
    }

    @Test
    void neverReplacesSoleMember() {
        var world = ring("3.5.16", 1);
        var plan = new Play(world, MemberWorlds.asking("3.5.16", 1, world, Set.of(0))).plan();

        assertThat(plan.operations()).isEmpty();
        assertThat(codes(plan)).containsExactly("member-replacement-of-one");
    }

    private static EtcdClusterSpec asking(Map<Integer, EtcdId> members) {
        return Specs.replacing(Given.spec(Play.REF, 3, "3.5.16"), Mode.MANUAL, members);
    }

    private static void done(Play play) {
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(play.notAtRest(play.plan())).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    private static Play crashing(String version, int size, int ordinal) {
        var world = ring(version, size);
        var spec = MemberWorlds.asking(version, size, world, Set.of(ordinal));
        world.faults(Play.REF).spoil(ordinal);
        world.tick(20);
        return new Play(world, spec);
    }

    private static FakeWorld ring(String version, int size) {
        return Worlds.ring().version(version).members(size).leader(size - 1).build();
    }

    private static List<String> siblings(Play play, int replaced) {
        var uids = new ArrayList<>(play.ring.podUids());
        uids.remove(replaced);
        return uids;
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static List<String> codes(ClusterPlan plan) {
        return plan.findings().stream().map(Finding::code).toList();
    }
}
