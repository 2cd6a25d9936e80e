package io.github.etcdgitops.ring;

import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.state.ClaimPhase;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.VolumeState;
import io.github.etcdgitops.state.value.Observed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// What is asked of claims, whatever state somebody may find them in.
class VolumeGrowthTest {
    private static final EtcdClusterSpec LARGER = Specs.withStorage(spec(3), "2Gi");

    /// A ring of three with claims of 1Gi, of which one is another.
    private static KubeState ring(int ordinal, UnaryOperator<ClaimState> change) {
        return ring(Given.ring("demo", "orders").build(), ordinal, change);
    }

    private static KubeState ring(FakeWorld world, int ordinal, UnaryOperator<ClaimState> change) {
        var kube = fresh(world, spec(3)).kube();
        var claims = new TreeMap<>(kube.claims().optional().orElseThrow());
        claims.put(
                ordinal, change.apply(Optional.ofNullable(claims.get(ordinal)).orElseThrow()));
        return new KubeState(
                kube.statefulSet(),
                kube.journal(),
                kube.pods(),
                Observed.known(claims),
                kube.budget(),
                kube.configs(),
                kube.objects());
    }

    private static ClaimState claim(ClaimState c, ClaimPhase phase, boolean ours, VolumeState volume) {
        return new ClaimState(c.name(), c.uid(), phase, ours, false, Optional.empty(), volume);
    }

    private static VolumeState volume(String asked, String capacity, String... conditions) {
        return new VolumeState(new Storage(asked, Optional.of("standard")), Optional.of(capacity), List.of(conditions));
    }

    private static VolumeGrowth growth(EtcdClusterSpec spec, KubeState kube) {
        return VolumeGrowth.of(spec, kube, new TreeMap<>(Map.of("standard", Observed.known(Expansion.ALLOWED))));
    }

    private static void refused(UnaryOperator<ClaimState> change, FindingCode code, String words) {
        var growth = growth(LARGER, ring(1, change));
        assertThat(growth.feasible()).isFalse();
        assertThat(growth.refusals()).extracting(VolumeGrowth.Refusal::code).containsExactly(code);
        assertThat(growth.refusals().getFirst().message()).contains(words);
    }

    @Test
    void neverGrowsUnboundOrForeignClaim() {
        refused(
                c -> claim(c, ClaimPhase.PENDING, true, c.volume()),
                FindingCode.STORAGE_UNKNOWN,
                "data-orders-1 is Pending");
        refused(
                c -> claim(c, ClaimPhase.LOST, true, c.volume()),
                FindingCode.STORAGE_UNKNOWN,
                "describe pvc data-orders-1");
        refused(
                c -> claim(c, ClaimPhase.BOUND, false, c.volume()),
                FindingCode.STORAGE_UNKNOWN,
                "does not have the labels");
        refused(
                c -> new ClaimState(c.name(), c.uid(), ClaimPhase.BOUND, true, true, Optional.empty(), c.volume()),
                FindingCode.STORAGE_UNKNOWN,
                "being deleted");
        var classless = new VolumeState(new Storage("1Gi", Optional.empty()), Optional.of("1Gi"), List.of());
        refused(c -> claim(c, ClaimPhase.BOUND, true, classless), FindingCode.STORAGE_UNKNOWN, "has no storage class");
    }

    @Test
    void neverShrinksClaimEnlargedByHand() {
        refused(
                c -> claim(c, ClaimPhase.BOUND, true, volume("5Gi", "5Gi")),
                FindingCode.STORAGE_SHRINKS,
                "Set it to 5Gi again");
    }

    @Test
    void waitsForClaimThatRequestsEnough() {
        var growth = growth(LARGER, ring(1, c -> claim(c, ClaimPhase.BOUND, true, volume("2Gi", "1Gi", "Resizing"))));

        assertThat(growth.claims()).containsExactly(2, 1, 0);
        assertThat(growth.restarts()).isEmpty();
    }

    @Test
    void growthThatWaitsForPodNeedsRestart() {
        var pending = volume("2Gi", "1Gi", "FileSystemResizePending");

        var growth = growth(LARGER, ring(1, c -> claim(c, ClaimPhase.BOUND, true, pending)));

        assertThat(growth.claims()).containsExactly(2, 0);
        assertThat(growth.restarts()).containsExactly(1);
    }

    /// It was removed by hand, and the StatefulSet scaled in: nobody can restart it.
    @Test
    void memberWithoutPodIsNotRestartedForItsVolume() {
        var world = Given.ring("demo", "orders").build();
        world.faults(LARGER.ref()).removeMemberByHand(2);
        world.faults(LARGER.ref()).scaleByHand(2);
        var pending = volume("2Gi", "1Gi", "FileSystemResizePending");

        var growth = growth(LARGER, ring(world, 2, c -> claim(c, ClaimPhase.BOUND, true, pending)));

        assertThat(growth.claims()).containsExactly(1, 0);
        assertThat(growth.restarts()).isEmpty();
    }

    /// Some drivers tell less than was asked for. Nothing grows there, and nothing is to be done.
    @Test
    void roundingDriverDoesNotCauseEndlessGrowth() {
        var growth = growth(spec(3), ring(1, c -> claim(c, ClaimPhase.BOUND, true, volume("1Gi", "1000Mi"))));

        assertThat(growth.wanted()).isFalse();
        assertThat(growth.feasible()).isTrue();
    }

    @Test
    void classesAreReadOnlyWhereSomethingIsToGrow() {
        var kube = fresh(Given.ring("demo", "orders").build(), spec(3)).kube();

        assertThat(VolumeGrowth.classes(spec(3), kube)).isEmpty();
        assertThat(VolumeGrowth.classes(LARGER, kube)).containsExactly("standard");
        assertThat(fresh(Given.ring("demo", "orders").build(), LARGER).classes())
                .containsOnlyKeys("standard");
    }
}
