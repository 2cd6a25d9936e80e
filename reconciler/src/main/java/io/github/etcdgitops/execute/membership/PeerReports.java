package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;

/// Decides whether a member that does not answer us, and whose pod is not ready, is really down and not
/// only unreachable for us. More than half of its peers that answer must report no live connection with it.
/// Servers before 3.4 do not report this. A ring without a leader serves no client, so another pod costs
/// nothing there.
public record PeerReports(StepContext context) {
    /// Why it is not certain that the member is down. It does not wait: the gate has checked this exact
    /// reading.
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
        return without * 2 > peers.size()
                ? Optional.empty()
                : Optional.of(context.ref().podName(ordinal) + " does not answer etcd-gitops, but only " + without
                        + " of " + peers.size() + " peers report no connection to it, so it may still serve");
    }

    /// A peer that cannot be asked has reported nothing.
    private boolean isWithout(MemberState peer, EtcdId id) {
        try {
            return context.calls()
                    .onMetrics(peer, (etcd, route) -> etcd.connections(route, StepContext.CALL))
                    .filter(connections -> connections.active().contains(id))
                    .isEmpty();
        } catch (GatewayException _) {
            return false;
        }
    }

    private static List<MemberState> answering(RingState ring) {
        return ring.voters().stream().filter(MemberState::answers).toList();
    }
}
