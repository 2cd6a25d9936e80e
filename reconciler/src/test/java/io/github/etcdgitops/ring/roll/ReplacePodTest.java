package io.github.etcdgitops.ring.roll;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What the pod of a member that is away is asked for before it is replaced.
class ReplacePodTest {
    private static Optional<String> obstacle(Consumer<Faults> others) {
        var world = Given.ring("demo", "orders").build();
        world.faults(ORDERS).stop(2);
        others.accept(world.faults(ORDERS));
        return new UnrollStep.ReplacePod(2).obstacle(fresh(world, spec(3)));
    }

    @Test
    void plansNothingWhereOtherMembersAreKnown() {
        assertThat(obstacle(_ -> {})).isEmpty();
        assertThat(obstacle(faults -> faults.stop(1))).isEmpty();
    }

    @Test
    void holdsWhileMemberWithReadyPodDoesNotAnswer() {
        String why = " is ready and does not answer etcd-gitops, so its state is unknown";
        assertThat(obstacle(faults -> faults.hideFromUs(1))).contains("orders-1" + why);
        assertThat(obstacle(faults -> faults.hideFromUs(0))).contains("orders-0" + why);
    }

    /// Nobody is left who could name the members, and pods tell who may serve.
    @Test
    void countsUnreadableRingByItsPods() {
        assertThat(obstacle(faults -> {
                    faults.hideFromUs(1);
                    faults.stop(0);
                }))
                .isPresent();
        assertThat(obstacle(faults -> {
                    faults.stop(1);
                    faults.stop(0);
                }))
                .isEmpty();
    }
}
