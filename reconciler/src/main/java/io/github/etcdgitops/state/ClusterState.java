package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.value.Observed;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Everything observed of one ring at one time. `templateDigest` of the StatefulSet is in `kube`;
/// `templateWanted` is its digest after the next change. `foreign` is read only where the StatefulSet is
/// not ours and a document asks for it.
public record ClusterState(
        ClusterRef ref,
        KubeState kube,
        Observed<RingState> ring,
        Observed<List<ObjectDrift>> drift,
        String templateWanted,
        Supply supply,
        Observed<Optional<Foreign>> foreign) {
    /// What the ring may get. `classes` has the storage classes, by name, of claims that request less than
    /// the spec does. `quotas` are read only where pods or claims are missing, or volumes must grow.
    public record Supply(SortedMap<String, Observed<Expansion>> classes, Observed<List<NamespaceQuota>> quotas) {
        public Supply {
            classes = Collections.unmodifiableSortedMap(new TreeMap<>(classes));
        }
    }

    /// For a ring of ours.
    public ClusterState(
            ClusterRef ref,
            KubeState kube,
            Observed<RingState> ring,
            Observed<List<ObjectDrift>> drift,
            String templateWanted,
            SortedMap<String, Observed<Expansion>> classes) {
        this(
                ref,
                kube,
                ring,
                drift,
                templateWanted,
                new Supply(classes, Observed.unknown("they were not read")),
                Observed.known(Optional.empty()));
    }

    /// For a ring of which nothing could be read.
    public static ClusterState unread(ClusterRef ref, String reason) {
        return new ClusterState(
                ref, KubeState.unread(reason), Observed.unknown(reason), Observed.unknown(reason), "", new TreeMap<>());
    }

    /// Whether no member can be called because our client certificate for the ring does not exist.
    public boolean lockedOut() {
        return ring.isUnknownBecause(Observed.Cause.CLIENT_IDENTITY_GONE);
    }

    public SortedMap<String, Observed<Expansion>> classes() {
        return supply.classes();
    }

    /// The same with only `other` to correct.
    public ClusterState drifting(List<ObjectDrift> other) {
        return new ClusterState(ref, kube, ring, Observed.known(other), templateWanted, supply, foreign);
    }

    /// Empty also where it could not be read: that does not prove absence.
    public Optional<Foreign> knownForeign() {
        return Observed.found(foreign);
    }

    public ClusterState withForeign(Observed<Optional<Foreign>> read) {
        return new ClusterState(ref, kube, ring, drift, templateWanted, supply, read);
    }

    public ClusterState withQuotas(Observed<List<NamespaceQuota>> read) {
        return new ClusterState(ref, kube, ring, drift, templateWanted, new Supply(supply.classes(), read), foreign);
    }
}
