package io.github.etcdgitops.gateway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.NamespaceQuota;
import io.github.etcdgitops.state.health.StartTrouble;
import io.github.etcdgitops.state.journal.Journal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

/// The Kubernetes API as this program uses it. Every call has its own deadline and throws
/// [GatewayException]. Every write names the expected object (by resourceVersion or UID) and fails with
/// CONFLICT when it is no longer there.
public interface KubernetesGateway extends ForeignRings, Manifests, AutoCloseable {
    /// Pod label `yes` or `no`: whether the client Service selects the pod.
    String SERVES_LABEL = "etcdgitops.dev/clients";

    /// Pod annotation that is changed when a mounted file has changed, so that the kubelet updates it at
    /// once.
    String CONFIG_ANNOTATION = "etcdgitops.dev/config";

    /// UID of the namespace `kube-system`: it identifies the Kubernetes cluster.
    String clusterUid();

    /// The time of the API server's clock in its answer, to the second; empty where it sent none, or did
    /// not answer.
    Optional<Instant> serverTime();

    /// Text of the annotation `etcdgitops.dev/suspend` on a namespace; empty when there is none, or no
    /// such namespace.
    Optional<String> namespaceSuspension(String namespace);

    /// Creates the namespace where it is missing, with the rights of `ring`: a new ring may be the first
    /// object in it. Never deletes one.
    void ensureNamespace(ClusterRef ring, String namespace);

    /// All rings of this tool, by a few paged LISTs whose number does not depend on the number of rings. It
    /// finds rings, and never proves absence: `confirmed` is false in the result. It includes rings that
    /// have objects and no StatefulSet. Rings that are not `wanted` are listed up to a number; the rest are
    /// only counted.
    Listing list(Predicate<ClusterRef> wanted);

    /// The states of all rings at once, with no ring preferred.
    default SortedMap<ClusterRef, KubeState> list() {
        return list(_ -> true).states();
    }

    /// One ring, each object read by name from the API server's own store, including claims 0 to
    /// `claims`-1. Never throws: what could not be read is Unknown.
    KubeState read(ClusterRef ref, int claims);

    /// The latest warning Event about this object of the ring: reason and message in one line of at most
    /// 300 characters. Empty where there is none, or where Events cannot be read.
    Optional<String> warning(ClusterRef ref, StartTrouble.Subject about);

    /// The ResourceQuotas of the ring's namespace, at most 50.
    List<NamespaceQuota> quotas(ClusterRef ref);

    /// One pod of the ring, read by name; empty where there is none, or it is not ours.
    Optional<KubeState.PodState> pod(ClusterRef ref, int ordinal);

    /// Creates the object, or updates it where it differs, with its resourceVersion. Refuses an object that
    /// is not ours.
    void apply(ManagedObject object, RingObjects wanted);

    /// Deletes an object of a ring that is being deleted; does nothing where there is none. Refuses an
    /// object that is not ours, and a StatefulSet, which has its own method.
    void delete(ManagedObject object, ClusterRef ref, long epoch);

    /// Writes the journal and returns its new resourceVersion. No `resourceVersion` means create-only.
    String writeJournal(ClusterRef ref, Journal journal, Optional<String> resourceVersion);

    /// Writes one member's file and leaves the others untouched. Without `config` it deletes the file.
    void writeMemberConfig(RingObjects wanted, int ordinal, Optional<MemberConfig> config);

    /// Creates the StatefulSet with replicas = partition; CONFLICT when one exists.
    void createStatefulSet(RingObjects wanted, int replicas);

    /// Sets replicas and partition, always equal, in one write.
    void setReplicas(ClusterRef ref, KubeState.StatefulSetState expected, int replicas, long epoch);

    /// Writes the pod template that `wanted` renders to, and restarts nothing: refused (CONFLICT)
    /// unless the partition equals the replicas.
    void writeTemplate(RingObjects wanted, KubeState.StatefulSetState expected);

    /// Lets the controller update the pods from `partition` upwards to the newest template, without
    /// respecting the disruption budget. Equal to the number of replicas, it pins them.
    void setPartition(ClusterRef ref, KubeState.StatefulSetState expected, int partition, long epoch);

    /// Restores the controller's current template, and pins the partition, in one write: nothing restarts,
    /// and every recreated pod gets the former template. `digest` is that of the former template.
    void reinstateTemplate(ClusterRef ref, KubeState.StatefulSetState expected, String digest, long epoch);

    /// Merges labels and annotations into a pod. Changing an annotation also makes the kubelet update the
    /// pod's volumes at once.
    void markPod(
            ClusterRef ref,
            int ordinal,
            String uid,
            SortedMap<String, String> labels,
            SortedMap<String, String> annotations);

    /// Marks a claim as released by its member at `left`, or as in use again where that is empty.
    void markClaim(ClusterRef ref, String name, String uid, Optional<Instant> left);

    void deletePod(ClusterRef ref, int ordinal, String uid);

    /// Deletes the pod of this UID at once, without waiting for its node to confirm that its containers
    /// have ended: only where anything that may still run there does no harm. CONFLICT unless its deletion
    /// was already requested.
    void releasePod(ClusterRef ref, int ordinal, String uid);

    Optional<LeaseState> readLease(ClusterRef ref);

    /// Creates (without `resourceVersion`) or updates the ring's Lease; CONFLICT when another process was
    /// faster. Returns the new resourceVersion.
    String writeLease(ClusterRef ref, LeaseState lease, Optional<String> resourceVersion);

    /// False only when the pod was read by name and is gone, has another UID, or has ended with all its
    /// containers.
    boolean podMayRun(String namespace, String name, String uid);

    @Override
    void close();

    /// The Lease `NAME-etcd-gitops`. An empty holder means that it has no holder. `transitions` counts
    /// takeovers: the fencing epoch.
    record LeaseState(
            Optional<String> holder,
            Instant renewed,
            int durationSeconds,
            long transitions,
            Optional<String> resourceVersion) {}
}
