package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Members fail while a deleted ring comes back: it comes back without them, and they are mended then.
class ReturnHealPlaysTest {
    private static Play returning(FakeWorld world) {
        return new Play(world, Specs.healing(Given.spec(Play.REF, 3, "3.5.16"), Mode.AUTOMATIC));
    }

    /// What befalls a member once the members are told to start.
    private static Play struck(Consumer<Faults> fault) {
        var play = returning(DeletedRing.of(3));
        assertThat(play.killAt("ReturnCluster/AwaitReturned/before")).isTrue();
        play.world.tick(20);
        fault.accept(play.world.faults(Play.REF));
        play.world.tick(20);
        return play;
    }

    private static void whole(Play play) {
        var person = new Person(play);
        for (int i = 0; i < 12; i++) {
            play.once(FaultHook.NONE);
            play.world.tick(7200);
            person.follow(play.plan());
        }
        assertThat(play.notAtRest(play.plan())).as(play.toString()).isEmpty();
        assertThat(play.breaches()).as(play.toString()).isEmpty();
    }

    @Test
    void returnsWithoutMemberAndRepairsItAfterwards() {
        var minorities = List.<Consumer<Faults>>of(
                faults -> faults.loseMachine(2),
                faults -> faults.stop(2),
                faults -> faults.removeMemberByHand(2),
                faults -> faults.diverge(2),
                faults -> faults.spoil(2));
        for (var minority : minorities) {
            var play = struck(minority);

            play.once(FaultHook.NONE);
            play.world.tick(20);
            play.once(FaultHook.NONE);

            assertThat(play.ring.journal().orElseThrow().remains())
                    .as(play.toString())
                    .isEmpty();
            play.world.faults(Play.REF).recover(2);
            whole(play);
        }
    }

    /// Nobody comes back by waiting, and the backups are asked about as in any ring.
    @ParameterizedTest
    @EnumSource
    void returnWithoutQuorumEndsAndQuorumIsRecovered(Lost lost) {
        var play = returning(DeletedRing.of(3));
        play.vault.keep(Duration.ofDays(365), 9);
        assertThat(play.killAt("ReturnCluster/AwaitReturned/before")).isTrue();
        play.world.tick(20);
        lost.befalls(play.world.faults(Play.REF));
        play.world.tick(60);

        play.once(FaultHook.NONE);
        play.world.tick(60);

        assertThat(play.plan().findings()).extracting(Finding::code).contains("quorum-lost");
        whole(play);
    }

    /// A majority of three.
    private enum Lost {
        A_MACHINE_AND_A_MEMBER {
            @Override
            void befalls(Faults faults) {
                faults.loseMachine(0);
                faults.spoil(1);
            }
        },
        TWO_VOLUMES {
            @Override
            void befalls(Faults faults) {
                faults.loseVolume(0);
                faults.loseVolume(1);
            }
        };

        abstract void befalls(Faults faults);
    }

    /// No alarm tells of it: somebody has to say whose data is wrong.
    @Test
    void continuesReturnAfterPersonNamesWrongMember() {
        var play = struck(faults -> faults.corrupt(1));
        var held = play.once(FaultHook.NONE);
        assertThat(held.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(held.detail()).contains("One of them is corrupt").contains("MemberReplacement");

        play.spec = Specs.replacing(play.spec, Map.of(1, play.ring.memberId(1).orElseThrow()));

        whole(play);
        assertThat(play.ring.differing()).isEmpty();
    }
}
