package io.github.etcdgitops.worlds;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.execute.progress.ClusterResult.Outcome;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.state.Expansion;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Volumes that nobody makes, since their storage class is only a name.
class StorageClassPlaysTest {
    private static final String GONE = "gone";

    @Test
    void reportsMissingClassBeforeAnyChange() {
        var play = founding();

        assertThat(play.plan().operations())
                .singleElement()
                .satisfies(o -> assertThat(o.operation().kind()).isEqualTo("BootstrapCluster"));
        assertThat(play.plan().findings())
                .filteredOn(f -> f.code().equals("storage-class-missing"))
                .singleElement()
                .satisfies(f -> assertThat(f.level()).isEqualTo(Finding.Level.WARNING))
                .satisfies(f -> assertThat(f.message()).contains("the StorageClass gone does not exist"));
        assertThat(play.world.acts()).isEmpty();
    }

    @Test
    void existingOrUnreadableClassIsNoProblem() {
        for (var known : new Expansion[] {Expansion.ALLOWED, Expansion.NOT_ALLOWED, Expansion.NOT_FOR_US_TO_READ}) {
            var play = founding();
            play.world.volumes().storageClass(GONE, known);

            assertThat(play.plan().findings()).noneMatch(f -> f.code().equals("storage-class-missing"));
        }
    }

    @Test
    void waitNamesCauseAndEndsEarly() {
        var play = founding();
        var began = play.world.instant();

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail())
                .contains(
                        "the claim data-orders-0 is Pending: there is no StorageClass gone",
                        "it will not start by itself");
        assertThat(Duration.between(began, play.world.instant())).isLessThan(Duration.ofMinutes(3));
    }

    @Test
    void waitsLongerForPendingProvisioner() {
        var play = founding();
        play.world.volumes().storageClass(GONE, Expansion.ALLOWED);
        var began = play.world.instant();

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail())
                .contains("the claim data-orders-0 is Pending", "orders-0: Unschedulable: pod has unbound immediate")
                .contains("that has not changed for 4 min");
        assertThat(Duration.between(began, play.world.instant()))
                .isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
    }

    @Test
    void joiningMemberWaitsNoLonger() {
        var world = Worlds.ring().version("3.5.16").members(3).leader(0).build();
        world.volumes().noClass("standard");
        world.volumes().forget("standard");
        var play = new Play(world, Specs.inClass(Given.spec(Play.REF, 4, "3.5.16"), "standard"));
        var began = world.instant();

        var result = play.once(FaultHook.NONE);

        assertThat(result.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(result.detail()).contains("data-orders-3 is Pending");
        assertThat(Duration.between(began, world.instant())).isLessThan(Duration.ofMinutes(11));
        assertThat(play.breaches()).isEmpty();
    }

    private static Play founding() {
        var world = new FakeWorld();
        world.volumes().noClass(GONE);
        return new Play(world, Specs.inClass(Given.spec(Play.REF, 3, "3.5.16"), GONE));
    }
}
