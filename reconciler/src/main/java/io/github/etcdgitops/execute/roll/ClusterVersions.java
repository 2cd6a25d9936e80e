package io.github.etcdgitops.execute.roll;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.spec.value.EtcdVersion;
import java.util.Optional;

/// The cluster version, as each voter reports it.
record ClusterVersions(StepContext context) {
    /// Why not all voters report this minor version. Unknown while a member cannot be asked, or the members
    /// have not agreed yet.
    Optional<String> otherThan(EtcdVersion version) {
        var ring = context.state().ring().optional();
        if (ring.isEmpty()) {
            return Optional.of("the ring could not be read");
        }
        try {
            return ring.get().voters().stream()
                    .map(member -> context.calls()
                            .onMetrics(member, (etcd, route) -> etcd.clusterVersion(route, StepContext.CALL)))
                    .filter(found -> !found.isSameMinorAs(version))
                    .findFirst()
                    .map(found -> "the cluster version is etcd " + found.minorName());
        } catch (GatewayException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
