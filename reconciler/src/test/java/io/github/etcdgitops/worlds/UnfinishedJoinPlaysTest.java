package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What befalls a ring while a member joins that does not count yet, or whose data proves nothing yet. Each was
/// found by [TwoFaultsPlaysTest], with other seeds.
class UnfinishedJoinPlaysTest {
    /// Nothing else would promote it.
    @Test
    void learnerWhoseRemovalBeganLeavesAndJoinsAgain() {
        var world = world("3.5.16", 3);
        killed(new Play(world, spec("3.5.16", 4)), "ScaleOut/Promote/before", _ -> {});
        killed(new Play(world, spec("3.5.16", 3)), "ScaleIn/RemoveMember/before", _ -> {});
        assertThat(world.look(Play.REF).learners()).containsExactly(3);

        rests(new Play(world, spec("3.5.16", 4)), 3);
    }

    /// The list of members in its file is no longer that of the ring. It has started, and needs none.
    @Test
    void carriesOnJoinWhoseFileNamesMemberRemovedByHand() {
        var play = new Play(world("3.3.25", 3), spec("3.3.25", 4));

        killed(play, "ScaleOut/SealMember/before", faults -> faults.removeMemberByHand(1));

        rests(play, 6);
    }

    /// A learner is no voter, whether its file is sealed or not. So one voter of two is no majority.
    @ParameterizedTest
    @ValueSource(strings = {"ScaleOut/AwaitStarted/before", "ScaleOut/SealMember/before", "ScaleOut/Promote/before"})
    void recognisesQuorumLostWhileLearnerJoins(String boundary) {
        var play = new Play(world("3.5.16", 2), spec("3.5.16", 3));

        killed(play, boundary, faults -> {
            faults.spoil(0);
            faults.killPod(1);
        });
        play.world.tick(60);

        assertThat(said(play.plan(), "quorum-lost")).isNotEmpty();
        rests(play, 8);
    }

    /// A second voter would break the quorum until it has started, for ever if it does not start.
    @Test
    void lastVoterWithoutLearnersIsRestoredFromBackup() {
        var play = new Play(world("3.3.25", 3), spec("3.3.25", 3));
        play.world.faults(Play.REF).removeMemberByHand(0);
        play.world.faults(Play.REF).removeMemberByHand(1);
        play.world.tick(20);
        var person = new Person(play);
        person.follow(play.plan());
        play.once(FaultHook.NONE);
        play.world.tick(20);

        assertThat(said(play.plan(), "no-learners"))
                .contains("one voter is left")
                .contains("Take a backup")
                .contains("etcd-gitops restore demo/orders --in-place ");
        rests(play, 8);
        assertThat(play.ring.versions()).hasSize(3);
    }

    /// Two of three have the same data, because one of them has just copied that of the other.
    @Test
    void memberThatJoinsIsNoWitness() {
        var world = Worlds.ring().version("3.3.25").members(2).leader(0).build();
        var play = new Play(world, spec("3.3.25", 3));

        killed(play, "ScaleOut/SealMember/before", faults -> {
            faults.diverge(0);
            faults.corrupt(2);
        });
        play.once(FaultHook.NONE);
        play.world.tick(20);

        assertThat(said(play.plan(), "corrupt"))
                .contains("orders-2 may have a copy of the leader's data and does not count")
                .contains("no majority of the 3 voters has the same data");
        assertThat(play.ring.voters()).containsExactly(0, 1, 2);
        assertThat(play.ring.alarms()).isNotEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.5.30", "3.6.14", "3.7.1"})
    void memberJoinsRingInWhichNobodyWrites(String version) {
        var play = new Play(world(version, 3), spec(version, 5));
        play.world.faults(Play.REF).idle();

        assertThat(play.once(FaultHook.NONE).outcome()).isEqualTo(Outcome.DONE);

        assertThat(play.ring.voters()).containsExactly(0, 1, 2, 3, 4);
        assertThat(play.breaches()).isEmpty();
    }

    private static FakeWorld world(String version, int members) {
        var world = Worlds.ring()
                .version(version)
                .members(members)
                .leader(members - 1)
                .build();
        world.faults(Play.REF).put("a");
        return world;
    }

    private static EtcdClusterSpec spec(String version, int size) {
        return Specs.healing(Given.spec(Play.REF, size, version), Mode.AUTOMATIC);
    }

    private static void killed(Play play, String boundary, Consumer<Faults> fault) {
        boolean[] struck = {false};
        try {
            play.once(at -> {
                if (at.equals(boundary)) {
                    fault.accept(play.world.faults(Play.REF));
                    struck[0] = true;
                    throw new Crash(at);
                }
            });
        } catch (Crash _) {
            play.world.tick(20);
        }
        assertThat(struck[0]).as(boundary).isTrue();
    }

    private static void rests(Play play, int runs) {
        var person = new Person(play);
        for (int run = 0; run < runs; run++) {
            person.follow(play.plan());
            play.once(FaultHook.NONE);
            play.world.tick(60);
        }
        assertThat(play.notAtRest(play.plan())).as("%s", play).isEmpty();
        assertThat(play.breaches()).as("%s", play).isEmpty();
    }

    private static String said(ClusterPlan plan, String code) {
        return plan.findings().stream()
                .filter(finding -> finding.code().equals(code))
                .map(finding -> finding.message())
                .findFirst()
                .orElse("");
    }
}
