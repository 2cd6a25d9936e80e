package io.github.etcdgitops.gateway;

import io.github.etcdgitops.gateway.RingVolumes.ClaimUser;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import java.util.List;
import java.util.Set;

/// Calls to expand or recreate the volumes of a running ring: on its claims, and on its StatefulSet, whose
/// claim template cannot be changed, so it is recreated. Every call has its own deadline and throws
/// [GatewayException].
public interface RingVolumes {
    /// Whether a class lets its volumes grow, as far as we may know.
    Expansion expansion(String storageClass);

    /// Requests this size in the claim of this name and UID, and never less than it already requests.
    /// REJECTED where the API server says that the claim's class or the namespace's quota does not allow
    /// it.
    void expand(ClusterRef ref, String name, String uid, String size);

    /// Deletes the claim of this name and UID; CONFLICT where another one has the name by now. It stays as
    /// long as a pod uses it.
    void deleteClaim(ClusterRef ref, String name, String uid);

    /// What uses one of these claims, or would: any pod of the namespace that has not
    /// ended, and any StatefulSet. It uses a LIST, which may miss objects: an empty result supports
    /// deleting a claim, and is never the only reason.
    List<ClaimUser> users(ClusterRef ref, Set<String> claims);

    /// Whether the pod template of this revision is still stored, so that a StatefulSet can be created from
    /// it.
    boolean keepsTemplate(ClusterRef ref, String revision);

    /// Deletes the StatefulSet as it was read, CONFLICT where it has changed, and orphans its pods and
    /// revisions first: they stay. It is gone a moment later.
    void orphan(ClusterRef ref, KubeState.StatefulSetState expected, long epoch);

    /// Creates the StatefulSet as `wanted` renders it, but with the pods' template and the claims from
    /// `recreation`, pinned. CONFLICT where one exists. NOT_FOUND where the template is no longer stored.
    void recreate(RingObjects wanted, Intent.Recreation recreation);

    /// An object that uses a claim, printed like `the pod orders-0`.
    record ClaimUser(Kind kind, String name) implements Comparable<ClaimUser> {
        public enum Kind {
            POD("the pod"),
            STATEFUL_SET("the StatefulSet");

            private final String words;

            Kind(String words) {
                this.words = words;
            }
        }

        @Override
        public int compareTo(ClaimUser other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return kind.words + " " + name;
        }
    }
}
