package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.spec.ClusterRef;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Predicate;

/// One writer per ring. The number of takeovers is the fencing epoch that is written beside every change.
///
/// Renewed by whoever waits or is about to act, without a thread of its own: every wait passes through [Poller],
/// every call is shorter than what must be left of the Lease before it starts.
public final class ClusterLease {
    /// How long a holder is believed without a sign of life.
    static final Duration DURATION = Duration.ofSeconds(60);

    private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(10);
    private static final int LONGEST_SECONDS = 3600;

    private final KubernetesGateway kube;
    private final InstantSource clock;
    private final ClusterRef ref;
    private LeaseState state;
    private Instant renewed;

    private ClusterLease(KubernetesGateway kube, InstantSource clock, ClusterRef ref, LeaseState state) {
        this.kube = kube;
        this.clock = clock;
        this.ref = ref;
        this.state = state;
        this.renewed = clock.instant();
    }

    /// What came of trying to get the Lease.
    public sealed interface Attempt {
        record Held(ClusterLease lease) implements Attempt {}

        record Busy(String holder) implements Attempt {}
    }

    /// Takes the Lease when nobody has it, when its holder is `gone` for certain, or when it ran out.
    /// `floor` is an epoch that was seen in the journal: the new one is higher than both.
    public static Attempt acquire(
            KubernetesGateway kube,
            InstantSource clock,
            ClusterRef ref,
            String holder,
            long floor,
            Predicate<String> gone) {
        var now = clock.instant();
        Optional<LeaseState> present = kube.readLease(ref);
        var other = present.flatMap(LeaseState::holder).filter(h -> !h.equals(holder));
        if (other.isPresent() && !expired(present.get(), now) && !gone.test(other.get())) {
            return new Attempt.Busy(other.get() + early(present.get(), now));
        }
        long epoch =
                epoch(ref, Math.max(floor, present.map(LeaseState::transitions).orElse(0L)));
        var wanted = new LeaseState(Optional.of(holder), now, (int) DURATION.toSeconds(), epoch, Optional.empty());
        try {
            String version = kube.writeLease(ref, wanted, present.flatMap(LeaseState::resourceVersion));
            return new Attempt.Held(new ClusterLease(kube, clock, ref, with(wanted, version)));
        } catch (GatewayException e) {
            if (e.kind() == GatewayException.Kind.CONFLICT) {
                return new Attempt.Busy("another run that was faster");
            }
            throw e;
        }
    }

    /// Kubernetes keeps the number of takeovers in 32 bits.
    private static long epoch(ClusterRef ref, long former) {
        if (former >= Integer.MAX_VALUE) {
            throw new GatewayException(
                    GatewayException.Kind.REJECTED,
                    false,
                    "the Lease of " + ref + " has spec.leaseTransitions " + former
                            + ", after which there is no next number. Set it to the epoch in the ring's journal");
        }
        return former + 1;
    }

    /// Twice the time, because the clock that wrote the Lease is not ours. Counted back from now: what somebody else
    /// wrote may be at the end of all times.
    private static boolean expired(LeaseState lease, Instant now) {
        return lease.renewed().isBefore(now.minusSeconds(2L * lease.durationSeconds()));
    }

    private static String early(LeaseState lease, Instant now) {
        return lease.renewed().isAfter(now.plus(CLOCKS_DIFFER)) || lease.durationSeconds() > LONGEST_SECONDS
                ? ", by its own account until " + lease.durationSeconds() + " seconds after " + lease.renewed()
                        + ". If that run is gone, delete the Lease"
                : "";
    }

    private static LeaseState with(LeaseState lease, String version) {
        return new LeaseState(
                lease.holder(), lease.renewed(), lease.durationSeconds(), lease.transitions(), Optional.of(version));
    }

    public long epoch() {
        return state.transitions();
    }

    /// Renews when a third of the time has passed. Throws [Fenced] when the Lease is another's or may have run
    /// out.
    void keep() {
        var now = clock.instant();
        if (Duration.between(renewed, now).compareTo(DURATION.dividedBy(3)) < 0) {
            return;
        }
        var wanted =
                new LeaseState(state.holder(), now, state.durationSeconds(), state.transitions(), Optional.empty());
        try {
            state = with(wanted, renew(wanted));
            renewed = now;
        } catch (GatewayException e) {
            if (e.kind() == GatewayException.Kind.CONFLICT || e.kind() == GatewayException.Kind.NOT_FOUND) {
                throw new Fenced("the Lease of " + ref + " was taken over or deleted");
            }
            if (Duration.between(renewed, now).compareTo(DURATION.dividedBy(2)) > 0) {
                throw new Fenced("the Lease of " + ref + " could not be renewed: " + e.getMessage());
            }
        }
    }

    /// The answer to a renewal may have been lost, and the Lease be newer than we know. It is ours as long as
    /// holder and epoch are: nobody else writes under both.
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

    /// Lets go. A failure is of no consequence: the Lease runs out.
    public void release() {
        var free = new LeaseState(
                Optional.empty(), clock.instant(), state.durationSeconds(), state.transitions(), Optional.empty());
        try {
            kube.writeLease(ref, free, state.resourceVersion());
        } catch (GatewayException _) {
            renewed = Instant.EPOCH;
        }
    }
}
