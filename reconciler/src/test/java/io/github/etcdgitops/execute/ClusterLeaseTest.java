package io.github.etcdgitops.execute;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.execute.ClusterLease.Attempt;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterLeaseTest {
    private final FakeWorld world = Given.ring("demo", "orders").build();

    private Attempt acquire(String holder, long floor, boolean gone) {
        return ClusterLease.acquire(world.kubernetes(), world, ORDERS, holder, floor, _ -> gone);
    }

    private ClusterLease held(String holder) {
        return assertHeld(acquire(holder, 0, false));
    }

    private static ClusterLease assertHeld(Attempt attempt) {
        assertThat(attempt).isInstanceOf(Attempt.Held.class);
        return ((Attempt.Held) attempt).lease();
    }

    @Test
    void isTakenWhenNobodyHasIt() {
        assertThat(held("a").epoch()).isEqualTo(1);
    }

    @Test
    void isBusyWhileItsHolderLives() {
        held("a");

        assertThat(acquire("b", 0, false)).isEqualTo(new Attempt.Busy("a"));
    }

    @Test
    void isTakenOverAtOnceWhenItsHolderIsGone() {
        held("a");

        assertThat(assertHeld(acquire("b", 0, true)).epoch()).isEqualTo(2);
    }

    @Test
    void isTakenOverWhenItRanOutTwice() {
        held("a");

        world.tick(120);
        assertThat(acquire("b", 0, false)).isEqualTo(new Attempt.Busy("a"));
        world.tick(1);
        assertThat(assertHeld(acquire("b", 0, false)).epoch()).isEqualTo(2);
    }

    @Test
    void theEpochIsHigherThanTheJournalsToo() {
        assertThat(assertHeld(acquire("a", 41, false)).epoch()).isEqualTo(42);
    }

    @Test
    void refusesToTakeALeaseThatWasTakenOverAsOftenAsCanBeCounted() {
        assertThatThrownBy(() -> acquire("a", Integer.MAX_VALUE, false))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("spec.leaseTransitions 2147483647");
    }

    @Test
    void saysThatAHolderIsAheadOfItsTime() {
        var late = new LeaseState(
                Optional.of("b"), Instant.parse("9999-12-31T23:59:59Z"), Integer.MAX_VALUE, 1, Optional.empty());
        world.kubernetes().writeLease(ORDERS, late, Optional.empty());

        assertThat(acquire("a", 0, false))
                .isInstanceOfSatisfying(
                        Attempt.Busy.class,
                        busy -> assertThat(busy.holder())
                                .contains("after 9999-12-31T23:59:59Z. If that run is gone, delete the Lease"));
    }

    @Test
    void isFreeAfterARelease() {
        held("a").release();

        assertThat(held("b").epoch()).isEqualTo(2);
    }

    @Test
    void isKeptWhileItIsRenewed() {
        var lease = held("a");

        for (int i = 0; i < 20; i++) {
            world.tick(25);
            lease.keep();
        }

        assertThat(acquire("b", 0, false)).isEqualTo(new Attempt.Busy("a"));
    }

    @Test
    void isNotRenewedBeforeAThirdOfItsTimeIsOver() {
        var lease = held("a");
        int calls = world.calls();

        world.tick(19);
        lease.keep();

        assertThat(world.calls()).isEqualTo(calls);
    }

    @Test
    void whoLostItIsFenced() {
        var lease = held("a");
        held(acquireOver());

        world.tick(25);

        assertThatExceptionOfType(Fenced.class).isThrownBy(lease::keep).withMessageContaining("taken over");
    }

    /// Somebody takes the Lease from a holder that only seemed gone, and lets it go.
    private String acquireOver() {
        assertHeld(acquire("b", 0, true)).release();
        return "c";
    }

    @Test
    void whoCannotRenewIsFencedBeforeAnybodyMayTakeOver() {
        var lease = held("a");
        world.apiDown();

        world.tick(25);
        assertThatCode(lease::keep).doesNotThrowAnyException();
        world.tick(10);

        assertThatExceptionOfType(Fenced.class).isThrownBy(lease::keep).withMessageContaining("could not be renewed");
    }

    /// The API server took the renewal and was gone before it could say so.
    @Test
    void aRenewalWhoseAnswerWasLostIsOurs() {
        var lease = held("a");
        world.tick(25);
        var live = world.kubernetes().readLease(ORDERS).orElseThrow();
        var renewed = new LeaseState(live.holder(), world.instant(), 60, live.transitions(), Optional.empty());
        world.kubernetes().writeLease(ORDERS, renewed, live.resourceVersion());

        assertThatCode(lease::keep).doesNotThrowAnyException();
        world.tick(25);
        assertThatCode(lease::keep).doesNotThrowAnyException();
    }

    @Test
    void aFailedReleaseIsOfNoConsequence() {
        var lease = held("a");
        world.apiDown();

        assertThatCode(lease::release).doesNotThrowAnyException();
    }

    @Test
    void aLeaseOfALongGoneRunIsTaken() {
        var old = new LeaseState(Optional.of("old"), world.instant().minusSeconds(3600), 60, 7, Optional.of("1"));
        var other = Given.ring("demo", "orders").lease(old).build();

        var attempt = ClusterLease.acquire(other.kubernetes(), other, ORDERS, "a", 0, _ -> false);

        assertThat(assertHeld(attempt).epoch()).isEqualTo(8);
    }
}
