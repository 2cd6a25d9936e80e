package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import java.util.function.Predicate;

/// A Kubernetes with an empty namespace for one test, and what a test has to do there behind the
/// gateway's back.
public interface KubernetesWorld extends AutoCloseable {
    KubernetesGateway gateway();

    String namespace();

    /// Somebody else takes the name of one of the ring's objects, without our labels.
    void takeName(ManagedObject object, ClusterRef ref);

    /// Somebody else makes a StatefulSet of the ring's name: one etcd on a claim of its own, `datadir`.
    void makeWithoutUs(ClusterRef ref);

    /// Somebody else changes what they have made, without a restart.
    void changeWithoutUs(ClusterRef ref);

    void suspendNamespace(String why);

    /// Takes the ring's Lease away.
    void loseLease(ClusterRef ref);

    /// Whether StatefulSets get pods and claims, and budgets a status.
    boolean controllers();

    /// Reads until it is so; fails when it does not become so.
    KubeState await(ClusterRef ref, int claims, Predicate<KubeState> until);

    @Override
    void close();
}
