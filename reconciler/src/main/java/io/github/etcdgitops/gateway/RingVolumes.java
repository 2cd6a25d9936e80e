package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import java.util.List;
import java.util.Set;

/// What it takes to make the volumes of a running ring larger, or one of them anew: the claims, and the
/// StatefulSet, which cannot be told to ask for larger ones and is made anew. Every call has a deadline
/// of its own and throws [GatewayException].
public interface RingVolumes {
    /// Whether a class lets its volumes grow, as far as we may know.
    Expansion expansion(String storageClass);

    /// Asks for this much in the claim of this name and UID, and never for less than it asks for already.
    /// REJECTED where the API server says that the claim's class does not let it grow, or that the
    /// namespace's quota does not.
    void expand(ClusterRef ref, String name, String uid, String size);

    /// Deletes the claim of this name and UID, CONFLICT where it is another one by now. It stays for as
    /// long as a pod has it.
    void deleteClaim(ClusterRef ref, String name, String uid);

    /// Who uses one of these claims, or would take it, by kind and name: any pod of the namespace that has
    /// not ended, and any StatefulSet. The LIST behind it finds: that nobody is found is one ground more
    /// to delete a claim, and never the only one.
    List<String> users(ClusterRef ref, Set<String> claims);

    /// Whether the pods' template of this revision is kept, so that a StatefulSet can be made from it.
    boolean keepsTemplate(ClusterRef ref, String revision);

    /// Deletes the StatefulSet as it was read, CONFLICT where it is another one by now, and has its pods
    /// and revisions let go of first: they stay. It is gone a moment later.
    void orphan(ClusterRef ref, KubeState.StatefulSetState expected, long epoch);

    /// Creates the StatefulSet as `wanted` renders it, but with the pods' template and the claims that
    /// `recreation` says, pinned. CONFLICT where there is one. NOT_FOUND where the template is not kept
    /// any more.
    void recreate(RingObjects wanted, Intent.Recreation recreation);
}
