package io.github.etcdgitops.execute;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;

/// Reads a ring anew, under its Lease.
@FunctionalInterface
public interface RingReading {
    /// All that a plan is made from.
    ClusterState forPlan(EtcdClusterSpec spec);

    /// The same without what members work long for: steps read again and again.
    default ClusterState forSteps(EtcdClusterSpec spec) {
        return forPlan(spec);
    }
}
