package io.github.etcdgitops.observe;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/// Asks for the cluster version while an upgrade to another minor version is under way: once etcd has
/// raised it, no member starts on the former minor version. Only planning asks; steps ask for themselves.
record RingVersionReading(EtcdGateway etcd, MemberAccess access) {
    private static final Duration DEADLINE = Duration.ofSeconds(4);

    /// The newest version that any voter reports: the others may not have learned of it yet. Unknown where
    /// no voter reports one.
    RingState of(ClusterRef ref, KubeState state, RingState ring) {
        return upgrading(state)
                ? ring.voters().stream()
                        .filter(MemberState::answers)
                        .flatMap(voter -> ask(ref, state, voter).stream())
                        .max(Comparator.naturalOrder())
                        .map(ring::with)
                        .orElse(ring)
                : ring;
    }

    private static boolean upgrading(KubeState state) {
        return state.knownJournal().stream().anyMatch(RingVersionReading::upgrades);
    }

    private static boolean upgrades(Journal journal) {
        return journal.roll()
                .filter(roll ->
                        !roll.target().version().isSameMinorAs(journal.applied().version()))
                .isPresent();
    }

    private Optional<EtcdVersion> ask(ClusterRef ref, KubeState state, MemberState voter) {
        var ordinal = voter.ordinal(ref);
        var ip = ordinal.flatMap(o -> state.pod(o)).flatMap(KubeState.PodState::ip);
        if (ip.isEmpty()) {
            return Optional.empty();
        }
        try (var route = access.open(ref, ordinal.orElseThrow(), ip.get(), Door.METRICS)) {
            return Optional.of(etcd.clusterVersion(route, DEADLINE));
        } catch (GatewayException _) {
            return Optional.empty();
        }
    }
}
