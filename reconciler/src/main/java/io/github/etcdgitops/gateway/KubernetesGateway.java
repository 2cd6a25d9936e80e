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

/// The Kubernetes API as the product uses it. Every call has a deadline of its own and throws
/// [GatewayException]. Every write names what it expects to find (a resourceVersion or a UID) and fails
/// with CONFLICT when that is not there.
public interface KubernetesGateway extends ForeignRings, Manifests, AutoCloseable {
    /// Pod label `yes` or `no`: whether the client Service selects the pod.
    String SERVES_LABEL = "etcdgitops.dev/clients";

    /// Pod annotation that is changed when a mounted file was, so that the kubelet looks at once.
    String CONFIG_ANNOTATION = "etcdgitops.dev/config";

    /// UID of the namespace `kube-system`: which Kubernetes this is.
    String clusterUid();

    /// What the API server's clock said in its answer, to the second; empty where it did not say, or did not
    /// answer.
    Optional<Instant> serverTime();

    /// Text of the annotation `etcdgitops.dev/suspend` on a namespace; empty when there is none, or no
    /// such namespace.
    Optional<String> namespaceSuspension(String namespace);

    /// Creates the namespace where it is missing, with the rights of `ring`: a new ring may be the first
    /// thing in it. Never deletes one.
    void ensureNamespace(ClusterRef ring, String namespace);

    /// All rings of this tool, by a handful of paged LISTs whose number does not depend on how many
    /// rings there are. Finds, never proves absence: `confirmed` is false in what it returns. Rings
    /// that have objects and no StatefulSet are among them.
    /// Rings that are not `wanted` are found up to a number, and the others counted.
    Listing list(Predicate<ClusterRef> wanted);

    /// Where no ring is wanted more than another.
    default SortedMap<ClusterRef, KubeState> list() {
        return list(_ -> true).rings();
    }

    /// One ring, each object read by name from the API server's own store, claims 0 to `claims`-1
    /// included. Never throws: what could not be read is Unknown.
    KubeState read(ClusterRef ref, int claims);

    /// What Kubernetes last warned of about this object of the ring, by its Events: reason and message in
    /// one line of at most 300 characters. Empty where it told nothing, or where Events cannot be read.
    Optional<String> warning(ClusterRef ref, StartTrouble.Subject about);

    /// The ResourceQuotas of the ring's namespace, 50 at most.
    List<NamespaceQuota> quotas(ClusterRef ref);

    /// One pod of the ring, read by name; empty where there is none, or one that is not ours.
    Optional<KubeState.PodState> pod(ClusterRef ref, int ordinal);

    /// Makes the object as it should be: creates it, or updates the differing one with its
    /// resourceVersion. Refuses one that is not ours.
    void apply(ManagedObject object, RingObjects wanted);

    /// Deletes the object of a ring that goes; nothing where there is none. Refuses one that is not ours,
    /// and a StatefulSet, which has a way of its own.
    void delete(ManagedObject object, ClusterRef ref, long epoch);

    /// Writes the journal and returns its new resourceVersion. No `resourceVersion` means create-only.
    String writeJournal(ClusterRef ref, Journal journal, Optional<String> resourceVersion);

    /// Writes one member's file, the others' untouched. No `config` takes the file away.
    void writeMemberConfig(RingObjects wanted, int ordinal, Optional<MemberConfig> config);

    /// Creates the StatefulSet with replicas = partition; CONFLICT when one is there.
    void createStatefulSet(RingObjects wanted, int replicas);

    /// Sets replicas and partition, always equal, in one write.
    void setReplicas(ClusterRef ref, KubeState.StatefulSetState expected, int replicas, long epoch);

    /// Writes the pod template that `wanted` renders to, and restarts nothing: refused (CONFLICT)
    /// unless the partition equals the replicas.
    void writeTemplate(RingObjects wanted, KubeState.StatefulSetState expected);

    /// Lets the controller take the pods from `partition` upwards to the newest template, without
    /// asking the disruption budget; or pins them, with as many as there are replicas.
    void setPartition(ClusterRef ref, KubeState.StatefulSetState expected, int partition, long epoch);

    /// Puts back the template that the controller calls the current one, and pins the partition, in one
    /// write: nothing restarts by it, and whatever is made anew gets the former template. `digest` is
    /// the former one's.
    void reinstateTemplate(ClusterRef ref, KubeState.StatefulSetState expected, String digest, long epoch);

    /// Merges labels and annotations into a pod. Changing an annotation also makes the kubelet look at
    /// the pod's volumes at once.
    void markPod(
            ClusterRef ref,
            int ordinal,
            String uid,
            SortedMap<String, String> labels,
            SortedMap<String, String> annotations);

    /// Marks a claim as released by its member at `left`, or as in use again where that is empty.
    void markClaim(ClusterRef ref, String name, String uid, Optional<Instant> left);

    void deletePod(ClusterRef ref, int ordinal, String uid);

    /// Deletes the pod of this UID at once, without its machine having confirmed that its containers have
    /// ended: only where whatever may still run there does no harm. CONFLICT unless somebody has deleted it
    /// before.
    void releasePod(ClusterRef ref, int ordinal, String uid);

    Optional<LeaseState> readLease(ClusterRef ref);

    /// Creates (no `resourceVersion`) or updates the ring's Lease; CONFLICT when somebody was faster.
    /// Returns the new resourceVersion.
    String writeLease(ClusterRef ref, LeaseState lease, Optional<String> resourceVersion);

    /// False only when the pod was read by name and is gone, has another UID, or has ended with all its
    /// containers.
    boolean podMayRun(String namespace, String name, String uid);

    @Override
    void close();

    /// The Lease `NAME-etcd-gitops`. An empty holder means that nobody holds it. `transitions` counts
    /// takeovers: the fencing epoch.
    record LeaseState(
            Optional<String> holder,
            Instant renewed,
            int durationSeconds,
            long transitions,
            Optional<String> resourceVersion) {}
}
