package io.github.etcdgitops.execute.lease;

import static io.github.etcdgitops.observe.Reading.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.execute.lease.ClusterLease.Attempt;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterLeaseTest {
    private final FakeWorld world = Given.ring("demo", "orders").build();

    private Attempt acquire(String holder, long floor, boolean gone) {
        return acquire(holder, floor, gone, world);
    }

    /// By somebody whose clock is another one.
    private Attempt acquire(String holder, long floor, boolean gone, Timepiece clock) {
        return acquire(world, holder, floor, gone, clock);
    }

    private static Attempt acquire(FakeWorld world, String holder, long floor, boolean gone, Timepiece clock) {
        var applicant = new ClusterLease.Applicant(holder, _ -> gone, clock, world::sleep);
        return ClusterLease.acquire(world.kubernetes(), ORDERS, applicant, floor);
    }

    /// A clock on the wall that is so far off.
    private Timepiece off(Duration duration) {
        return Timepiece.of(() -> world.instant().plus(duration), world::nanos);
    }

    private ClusterLease held(String holder) {
        return assertHeld(acquire(holder, 0, false));
    }

    private static ClusterLease assertHeld(Attempt attempt) {
        assertThat(attempt).isInstanceOf(Attempt.Held.class);
        return ((Attempt.Held) attempt).lease();
    }

    @Test
    void isTakenWhenFree() {
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
    void isTakenOverAfterAMinuteWithoutRenewal() {
        held("a");

        world.tick(120);
        assertThat(acquire("b", 0, false)).isEqualTo(new Attempt.Busy("a"));
        world.tick(1);
        long began = world.ticks();
        assertThat(assertHeld(acquire("b", 0, false)).epoch()).isEqualTo(2);
        assertThat(world.ticks() - began).isEqualTo(60);
    }

    /// The holder renews it all the time; only whose clock is right nobody can see.
    @ParameterizedTest
    @ValueSource(longs = {-3600, 3600})
    void isNotTakenFromAHolderWhoseClockIsAnHourOff(long seconds) {
        var lease = assertHeld(acquire("a", 0, false, off(Duration.ofSeconds(seconds))));
        var applicant = new ClusterLease.Applicant("b", _ -> false, world, time -> {
            world.sleep(time);
            lease.keep();
        });

        var attempt = ClusterLease.acquire(world.kubernetes(), ORDERS, applicant, 0);

        assertThat(attempt).isEqualTo(new Attempt.Busy("a"));
        lease.prove();
    }

    @ParameterizedTest
    @ValueSource(longs = {-3600, 3600})
    void isTakenFromAHolderThatIsNoMoreWhateverItsClockSaid(long seconds) {
        assertHeld(acquire("a", 0, false, off(Duration.ofSeconds(seconds))));

        assertThat(assertHeld(acquire("b", 0, false)).taken()).isTrue();
    }

    /// Somebody sets the clock back while the holder works.
    @Test
    void isRenewedByTheTimeThatWentByWhereTheClockIsSetBack() {
        var wall = new AtomicReference<>(world.instant());
        var lease = assertHeld(acquire("a", 0, false, Timepiece.of(wall::get, world::nanos)));
        wall.set(world.instant().minusSeconds(3600));
        world.tick(25);
        int calls = world.calls();

        lease.keep();

        assertThat(world.calls()).isEqualTo(calls + 1);
    }

    @Test
    void holderThatLostLeaseDuringSuspendIsFenced() {
        var asleep = new AtomicLong();
        var lease = assertHeld(acquire("a", 0, false, Timepiece.of(world, () -> world.nanos() - asleep.get())));
        long before = world.nanos();
        world.tick(180);
        asleep.set(world.nanos() - before);
        assertHeld(acquire("b", 0, false));

        assertThatExceptionOfType(Fenced.class).isThrownBy(lease::keep).withMessageContaining("taken over");
    }

    @Test
    void proofIsAskedForEvenWhereItWasJustRenewed() {
        var lease = held("a");
        assertHeld(acquire("b", 0, true));

        assertThatCode(lease::keep).doesNotThrowAnyException();
        assertThatExceptionOfType(Fenced.class).isThrownBy(lease::prove).withMessageContaining("taken over");
    }

    /// Whoever takes it waits for ten seconds and a call: an answer that took longer proves nothing.
    @Test
    void lateProofDoesNotCount() {
        var lease = held("a");
        world.ticksPerCall(11);

        assertThatExceptionOfType(Fenced.class).isThrownBy(lease::prove).withMessageContaining("within 10 s");
    }

    @Test
    void noProofIsGivenWithoutTheApiServer() {
        var lease = held("a");
        world.apiDown();

        assertThatExceptionOfType(Fenced.class).isThrownBy(lease::prove);
    }

    @Test
    void raisesEpochAboveJournal() {
        assertThat(assertHeld(acquire("a", 41, false)).epoch()).isEqualTo(42);
    }

    @Test
    void refusesToTakeALeaseThatWasTakenOverAsOftenAsCanBeCounted() {
        assertThatThrownBy(() -> acquire("a", Integer.MAX_VALUE, false))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("spec.leaseTransitions 2147483647");
    }

    @Test
    void takesLeaseThatEndsAtMaximumTimeWhenNotRenewed() {
        var late = new LeaseState(
                Optional.of("b"), Instant.parse("9999-12-31T23:59:59Z"), Integer.MAX_VALUE, 1, Optional.empty());
        world.kubernetes().writeLease(ORDERS, late, Optional.empty());

        assertThat(assertHeld(acquire("a", 0, false)).epoch()).isEqualTo(2);
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
    void holderThatLostLeaseIsFenced() {
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
    void holderThatCannotRenewIsFencedBeforeTakeover() {
        var lease = held("a");
        world.apiDown();

        world.tick(25);
        assertThatCode(lease::keep).doesNotThrowAnyException();
        world.tick(10);

        assertThatExceptionOfType(Fenced.class).isThrownBy(lease::keep).withMessageContaining("could not be renewed");
    }

    /// The API server took the renewal and was gone before it could say so.
    @Test
    void lostAnswerToRenewalStillRenews() {
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
    void failedReleaseOfLeaseIsIgnored() {
        var lease = held("a");
        world.apiDown();

        assertThatCode(lease::release).doesNotThrowAnyException();
    }

    @Test
    void takesLongExpiredLease() {
        var old = new LeaseState(Optional.of("old"), world.instant().minusSeconds(3600), 60, 7, Optional.of("1"));
        var other = Given.ring("demo", "orders").lease(old).build();

        var attempt = acquire(other, "a", 0, false, other);

        assertThat(assertHeld(attempt).epoch()).isEqualTo(8);
    }
}
