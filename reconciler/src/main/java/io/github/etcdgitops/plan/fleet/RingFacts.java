package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.plan.ContinuedOperation;
import io.github.etcdgitops.plan.heal.RepairReadiness;
import io.github.etcdgitops.ring.backup.BackupNeeds;
import io.github.etcdgitops.ring.roll.Exposure;
import io.github.etcdgitops.ring.tls.CertificateEnds;
import io.github.etcdgitops.spec.release.Advisory;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.ChangeHistory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/// What is known of one ring besides its plan: the state of its backups, when its certificates expire, its
/// observed members, which run started the operation under way, its state for fleet-wide rules, and the advisories that
/// hit it. Each is empty where it was not read. No plan's hash covers it.
public record RingFacts(
        Optional<BackupNeeds> needs,
        Optional<CertificateEnds> certificates,
        Optional<ObservedMembers> observed,
        Optional<ChangeHistory.Begun> begun,
        Optional<FeatureStanding> features,
        Optional<RepairReadiness> readiness,
        Optional<List<Advisory>> advisories) {
    public static final RingFacts NONE = new RingFacts(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /// Of a ring as it was listed, if it was.
    public static RingFacts listed(Optional<KubeState> ring) {
        return ring.map(seen -> new RingFacts(
                        NONE.needs,
                        NONE.certificates,
                        NONE.observed,
                        ContinuedOperation.begun(seen),
                        NONE.features,
                        NONE.readiness,
                        NONE.advisories))
                .orElse(NONE);
    }

    /// `what` of each ring, where it is known.
    public static <T> SortedMap<ClusterRef, T> known(
            Map<ClusterRef, RingFacts> rings, Function<RingFacts, Optional<T>> what) {
        var known = new TreeMap<ClusterRef, T>();
        rings.forEach((ref, ring) -> what.apply(ring).ifPresent(value -> known.put(ref, value)));
        return known;
    }

    /// For a ring that could not be read: a change may still be under way. What was read of it counts, or
    /// else what was listed.
    public RingFacts unread(Optional<KubeState> listed) {
        var stands = features.orElseGet(() -> FeatureStanding.ofRejected(listed));
        return new RingFacts(needs, certificates, observed, begun, Optional.of(stands), readiness, advisories);
    }

    /// Whether the ring itself was contacted.
    public boolean looked() {
        return needs.isPresent() || certificates.isPresent() || observed.isPresent();
    }

    public RingFacts orphaned(ClusterState state) {
        return new RingFacts(needs, certificates, ObservedMembers.of(state), begun, features, readiness, advisories);
    }

    public RingFacts read(EtcdClusterSpec spec, ClusterState state, BackupNeeds asked) {
        return new RingFacts(
                Optional.of(asked),
                CertificateEnds.of(state).or(() -> certificates),
                ObservedMembers.of(state).or(() -> observed),
                begun,
                Optional.of(FeatureStanding.of(spec, state)),
                Optional.of(RepairReadiness.of(state)),
                Optional.of(Exposure.hitting(spec, state)));
    }
}
