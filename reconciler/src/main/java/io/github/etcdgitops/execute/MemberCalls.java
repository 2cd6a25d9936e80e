package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.member.MemberState;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/// Calls to the members of one ring, each at its own endpoint, and never while another process holds the
/// Lease.
public record MemberCalls(ClusterState state, EtcdGateway etcd, MemberAccess access) {
    /// A ring whose members have just connected refuses changes for five seconds.
    private static final int PATIENCE = 10;

    /// Calls etcd through the leader's own endpoint, within its deadline.
    public void throughLeader(BiConsumer<EtcdGateway, Route> call) {
        var ring = state.ring().optional().orElseThrow(() -> unreachable("the ring could not be read"));
        var leader = ring.leader()
                .flatMap(id ->
                        ring.members().stream().filter(m -> m.id().equals(id)).findFirst())
                .orElseThrow(() -> unreachable("the ring has no leader now"));
        through(leader, (gateway, route) -> {
            call.accept(gateway, route);
            return true;
        });
    }

    /// The same. From the eleventh attempt on, every second attempt goes through another voter.
    ///
    /// etcd refuses changes of membership at a server that considers one of its peers disconnected. It may
    /// do so forever: a message to the former address of a restarting member fails seconds after that
    /// member is back, and the peer is marked as inactive although both streams to it are up (seen on
    /// 3.5.16 and 3.5.30 where the former address does not answer). Other members see it correctly. The
    /// gate has checked that all members are healthy.
    public void throughLeaderOrOthers(int attempt, BiConsumer<EtcdGateway, Route> call) {
        var ring = state.ring().optional().orElseThrow(() -> unreachable("the ring could not be read"));
        var others = ring.voters().stream()
                .filter(voter -> ring.leader().filter(voter.id()::equals).isEmpty())
                .filter(MemberState::answers)
                .toList();
        if (attempt <= PATIENCE || attempt % 2 == 0 || others.isEmpty()) {
            throughLeader(call);
            return;
        }
        through(others.get(attempt / 2 % others.size()), (gateway, route) -> {
            call.accept(gateway, route);
            return true;
        });
    }

    /// Calls etcd through a member's own endpoint.
    public <T> T through(MemberState member, BiFunction<EtcdGateway, Route, T> question) {
        return at(member, Door.clients(state.kube().clientsSecured()), question);
    }

    /// Reads what a member reports on its metrics port.
    public <T> T onMetrics(MemberState member, BiFunction<EtcdGateway, Route, T> question) {
        return at(member, Door.METRICS, question);
    }

    private <T> T at(MemberState member, Door door, BiFunction<EtcdGateway, Route, T> question) {
        int ordinal =
                member.ordinal(state.ref()).orElseThrow(() -> unreachable("member " + member.id() + " has no pod"));
        return at(ordinal, door, question);
    }

    /// Calls the pod of this ordinal, whether or not it is a member.
    public <T> T at(int ordinal, Door door, BiFunction<EtcdGateway, Route, T> question) {
        String ip = state.kube()
                .pod(ordinal)
                .flatMap(KubeState.PodState::ip)
                .orElseThrow(() -> unreachable("the pod " + state.ref().podName(ordinal) + " has no address"));
        try (var route = access.open(state.ref(), ordinal, ip, door)) {
            return question.apply(etcd, route);
        }
    }

    /// The same for a pod that is not a member.
    public <T> T toPod(MemberAccess.Pod pod, BiFunction<EtcdGateway, Route, T> question) {
        try (var route = access.open(pod, Door.CLIENT.port())) {
            return question.apply(etcd, route);
        }
    }

    private static GatewayException unreachable(String why) {
        return new GatewayException(GatewayException.Kind.UNREACHABLE, false, why);
    }
}
