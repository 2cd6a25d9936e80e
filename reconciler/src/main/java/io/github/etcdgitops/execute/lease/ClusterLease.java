package io.github.etcdgitops.execute.lease;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/// Ensures one writer per ring. The number of takeovers is the fencing epoch that is written with every
/// change.
///
/// Code that waits or is about to act renews the Lease; it has no thread of its own. Every wait passes
/// through [Poller], and every call is shorter than the time that the Lease must still have when the call
/// starts. The age of the Lease is the larger of the elapsed wall-clock time and the elapsed monotonic
/// time: clocks are set, and machines sleep.
public final class ClusterLease {
    /// How long a holder is considered alive without a renewal.
    static final Duration DURATION = Duration.ofSeconds(60);

    /// How long the API server may take to confirm that the Lease is ours. A later answer has no effect.
    public static final Duration CHECK = Duration.ofSeconds(10);

    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(10);
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final int CHECKS = 3;

    private final KubernetesGateway kube;
    private final Timepiece clock;
    private final ClusterRef ref;
    private final boolean taken;
    private LeaseState state;
    private Moment renewed;

    private ClusterLease(KubernetesGateway kube, Timepiece clock, ClusterRef ref, LeaseState state, boolean taken) {
        this.kube = kube;
        this.clock = clock;
        this.ref = ref;
        this.state = state;
        this.taken = taken;
        this.renewed = Moment.of(clock);
    }

    private record Moment(Instant wall, long nanos) {
        static Moment of(Timepiece clock) {
            return new Moment(clock.instant(), clock.nanos());
        }

        Duration until(Moment later) {
            var wall = Duration.between(this.wall, later.wall);
            var passed = Duration.ofNanos(later.nanos - nanos);
            return wall.compareTo(passed) > 0 ? wall : passed;
        }
    }

    /// The process that asks for the Lease: `gone` says with certainty that another holder no longer
    /// exists, `pause` lets time pass.
    public record Applicant(String holder, Predicate<String> gone, Timepiece clock, Pause pause) {}

    /// The result of an attempt to get the Lease.
    public sealed interface Attempt {
        record Held(ClusterLease lease) implements Attempt {}

        record Busy(String holder) implements Attempt {}
    }

    /// Takes the Lease when it has no holder, when its holder is certainly gone, or when it has expired and
    /// stays unrenewed for another full duration while we watch: the times alone do not show whose clock is
    /// wrong. `floor` is an epoch seen in the journal: the new epoch is higher than both.
    public static Attempt acquire(KubernetesGateway kube, ClusterRef ref, Applicant applicant, long floor) {
        Optional<LeaseState> present = kube.readLease(ref);
        var other = present.flatMap(LeaseState::holder).filter(h -> !h.equals(applicant.holder()));
        if (other.isPresent() && !applicant.gone().test(other.get())) {
            if (alive(present.get(), applicant.clock().instant()) || !abandoned(kube, ref, present.get(), applicant)) {
                return new Attempt.Busy(other.get());
            }
        }
        long epoch =
                epoch(ref, Math.max(floor, present.map(LeaseState::transitions).orElse(0L)));
        var wanted = new LeaseState(
                Optional.of(applicant.holder()),
                applicant.clock().instant(),
                (int) DURATION.toSeconds(),
                epoch,
                Optional.empty());
        try {
            String version = kube.writeLease(ref, wanted, present.flatMap(LeaseState::resourceVersion));
            return new Attempt.Held(
                    new ClusterLease(kube, applicant.clock(), ref, with(wanted, version), other.isPresent()));
        } catch (GatewayException e) {
            if (e.kind() == GatewayException.Kind.CONFLICT) {
                return new Attempt.Busy("another run, which took it first");
            }
            throw e;
        }
    }

    /// By the Lease's own times, which come from another clock. A time far ahead of ours proves nothing.
    private static boolean alive(LeaseState lease, Instant now) {
        boolean ahead = lease.renewed().isAfter(now.plus(CLOCKS_DIFFER));
        return !ahead && !lease.renewed().isBefore(now.minus(DURATION.multipliedBy(2)));
    }

    /// A live holder renews it three times in this time.
    private static boolean abandoned(KubernetesGateway kube, ClusterRef ref, LeaseState seen, Applicant applicant) {
        long began = applicant.clock().nanos();
        while (applicant.clock().nanos() - began < DURATION.toNanos()) {
            applicant.pause().pass(LOOK);
            if (!kube.readLease(ref).equals(Optional.of(seen))) {
                return false;
            }
        }
        return true;
    }

    /// Kubernetes keeps the number of takeovers in 32 bits.
    private static long epoch(ClusterRef ref, long former) {
        if (former >= Integer.MAX_VALUE) {
            throw new GatewayException(
                    GatewayException.Kind.REJECTED,
                    false,
                    "the Lease of " + ref + " has spec.leaseTransitions " + former
                            + ", which is the largest possible number. Set it to the epoch in the ring's journal");
        }
        return former + 1;
    }

    private static LeaseState with(LeaseState lease, String version) {
        return new LeaseState(
                lease.holder(), lease.renewed(), lease.durationSeconds(), lease.transitions(), Optional.of(version));
    }

    public long epoch() {
        return state.transitions();
    }

    /// Whether it was taken over from a holder that did not release it. One of that holder's calls may
    /// still be under way.
    public boolean taken() {
        return taken;
    }

    /// Renews when a third of the time has passed. Throws [Fenced] when another process holds the Lease or
    /// it may have expired.
    public void keep() {
        if (age().compareTo(DURATION.dividedBy(3)) >= 0) {
            renew();
        }
    }

    /// Right before an action that cannot be undone: asks the API server to confirm that the Lease is ours.
    /// Throws [Fenced] when it is not, or when no answer comes in time: a process that takes the Lease over
    /// waits for [#CHECK] and for the call.
    public void prove() {
        for (int check = 0; check < CHECKS; check++) {
            long asked = clock.nanos();
            boolean ours = renew();
            if (ours && clock.nanos() - asked <= CHECK.toNanos()) {
                return;
            }
        }
        throw new Fenced("the API server does not confirm the Lease of " + ref + " within " + CHECK.toSeconds() + " s");
    }

    private Duration age() {
        return renewed.until(Moment.of(clock));
    }

    /// False where the API server did not accept it, and may accept the next one.
    private boolean renew() {
        var now = Moment.of(clock);
        var wanted = new LeaseState(
                state.holder(), now.wall(), state.durationSeconds(), state.transitions(), Optional.empty());
        try {
            state = with(wanted, renew(wanted));
            renewed = now;
            return true;
        } catch (GatewayException e) {
            if (e.kind() == GatewayException.Kind.CONFLICT || e.kind() == GatewayException.Kind.NOT_FOUND) {
                throw new Fenced("the Lease of " + ref + " was taken over or deleted");
            }
            if (age().compareTo(DURATION.dividedBy(2)) > 0) {
                throw new Fenced("the Lease of " + ref + " could not be renewed: " + e.getMessage());
            }
            return false;
        }
    }

    /// The answer to a renewal may have been lost, so the Lease may be newer than we know. It is ours as
    /// long as holder and epoch are ours: no other process writes both.
    private String renew(LeaseState wanted) {
        try {
            return kube.writeLease(ref, wanted, state.resourceVersion());
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.CONFLICT) {
                throw e;
            }
            var live = kube.readLease(ref).filter(this::isOurs).orElseThrow(() -> e);
            return kube.writeLease(ref, wanted, live.resourceVersion());
        }
    }

    private boolean isOurs(LeaseState live) {
        return live.holder().equals(state.holder()) && live.transitions() == state.transitions();
    }

    /// Releases the Lease. A failure does no harm: the Lease expires.
    public void release() {
        var free = new LeaseState(
                Optional.empty(), clock.instant(), state.durationSeconds(), state.transitions(), Optional.empty());
        try {
            kube.writeLease(ref, free, state.resourceVersion());
        } catch (GatewayException _) {
            // It expires.
        }
    }
}
