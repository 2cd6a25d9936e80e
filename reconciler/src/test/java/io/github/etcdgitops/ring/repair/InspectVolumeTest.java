package io.github.etcdgitops.ring.repair;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Inspection.Outcome;
import io.github.etcdgitops.state.underway.Inspections;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class InspectVolumeTest {
    private static final Instant AT = Instant.parse("2026-01-02T03:04:05Z");
    private static final InspectVolume LOOK = new InspectVolume(ORDERS, new EtcdId(31), 1, "uid-b", Optional.empty());

    private static FakeWorld world(Consumer<Faults> deed) {
        var world = Given.ring("demo", "orders").members(3).build();
        deed.accept(world.faults(ORDERS));
        world.tick(20);
        return world;
    }

    private static FakeWorld lost() {
        return world(faults -> {
            faults.unplace(1);
            faults.unplace(2);
        });
    }

    private static ClusterState state(FakeWorld world) {
        return fresh(world, spec(3));
    }

    private static List<Integer> offered(FakeWorld world) {
        return InspectVolume.detect(state(world)).stream()
                .map(InspectVolume::ordinal)
                .toList();
    }

    private static String claimUid(FakeWorld world, int ordinal) {
        return state(world)
                .kube()
                .claims()
                .optional()
                .orElseThrow()
                .get(ordinal)
                .uid();
    }

    private static void found(FakeWorld world, int ordinal, String seen, Outcome outcome) {
        world.faults(ORDERS).inspected(ordinal, new Inspection(claimUid(world, ordinal), AT, seen, outcome));
    }

    @Test
    void inspectsVolumesOfStoppedMembers() {
        assertThat(offered(lost())).containsExactly(1, 2);
    }

    @Test
    void inspectsNoVolumeWhileRingHasQuorum() {
        assertThat(offered(world(_ -> {}))).isEmpty();
        assertThat(offered(world(faults -> faults.unplace(1)))).isEmpty();
    }

    /// Kubernetes says of them that they run, and did not hear of them for long.
    @Test
    void membersOnMachinesThatWentSilentMayRun() {
        assertThat(offered(world(faults -> {
                    faults.silence(1);
                    faults.stop(2);
                })))
                .isEmpty();
    }

    @Test
    void doesNotInspectLostOrForeignVolumes() {
        assertThat(offered(world(faults -> {
                    faults.loseVolume(1);
                    faults.unplace(2);
                })))
                .containsExactly(2);
        assertThat(offered(world(faults -> {
                    faults.exchangeClaim(1);
                    faults.unplace(2);
                })))
                .containsExactly(2);
    }

    @Test
    void neverInspectsVolumeAgainBeforeMemberStarts() {
        var world = lost();
        found(world, 1, Inspections.seen(state(world), 1), new Outcome.Told(7, Optional.empty()));
        found(world, 2, "another/0", new Outcome.Told(7, Optional.empty()));

        assertThat(InspectVolume.detect(state(world))).singleElement().satisfies(again -> {
            assertThat(again.ordinal()).isEqualTo(2);
            assertThat(again.before()).contains(AT);
        });
    }

    @Test
    void inspectsUnreadableVolumeAgainAsAnotherOperation() {
        var world = lost();
        var first = InspectVolume.detect(state(world)).getFirst();
        found(world, 1, Inspections.seen(state(world), 1), new Outcome.Unreadable("no node takes the pod"));

        var again = InspectVolume.detect(state(world)).getFirst();

        assertThat(again.ordinal()).isEqualTo(1);
        assertThat(again.id()).isNotEqualTo(first.id());
        assertThat(again.reason()).contains("its inspection at 2026-01-02T03:04:05Z");
    }

    /// It is about this claim, and not about what was found on another one that was there before.
    @Test
    void ignoresInspectionOfAnotherClaim() {
        var world = lost();
        world.faults(ORDERS)
                .inspected(
                        1,
                        new Inspection(
                                "uid-of-before",
                                AT,
                                Inspections.seen(state(world), 1),
                                new Outcome.Told(7, Optional.empty())));

        assertThat(InspectVolume.detect(state(world)).getFirst().before()).isEmpty();
    }

    @Test
    void needsApprovalAndChangesNothing() {
        assertThat(LOOK.consent()).isEqualTo(Consent.NEEDED);
        assertThat(LOOK.risk()).isEqualTo(Risk.LOW);
        assertThat(LOOK.changesRing()).isFalse();
        assertThat(LOOK.heals()).isFalse();
        assertThat(LOOK.steps()).singleElement().satisfies(step -> {
            assertThat(step).isEqualTo(new InspectStep(1, "uid-b", Optional.empty(), LOOK.id()));
            assertThat(step.gate()).isEqualTo(Step.Gate.UNSUSPENDED);
            assertThat(step.apply(RingModel.EMPTY)).isEqualTo(RingModel.EMPTY);
            assertThat(step.text(ORDERS)).startsWith("Copy the data on the volume of orders-1 in a Job");
            assertThat(step.undo(ORDERS)).startsWith("changes nothing");
        });
    }
}
