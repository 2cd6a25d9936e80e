package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.Optional;

/// Asks for keys of etcd's v2 API where a ring is about to leave 3.3, the last version whose members serve that
/// API by themselves. Only planning asks.
record V2KeysReading(EtcdGateway etcd, MemberAccess access) {
    private static final Duration DEADLINE = Duration.ofSeconds(4);

    /// One voter on 3.3 tells: its answer comes from what the members have agreed on. Unknown where it does not.
    RingState of(EtcdClusterSpec spec, KubeState state, RingState ring) {
        return wanted(spec, state)
                ? ring.voters().stream()
                        .filter(V2KeysReading::serves)
                        .findFirst()
                        .flatMap(voter -> ask(spec, state, voter))
                        .map(ring::withV2Keys)
                        .orElse(ring)
                : ring;
    }

    private static boolean serves(MemberState member) {
        return member.status()
                .optional()
                .filter(status -> !status.version().hasLearners())
                .isPresent();
    }

    private static boolean wanted(EtcdClusterSpec spec, KubeState state) {
        return state.knownJournal()
                .map(journal -> journal.applied().version())
                .filter(version -> !version.hasLearners()
                        && version.isOlderMinorThan(spec.server().version()))
                .isPresent();
    }

    private Optional<Boolean> ask(EtcdClusterSpec spec, KubeState state, MemberState voter) {
        var ordinal = voter.ordinal(spec.ref());
        var ip = ordinal.flatMap(o -> state.pod(o)).flatMap(KubeState.PodState::ip);
        if (ip.isEmpty()) {
            return Optional.empty();
        }
        var door = Door.clients(state.clientsSecured());
        try (var route = access.open(spec.ref(), ordinal.orElseThrow(), ip.get(), door)) {
            return Optional.of(etcd.hasV2Keys(route, DEADLINE));
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }
}
