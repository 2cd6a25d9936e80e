package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Members fail while a ring is being adopted: they are replaced, and the adoption goes on.
class AdoptHealPlaysTest {
    private static Play adopting(int size) {
        return new Play(AdoptPlaysTest.foreign(size), Specs.healing(AdoptPlaysTest.wanted(size), Mode.AUTOMATIC));
    }

    private static List<String> kinds(ClusterPlan plan) {
        return plan.operations().stream().map(o -> o.operation().kind()).toList();
    }

    private static Play stoppedAt(int size, String boundary) {
        var play = adopting(size);
        assertThat(play.killAt(boundary)).as(boundary).isTrue();
        play.world.tick(20);
        return play;
    }

    private static void whole(Play play) {
        assertThat(play.notAtRest(play.untilQuiet(6))).as(play.toString()).isEmpty();
        assertThat(play.breaches()).as(play.toString()).isEmpty();
        assertThat(play.ring.journal().orElseThrow().unsettled()).isFalse();
    }

    /// A pod from the former template knows nothing of the file with which a new member joins.
    @ParameterizedTest
    @CsvSource({
        "3, RollMembers/BeginRoll/before, 0",
        "3, RollMembers/WriteTemplate/before, 2",
        "3, RollMembers/LeadFrom/before, 1",
        "5, RollMembers/RestartMember/after, 1",
        "5, RollMembers/RestartMember/after, 4",
        "3, RollMembers/PinPartition/before, 1",
        "3, SettleAdoption/AdvertisePeers/before, 1"
    })
    void replacesMemberLostInRolloutOnOurTemplate(int size, String boundary, int lost) {
        var play = stoppedAt(size, boundary);

        play.world.faults(Play.REF).loseVolume(lost);
        play.world.tick(20);

        whole(play);
    }

    @Test
    void restartsNoOtherMember() {
        var play = stoppedAt(3, "RollMembers/WriteTemplate/before");
        play.world.faults(Play.REF).loseVolume(0);
        play.world.tick(20);
        var pods = play.ring.podUids();

        assertThat(kinds(play.plan())).containsExactly("ResetVolume");
        play.once(FaultHook.NONE);

        assertThat(play.ring.podUids().subList(1, 3)).isEqualTo(pods.subList(1, 3));
        assertThat(play.ring.voters()).containsExactly(0, 1, 2);
        assertThat(play.plan().operations().getFirst().operation().kind()).isEqualTo("RollMembers");
    }

    /// There is no former template any more that a member could go back to.
    @Test
    void neverTakesRolloutBackAfterwards() {
        var play = stoppedAt(3, "RollMembers/RestartMember/before");
        play.world.faults(Play.REF).loseVolume(0);
        play.world.tick(20);
        play.once(FaultHook.NONE);
        play.world.tick(20);

        play.spec = Specs.withImage(play.spec);

        assertThat(kinds(play.plan())).containsExactly("RollMembers");
        whole(play);
    }

    /// Between the two StatefulSets as well.
    @Test
    void continuesReplacementAfterKillInAnyCall() {
        int before = lostInRoll().world.calls();
        var example = lostInRoll();
        example.once(FaultHook.NONE);
        for (int call = 1; call <= example.world.calls() - before; call++) {
            var play = lostInRoll();
            play.world.crashAfterCall(play.world.calls() + call);
            try {
                play.once(FaultHook.NONE);
            } catch (Crash | OneProcess.StillDead _) {
                play.world.tick(20);
            }
            whole(play);
        }
    }

    private static Play lostInRoll() {
        var play = stoppedAt(3, "RollMembers/WriteTemplate/before");
        play.world.faults(Play.REF).loseVolume(0);
        play.world.tick(20);
        return play;
    }

    /// The StatefulSet is ours by then, and nobody else mends it.
    @ParameterizedTest
    @ValueSource(strings = {"AdoptCluster/TakePods/before", "AdoptCluster/AwaitGreen/before"})
    void memberLostBeforeRolloutDoesNotHoldAdoption(String boundary) {
        var play = stoppedAt(3, boundary);
        play.world.faults(Play.REF).loseVolume(1);
        play.world.tick(20);

        whole(play);
    }

    /// Whoever still runs it has made another member meanwhile, on another claim.
    @Test
    void adoptsMembersAsTheyAreWhenContinued() {
        var play = stoppedAt(3, "AdoptCluster/AddPeerUrl/before");
        play.world.faults(Play.REF).loseVolume(1);
        play.world.tick(20);
        assertThat(play.plan().findings()).anyMatch(f -> f.code().equals("adopt-refused"));
        play.world.faults(Play.REF).repairForeign();
        play.world.tick(20);

        assertThat(kinds(play.plan())).contains("AdoptCluster");
        whole(play);
    }
}
