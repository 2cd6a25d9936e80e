package io.github.etcdgitops.execute;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;

/// Reads a ring again, under its Lease.
@FunctionalInterface
public interface RingReading {
    /// Everything that a plan is made from.
    ClusterState forPlan(EtcdClusterSpec spec);

    /// The same without answers that are expensive for members: steps read it again and again.
    default ClusterState forSteps(EtcdClusterSpec spec) {
        return forPlan(spec);
    }
}
