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

/// The way to the members of one ring, each by its own endpoint and never while the Lease is another's.
public record MemberCalls(ClusterState state, EtcdGateway etcd, MemberAccess access) {
    /// A ring whose members have just met refuses for five seconds.
    private static final int PATIENCE = 10;

    /// A call to etcd through the leader's own endpoint, within its deadline.
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

    /// The same, and from the eleventh attempt on through another voter every second time.
    ///
    /// etcd refuses changes of membership at a server that takes one of its peers for not connected. It
    /// may do so for ever: a message that is on its way to the former address of a member that restarts
    /// fails seconds after that member is back, and the peer is marked as inactive although both streams
    /// to it are up (seen on 3.5.16 and 3.5.30 where the former address answers nobody). Other members
    /// see it as it is; that all are well, the gate has looked at.
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

    /// A call to etcd through a member's own endpoint.
    public <T> T through(MemberState member, BiFunction<EtcdGateway, Route, T> question) {
        return at(member, Door.clients(state.kube().clientsSecured()), question);
    }

    /// What a member tells of itself on its metrics port.
    public <T> T onMetrics(MemberState member, BiFunction<EtcdGateway, Route, T> question) {
        return at(member, Door.METRICS, question);
    }

    private <T> T at(MemberState member, Door door, BiFunction<EtcdGateway, Route, T> question) {
        int ordinal =
                member.ordinal(state.ref()).orElseThrow(() -> unreachable("member " + member.id() + " has no pod"));
        return at(ordinal, door, question);
    }

    /// Whoever the member is, and whether or not it is one.
    public <T> T at(int ordinal, Door door, BiFunction<EtcdGateway, Route, T> question) {
        String ip = state.kube()
                .pod(ordinal)
                .flatMap(KubeState.PodState::ip)
                .orElseThrow(() -> unreachable("the pod " + state.ref().podName(ordinal) + " has no address"));
        try (var route = access.open(state.ref(), ordinal, ip, door)) {
            return question.apply(etcd, route);
        }
    }

    /// The same of a pod that is no member.
    public <T> T toPod(MemberAccess.Pod pod, BiFunction<EtcdGateway, Route, T> question) {
        try (var route = access.open(pod, Door.CLIENT.port())) {
            return question.apply(etcd, route);
        }
    }

    private static GatewayException unreachable(String why) {
        return new GatewayException(GatewayException.Kind.UNREACHABLE, false, why);
    }
}
