package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.RootUnusable;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.gateway.MemberAccess.Route;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.Observed;
import java.util.function.BiFunction;

/// Asks one voter of a ring a further question while the ring is observed.
record VoterCall(EtcdGateway etcd, MemberAccess access) {
    /// At the port for clients.
    <T> Observed<T> ask(
            ClusterRef ref, KubeState state, MemberState voter, BiFunction<EtcdGateway, Route, T> question) {
        return ask(ref, state, voter, Door.clients(state.clientsSecured()), question);
    }

    <T> Observed<T> ask(
            ClusterRef ref, KubeState state, MemberState voter, Door door, BiFunction<EtcdGateway, Route, T> question) {
        var ordinal = voter.ordinal(ref);
        var ip = ordinal.flatMap(o -> state.pod(o)).flatMap(KubeState.PodState::ip);
        if (ip.isEmpty()) {
            return Observed.unknown("its pod has no address");
        }
        try (var route = access.open(ref, ordinal.orElseThrow(), ip.get(), door)) {
            return Observed.known(question.apply(etcd, route));
        } catch (RootUnusable e) {
            return Observed.unknown(String.valueOf(e.getMessage()), Observed.Cause.ROOT_UNUSABLE);
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }
}
