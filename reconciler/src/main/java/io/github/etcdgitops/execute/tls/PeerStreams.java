package io.github.etcdgitops.execute.tls;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.PeerConnections;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Whether a member and each other voter are connected both ways, over several readings of one check.
///
/// The reader of a stream opens it: both directions must exist. Servers before 3.4 do not report this; with
/// them, the alarms that every reading requests go through the log, and so both ways between the member and
/// the leader.
final class PeerStreams {
    /// Long enough for three recorded probes, in each of two places, where a peer cannot be called, and for
    /// one where it can.
    private static final Duration WINDOW = Duration.ofSeconds(16);

    private static final int NOTES = 2;

    private final StepContext context;
    private final Map<Link, Watch> watches = new HashMap<>();

    PeerStreams(StepContext context) {
        this.context = context;
    }

    private record Link(EtcdId from, EtcdId to) {}

    /// A window starts where a recorded probe is seen, so that a peer without any record is never trusted.
    /// `probes` is the count before that record, `last` the count at the last reading, `callable` the
    /// result of the last window.
    private record Watch(long probes, long last, Optional<Instant> begun, boolean callable) {
        static Watch from(long probes) {
            return new Watch(probes, probes, Optional.empty(), false);
        }

        Watch next(long now, Instant at) {
            if (now < last) {
                // The count started again with its process, which is not a recorded probe.
                return from(now);
            }
            if (now - probes > NOTES) {
                return new Watch(now, now, Optional.of(at), false);
            }
            if (begun.isEmpty()) {
                return now == probes ? this : new Watch(probes, now, Optional.of(at), callable);
            }
            return at.isBefore(begun.get().plus(WINDOW))
                    ? new Watch(probes, now, begun, callable)
                    : new Watch(now, now, Optional.empty(), true);
        }
    }

    /// The missing connections between the member and the others.
    Optional<String> missing(int ordinal) {
        var ring = context.state().ring().optional();
        if (ring.isEmpty()) {
            return Optional.of("the ring could not be read");
        }
        var member = context.member(ordinal);
        if (member.isEmpty()) {
            return Optional.of(context.ref().podName(ordinal) + " is not in the member list");
        }
        try {
            var own = read(member.get());
            for (var other : ring.get().voters()) {
                if (!other.id().equals(member.get().id())) {
                    var missing = between(member.get(), own, other, read(other));
                    if (missing.isPresent()) {
                        return missing;
                    }
                }
            }
            return Optional.empty();
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private Optional<PeerConnections> read(MemberState member) {
        return context.calls().onMetrics(member, (etcd, route) -> etcd.connections(route, StepContext.CALL));
    }

    /// One of the two may consider the other lost although it runs; then readings must show for a while
    /// that it can call the other. Where both do, neither can be trusted.
    private Optional<String> between(
            MemberState one, Optional<PeerConnections> ofOne, MemberState other, Optional<PeerConnections> ofOther) {
        boolean there = hears(ofOne, other);
        boolean back = hears(ofOther, one);
        if (there && back) {
            return Optional.empty();
        }
        if (there) {
            return calls(other, ofOther, one) ? Optional.empty() : Optional.of(lost(other, one));
        }
        return calls(one, ofOne, other) && back ? Optional.empty() : Optional.of(lost(one, other));
    }

    private static boolean hears(Optional<PeerConnections> connections, MemberState peer) {
        return connections.map(c -> c.active().contains(peer.id())).orElse(true);
    }

    private boolean calls(MemberState from, Optional<PeerConnections> connections, MemberState to) {
        long probes = connections.map(c -> c.probesOf(to.id())).orElse(0L);
        var now = context.now();
        return watches.compute(
                        new Link(from.id(), to.id()),
                        (_, before) -> before == null ? Watch.from(probes) : before.next(probes, now))
                .callable();
    }

    private static String lost(MemberState from, MemberState to) {
        return from.name() + " has no stream to " + to.name()
                + ", or treats it as lost although it exists. If this does not change, delete the pod " + from.name()
                + " once";
    }
}
