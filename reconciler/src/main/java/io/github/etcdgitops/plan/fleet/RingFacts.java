package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.plan.ContinuedOperation;
import io.github.etcdgitops.plan.heal.RepairReadiness;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.tls.CertificateEnds;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.ChangeHistory;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// What is known of one ring besides its plan: by what its backups were judged, when its certificates end, who was seen
/// in it, which run began what is under way, and how it stands for rules about all rings. Each is empty where it was
/// not read. No plan's hash covers it.
public record RingFacts(
        Optional<BackupNeeds> needs,
        Optional<CertificateEnds> certificates,
        Optional<ObservedMembers> sight,
        Optional<ChangeHistory.Begun> begun,
        Optional<FeatureStanding> features,
        Optional<RepairReadiness> standing) {
    public static final RingFacts NONE = new RingFacts(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    public static RingFacts listed(KubeState ring) {
        return new RingFacts(
                NONE.needs,
                NONE.certificates,
                NONE.sight,
                ContinuedOperation.begun(ring),
                NONE.features,
                NONE.standing);
    }

    /// What `what` is of each ring where it is known.
    public static <T> SortedMap<ClusterRef, T> known(
            Map<ClusterRef, RingFacts> rings, Function<RingFacts, Optional<T>> what) {
        var known = new TreeMap<ClusterRef, T>();
        rings.forEach((ref, ring) -> what.apply(ring).ifPresent(value -> known.put(ref, value)));
        return known;
    }

    /// It may have been left in the midst of a change: what was read of it, or else what was listed, counts.
    public RingFacts unread(Optional<KubeState> listed) {
        var stands = features.orElseGet(() -> FeatureStanding.ofRejected(listed));
        return new RingFacts(needs, certificates, sight, begun, Optional.of(stands), standing);
    }

    /// Whether the ring itself was asked.
    public boolean looked() {
        return needs.isPresent() || certificates.isPresent() || sight.isPresent();
    }

    public RingFacts orphaned(ClusterState state) {
        return new RingFacts(needs, certificates, ObservedMembers.of(state), begun, features, standing);
    }

    public RingFacts read(EtcdClusterSpec spec, ClusterState state, BackupNeeds asked) {
        return new RingFacts(
                Optional.of(asked),
                CertificateEnds.of(state).or(() -> certificates),
                ObservedMembers.of(state).or(() -> sight),
                begun,
                Optional.of(FeatureStanding.of(spec, state)),
                Optional.of(RepairReadiness.of(state)));
    }
}
