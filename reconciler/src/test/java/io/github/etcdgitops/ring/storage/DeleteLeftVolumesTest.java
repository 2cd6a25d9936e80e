package io.github.etcdgitops.ring.storage;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static io.github.etcdgitops.observe.Reading.fresh;
import static io.github.etcdgitops.observe.Reading.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.ring.Operation.Consent;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.ring.storage.DeleteLeftVolumes.Stage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ClusterState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DeleteLeftVolumesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Duration WEEK = Duration.ofDays(7);
    private static final EtcdClusterSpec DELETING = Specs.deletingLeft(spec(3), WEEK);

    @Test
    void deletesWhatWasLeftLongAgoAndDatesWhatHasNoDate() {
        var state = ring(faults -> {
            faults.departed(3, NOW.minus(WEEK));
            faults.departed(4, NOW.minus(WEEK).plusSeconds(1));
            faults.departed(5, null);
        });

        var found = DeleteLeftVolumes.detect(DELETING, state, 3, NOW);

        assertThat(found).map(DeleteLeftVolumes::stage).containsExactly(Stage.DATE, Stage.DELETE);
        assertThat(found.get(0).claims()).containsOnlyKeys(5);
        assertThat(found.get(1).claims()).containsOnlyKeys(3);
    }

    @Test
    void keepsEverythingWhereTheDocumentSaysNothingOrAnotherSize() {
        var state = left();

        assertThat(DeleteLeftVolumes.detect(spec(3), state, 3, NOW)).isEmpty();
        assertThat(DeleteLeftVolumes.detect(Specs.deletingLeft(spec(4), WEEK), state, 3, NOW))
                .isEmpty();
        assertThat(DeleteLeftVolumes.detect(DELETING, state, 3, NOW)).hasSize(1);
    }

    @Test
    void keepsWhatAMemberOrAPodHas() {
        var state = fresh(
                Given.ring("demo", "orders")
                        .members(5)
                        .byHand(faults -> faults.departed(4, NOW.minus(WEEK)))
                        .build(),
                spec(5));

        assertThat(LeftStep.needed(4, 5, state))
                .hasValueSatisfying(why -> assertThat(why).contains("orders-4 has the claim data-orders-4"));
        assertThat(LeftStep.needed(4, 3, state))
                .hasValueSatisfying(why -> assertThat(why).contains("orders-4 has the claim data-orders-4"));
        assertThat(LeftStep.needed(3, 3, state)).isPresent();
    }

    @Test
    void keepsClaimsThatAreNotTheRings() {
        var state = ring(faults -> {
            faults.departed(3, NOW.minus(WEEK));
            faults.takeOverClaim(3);
        });

        assertThat(LeftStep.needed(3, 3, state)).isPresent();
    }

    @Test
    void keepsThemWhileAChangeIsUnderWayOrTheRingIsNotOfThatSize() {
        var begun = ring(faults -> {
            faults.inReplacement(1);
            faults.departed(3, NOW.minus(WEEK));
        });

        assertThat(LeftStep.needed(3, 3, begun)).isPresent();
        assertThat(LeftStep.needed(3, 2, left())).isPresent();
        assertThat(LeftStep.needed(3, 3, left())).isEmpty();
    }

    @Test
    void stepsAskAgainRightBeforeTheyAct() {
        var left = left();
        var claims = new TreeMap<>(
                Map.of(3, left.kube().claims().optional().orElseThrow().get(3).uid()));
        List<LeftStep> steps =
                List.of(new LeftStep.DateDepartures(3, claims), new LeftStep.DeleteLeftClaims(3, claims));

        assertThat(steps).allSatisfy(step -> {
            assertThat(step.gate()).isEqualTo(Step.Gate.GREEN);
            assertThat(step.obstacle(left)).isEmpty();
            assertThat(step.obstacle(ClusterState.unread(ORDERS, "HTTP 500"))).isPresent();
        });
        assertThat(new LeftStep.DeleteLeftClaims(2, claims).obstacle(left)).isPresent();
        var undated = ring(faults -> faults.departed(3, null));
        var uid = undated.kube().claims().optional().orElseThrow().get(3).uid();
        assertThat(new LeftStep.DeleteLeftClaims(3, new TreeMap<>(Map.of(3, uid))).obstacle(undated))
                .hasValueSatisfying(why -> assertThat(why).contains("has no departure date"));
    }

    @Test
    void deletionIsPermittedByDocumentAndNeedsBackup() {
        var delete = new DeleteLeftVolumes(ORDERS, 3, new TreeMap<>(Map.of(3, "uid-7")), Stage.DELETE);
        var date = new DeleteLeftVolumes(ORDERS, 3, new TreeMap<>(Map.of(3, "uid-7")), Stage.DATE);

        assertThat(delete.risk()).isEqualTo(Risk.DESTRUCTIVE);
        assertThat(delete.consent()).isEqualTo(Consent.PERMITTED);
        assertThat(delete.needsBackup()).isTrue();
        assertThat(date.risk()).isEqualTo(Risk.LOW);
        assertThat(date.needsBackup()).isFalse();
        assertThat(date.id()).isNotEqualTo(delete.id());
    }

    private static ClusterState left() {
        return ring(faults -> faults.departed(3, NOW.minus(WEEK)));
    }

    private static ClusterState ring(Consumer<Faults> byHand) {
        return fresh(Given.ring("demo", "orders").byHand(byHand).build(), spec(3));
    }
}
