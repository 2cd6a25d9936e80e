package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.RolloutSlot;
import io.github.etcdgitops.execute.progress.ClusterResult;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// Members that Kubernetes does not start, for a reason that only a person ends.
class WaitsEndEarlyPlaysTest {
    private static final Duration SOON = Duration.ofSeconds(100);

    @Test
    void unpullableImageEndsCreation() {
        var play = founding();
        play.world.faults(Play.REF).unpullable("3.5.16", true);

        assertThat(endsWithin(play, SOON).detail())
                .contains("orders-0: ImagePullBackOff: Back-off pulling image", "has not changed for 1 min");

        play.world.faults(Play.REF).unpullable("3.5.16", false);
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
    }

    @Test
    void podRefusedByQuotaEndsCreation() {
        var play = founding();
        play.world.faults(Play.REF).podQuota(1);

        assertThat(endsWithin(play, SOON).detail())
                .contains("the StatefulSet has not created the pod orders-1; Kubernetes says: FailedCreate: exceeded"
                        + " quota: pods; that has not changed for 1 min");

        play.world.faults(Play.REF).podQuota(9);
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
    }

    /// An autoscaler needs some minutes to bring a machine.
    @Test
    void unschedulablePodEndsCreationAfterFourMinutes() {
        var play = founding();
        play.world.faults(Play.REF).unplace(2);

        assertThat(endsWithin(play, Duration.ofSeconds(280)).detail())
                .contains("orders-2: Unschedulable: no machine has room", "has not changed for 4 min");
    }

    @Test
    void unpullableImageEndsJoin() {
        var play = new Play(Worlds.ring().members(3).leader(0).build(), Given.spec(Play.REF, 5, "3.5.16"));
        play.world.faults(Play.REF).unpullable("3.5.16", true);

        assertThat(endsWithin(play, SOON).detail()).contains("orders-3: ImagePullBackOff");
        assertThat(play.breaches()).isEmpty();
    }

    /// The pod that was told to restart is not made again.
    @Test
    void podRefusedByQuotaEndsRollout() {
        var play = rolling();

        assertThat(endsWithin(play, SOON).detail())
                .contains("the StatefulSet has not created the pod orders-2; Kubernetes says: FailedCreate: exceeded"
                        + " quota: pods; that has not changed for 1 min");
        assertThat(play.ring.versions()).hasSize(2);

        play.world.faults(Play.REF).podQuota(9);
        assertThat(play.notAtRest(play.untilQuiet(3))).isEmpty();
        assertThat(play.breaches()).isEmpty();
    }

    @Test
    void rolloutStoppedByQuotaIsTakenBackWithItsDocument() {
        var play = rolling();
        endsWithin(play, SOON);
        play.world.faults(Play.REF).podQuota(3);

        var back = new Play(play.world, Given.spec(Play.REF, 3, "3.5.16"));

        assertThat(back.notAtRest(back.untilQuiet(4))).isEmpty();
        assertThat(back.ring.versions()).hasSize(3);
        assertThat(back.breaches()).isEmpty();
    }

    private static Play rolling() {
        var spec = Specs.withResources(Given.spec(Play.REF, 3, "3.5.16"));
        var play = new Play(Worlds.ring().version("3.5.16").members(3).leader(0).build(), spec);
        play.world.faults(Play.REF).podQuota(2);
        return play;
    }

    @Test
    void lendsSlotWhileWaitingAndTakesItBackBeforeChange() throws Exception {
        var play = founding();
        play.world.faults(Play.REF).podQuota(1);
        var said = new ArrayList<String>();
        var turn = new RolloutSlot() {
            private int refused;

            @Override
            public void lend() {
                if (!said.contains("lent")) {
                    said.add("lent");
                    play.world.faults(Play.REF).podQuota(9);
                }
            }

            @Override
            public boolean regain() {
                said.add(refused++ < 3 ? "refused" : "regained");
                return refused > 3;
            }
        };

        var result = ScopedValue.where(RolloutSlot.MINE, turn).call(() -> play.once(FaultHook.NONE));

        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.DONE);
        assertThat(said).startsWith("lent", "refused", "refused", "refused", "regained");
    }

    private static ClusterResult endsWithin(Play play, Duration time) {
        var began = play.world.instant();
        var result = play.once(FaultHook.NONE);
        assertThat(result.outcome()).as(result.detail()).isEqualTo(Outcome.FAILED);
        assertThat(Duration.between(began, play.world.instant())).isLessThan(time);
        return result;
    }

    private static Play founding() {
        return new Play(new FakeWorld(), Given.spec(Play.REF, 3, "3.5.16"));
    }
}
