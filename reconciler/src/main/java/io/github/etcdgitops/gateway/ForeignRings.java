package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.value.Observed;
import java.util.Optional;

/// Rings that somebody else has made, and how their objects become ours. Everything here may be done
/// again. Whatever is taken is named by the UID that was read, and fails with CONFLICT when that is not
/// there.
public interface ForeignRings {
    /// The StatefulSet of the ring's name with whatever it runs, whoever has made it; empty when there is
    /// none. Never throws.
    Observed<Optional<Foreign>> readForeign(ClusterRef ref);

    /// Keeps the StatefulSet's whole manifest in a ConfigMap of ours, `NAME-adopted`: the template that
    /// [#recreateStatefulSet] goes by, and for people the way back.
    void keepForeign(ClusterRef ref, String uid, long epoch);

    /// Deletes a StatefulSet that is not ours and whose manifest is kept, and leaves its pods running
    /// without it.
    void orphan(ClusterRef ref, String uid);

    /// Puts our labels on a pod that no controller owns, beside those that it has.
    void takePod(ClusterRef ref, int ordinal, String uid);

    /// The same for a claim.
    void takeClaim(ClusterRef ref, String name, String uid);

    /// The same for a Service that has the name of the ring's client Service, if there is one; its
    /// content is left as it is.
    void takeService(ClusterRef ref);

    /// Creates our StatefulSet with the pod template that was kept, our labels on it, and replicas =
    /// partition: it takes the pods that are there and restarts none of them. CONFLICT when there is a
    /// StatefulSet.
    void recreateStatefulSet(RingObjects wanted, int replicas);
}
