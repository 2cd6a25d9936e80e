package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.PeerConnections.Heard;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/// Decides whether a member that does not answer us, and whose pod is not ready, is really down and not
/// only unreachable for us. More than half of its peers that answer must report no live connection with it,
/// or the leader must hear nothing from it. A ring without a leader serves no client, so another pod costs
/// nothing there.
public record PeerReports(StepContext context) {
    /// As long as three of the slowest heartbeats that a document can ask for.
    private static final Duration SILENCE = Duration.ofSeconds(30);

    /// Why it is not certain that the member is down. Where it has to listen for a while, it reads the ring
    /// again and asks the gate of the step.
    public Optional<String> doubt(int ordinal) {
        var member = context.member(ordinal).filter(m -> !m.answers());
        var peers = context
                .state()
                .ring()
                .optional()
                .filter(ring -> ring.leader().isPresent())
                .stream()
                .flatMap(ring -> answering(ring).stream())
                .toList();
        if (member.isEmpty() || peers.isEmpty()) {
            return Optional.empty();
        }
        var id = member.get().id();
        long without = peers.stream().filter(peer -> isWithout(peer, id)).count();
        return without * 2 > peers.size() ? Optional.empty() : unlessSilent(ordinal, id, peers);
    }

    /// A peer that cannot be asked has reported nothing, and one before 3.4 does not report this.
    private boolean isWithout(MemberState peer, EtcdId id) {
        try {
            return context.calls()
                    .onMetrics(peer, (etcd, route) -> etcd.connections(route, StepContext.CALL))
                    .filter(connections -> !connections.active().contains(id))
                    .isPresent();
        } catch (GatewayException _) {
            return false;
        }
    }

    private Optional<String> unlessSilent(int ordinal, EtcdId id, List<MemberState> peers) {
        String pod = context.ref().podName(ordinal);
        for (var peer : peers) {
            try {
                var first = heard(peer);
                if (first.leads()) {
                    var last = listen(peer, pod, id, first);
                    if (last.misses(id, first)) {
                        return context.refused();
                    }
                    if (last.ledSince(first) && last.heardFrom(id, first)) {
                        return mayServe(pod, "but the leader " + peer.name() + " still hears from it");
                    }
                }
            } catch (GatewayException _) {
                // Then it has not reported anything, and another peer may lead.
            }
        }
        return mayServe(pod, "and no leader reports whether it hears from it");
    }

    private static Optional<String> mayServe(String pod, String why) {
        return Optional.of(pod + " does not answer etcd-gitops, " + why
                + ", so it may still serve. Check the network between etcd-gitops and " + pod);
    }

    /// The last report of the leader: after a silence, or the one that ends it.
    private Heard listen(MemberState leader, String pod, EtcdId id, Heard first) {
        var last = new AtomicReference<>(first);
        context.awaitTurn(SILENCE, () -> {
            last.set(heard(leader));
            return Optional.of("the leader has to hear nothing from " + pod + " for " + SILENCE.toSeconds() + " s")
                    .filter(_ -> last.get().ledSince(first) && !last.get().heardFrom(id, first));
        });
        return last.get();
    }

    private Heard heard(MemberState peer) {
        return context.calls().onMetrics(peer, (etcd, route) -> etcd.heard(route, StepContext.CALL));
    }

    private static List<MemberState> answering(RingState ring) {
        return ring.voters().stream().filter(MemberState::answers).toList();
    }
}
