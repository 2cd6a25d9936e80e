package io.github.etcdgitops.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.Intent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FakeWorldTest {
    private static final ClusterRef REF = new ClusterRef("demo", "orders");

    private static Given given() {
        return Given.ring("demo", "orders");
    }

    private static Hands hands(Given given) {
        return new Hands(given.build(), REF);
    }

    @Test
    void timePassesOnlyByWaiting() {
        var world = given().build();
        Instant before = world.instant();

        world.kubernetes().read(REF, 3);
        assertThat(world.instant()).isEqualTo(before);
        world.sleep(Duration.ofMillis(1500));
        assertThat(world.instant()).isEqualTo(before.plusSeconds(2));
    }

    @Test
    void isDeterministicForSameCalls() {
        var one = grown();
        var two = grown();

        assertThat(two.world.acts()).isEqualTo(one.world.acts());
        assertThat(two.world.calls()).isEqualTo(one.world.calls());
        assertThat(two.read()).isEqualTo(one.read());
        assertThat(two.probe(0)).isEqualTo(one.probe(0));
    }

    private static Hands grown() {
        var hands = hands(given());
        hands.join(3);
        return hands;
    }

    @Test
    void appliesCallOnlyIfCrashComesAfterIt() {
        var before = hands(given());
        var after = hands(given());
        before.world.crashBeforeCall(2);
        after.world.crashAfterCall(2);

        assertThatThrownBy(() -> before.addLearner(3)).isInstanceOf(Crash.class);
        assertThatThrownBy(() -> after.addLearner(3)).isInstanceOf(Crash.class);

        assertThat(before.ring.learners()).isEmpty();
        assertThat(after.ring.learners()).containsExactly(3);
    }

    @Test
    void survivesCrashAndLetsNewRunContinue() {
        var hands = hands(given());
        hands.world.crashAfterCall(2);
        assertThatThrownBy(() -> hands.addLearner(3)).isInstanceOf(Crash.class);
        long written = hands.ring.acknowledged();

        hands.world.tick(5);
        hands.remove(3);
        hands.join(3);

        assertThat(hands.ring.acknowledged()).isGreaterThan(written);
        assertThat(hands.ring.voters()).containsExactly(0, 1, 2, 3);
        assertThat(hands.world.oracle().breaches()).isEmpty();
    }

    @Test
    void everyCallOfAPlayCanBeTheLast() {
        var whole = hands(given());
        whole.join(3);
        int calls = whole.world.calls();

        for (int call = 1; call <= calls; call++) {
            var hands = hands(given());
            hands.world.crashAfterCall(call);
            assertThatThrownBy(() -> hands.join(3)).isInstanceOf(Crash.class);
            assertThat(hands.world.calls()).isEqualTo(call);
        }
        assertThat(calls).isGreaterThan(10);
    }

    @Test
    void appliesCallWhoseAnswerIsLost() {
        var hands = hands(given());
        hands.world.loseAnswerOfCall(2);

        var failure = catchThrowableOfType(GatewayException.class, () -> hands.addLearner(3));

        assertThat(failure.mayHaveHappened()).isTrue();
        assertThat(hands.ring.learners()).containsExactly(3);
    }

    @Test
    void injectsFaultBetweenTwoCalls() {
        var hands = hands(given());
        var evicted = new ArrayList<Boolean>();
        hands.world.beforeCall(3, () -> evicted.add(hands.faults.evict(1)));

        hands.read();
        hands.read();
        assertThat(hands.pod(1).terminating()).isTrue();

        assertThat(evicted).containsExactly(true);
    }

    @Test
    void ringsOfOneWorldDoNotTouchEachOther() {
        var world = given().build();
        Given.ring("demo", "payments").members(1).version("3.4.23").build(world);
        var payments = new Hands(world, new ClusterRef("demo", "payments"));

        payments.join(1);

        assertThat(payments.ring.voters()).containsExactly(0, 1);
        assertThat(world.look(REF).voters()).containsExactly(0, 1, 2);
        assertThat(world.kubernetes().list()).hasSize(2);
        assertThat(world.oracle().breaches()).isEmpty();
    }

    @Test
    void buildsGivenRingGreenAndInSync() {
        var hands = hands(given().members(5).leader(3));

        assertThat(hands.ring.leader()).contains(3);
        assertThat(hands.ring.readyPods()).containsExactly(0, 1, 2, 3, 4);
        assertThat(hands.ring.minAvailable()).contains(3);
        assertThat(hands.ring.unsealed()).isEmpty();
        assertThat(hands.kubernetes.drift(hands.read(), hands.objects(3))).isEmpty();
        assertThat(hands.ring.journal().orElseThrow().members().get(4).id()).contains(hands.id(4));
        assertThat(hands.addLearner(5)).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void everyStageOfAJoinIsAWorldOfItsOwn(Stage.Join stage) {
        for (String version : List.of("3.3.25", "3.5.16")) {
            var hands = hands(given().version(version).inJoin(stage));
            hands.world.tick(20);

            assertThat(hands.world.oracle().breaches()).isEmpty();
            assertThat(hands.ring.journal().orElseThrow().intent().orElseThrow().kind())
                    .isEqualTo(Intent.Kind.JOIN);
            assertThat(hands.ring.up().contains(3)).isEqualTo(stage.compareTo(Stage.Join.SCALED) >= 0);
            assertThat(hands.ring.voters().contains(3))
                    .isEqualTo(stage.compareTo(version.equals("3.3.25") ? Stage.Join.ADDED : Stage.Join.PROMOTED) >= 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyStageOfADepartureIsAWorldOfItsOwn(Stage.Leave stage) {
        var hands = hands(given().leader(2).inLeave(stage));
        hands.world.tick(20);

        assertThat(hands.world.oracle().breaches()).isEmpty();
        assertThat(hands.ring.hasQuorum()).isTrue();
        assertThat(hands.ring.voters().contains(2)).isEqualTo(stage.compareTo(Stage.Leave.REMOVED) < 0);
        assertThat(hands.ring.pods().contains(2)).isEqualTo(stage.compareTo(Stage.Leave.SHRUNK) < 0);
    }

    @ParameterizedTest
    @EnumSource
    void everyStageOfAFoundingIsAWorldOfItsOwn(Stage.Found stage) {
        var hands = hands(given().inFounding(stage));
        hands.world.tick(20);

        assertThat(hands.world.oracle().breaches()).isEmpty();
        assertThat(hands.ring.journal().orElseThrow().founded()).isEqualTo(stage.compareTo(Stage.Found.RECORDED) >= 0);
        assertThat(hands.ring.hasQuorum()).isEqualTo(stage.compareTo(Stage.Found.CREATED) >= 0);
        assertThat(hands.ring.configs().values().stream().allMatch(MemberConfig::sealed))
                .isEqualTo(stage.compareTo(Stage.Found.CONFIGURED) < 0 || stage.compareTo(Stage.Found.SEALED) >= 0);
    }

    @Test
    void worldShowsManualChanges() {
        var hands = hands(given().scaledByHand(4).partitionByHand(1).without(ManagedObject.CONNECTION));

        assertThat(hands.ring.replicas()).isEqualTo(4);
        assertThat(hands.statefulSet().rollout().partition()).isEqualTo(1);
        assertThat(hands.ring.pods()).contains(3);
        assertThat(hands.ring.up()).doesNotContain(3);
    }
}
