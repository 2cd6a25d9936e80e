package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.value.Observed;
import java.util.Optional;

/// Rings that were created without etcd-gitops, and how their objects become ours. Every call here may be
/// repeated. Calls name objects by the UID that was read, and fail with CONFLICT when it is no longer
/// there.
public interface ForeignRings {
    /// The StatefulSet of the ring's name with everything it runs, whether it is ours or not; empty when
    /// there is none. Never throws.
    Observed<Optional<Foreign>> readForeign(ClusterRef ref);

    /// Stores the StatefulSet's whole manifest in our ConfigMap `NAME-adopted`: [#recreateStatefulSet] uses
    /// the template in it, and people can go back with it.
    void keepForeign(ClusterRef ref, String uid, long epoch);

    /// Deletes a StatefulSet that is not ours and whose manifest is stored, and leaves its pods running
    /// without it.
    void orphan(ClusterRef ref, String uid);

    /// Adds our labels to a pod that has no controller; its own labels stay.
    void takePod(ClusterRef ref, int ordinal, String uid);

    /// The same for a claim.
    void takeClaim(ClusterRef ref, String name, String uid);

    /// The same for a Service with the name of the ring's client Service, if there is one; its content
    /// stays.
    void takeService(ClusterRef ref);

    /// Creates our StatefulSet with the stored pod template, our labels on it, and replicas = partition: it
    /// takes over the existing pods and restarts none of them. CONFLICT when a StatefulSet exists.
    void recreateStatefulSet(RingObjects wanted, int replicas);
}
