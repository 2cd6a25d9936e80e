package io.github.etcdgitops.plan.fleet;

import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// The feature gate state of a ring. `place` says why it counts among those that change gates now. `has`
/// are the gates that its members run with; `well` says whether it is healthy.
public record FeatureStanding(Optional<String> place, SortedSet<FeatureGate> has, boolean well) {
    private static final FeatureStanding NOTHING = new FeatureStanding(Optional.empty(), new TreeSet<>(), true);

    public FeatureStanding {
        has = has.isEmpty() ? Collections.emptySortedSet() : Collections.unmodifiableSortedSet(new TreeSet<>(has));
    }

    public static FeatureStanding of(EtcdClusterSpec spec, ClusterState state) {
        var place = place(state.kube());
        return journal(state.kube())
                .map(journal -> new FeatureStanding(
                        place,
                        has(spec, journal),
                        RingHealth.problems(state, Set.of()).isEmpty()))
                .orElseGet(() -> new FeatureStanding(place, new TreeSet<>(), true));
    }

    /// For a ring whose document is invalid: a change of it may still be under way.
    public static FeatureStanding ofRejected(Optional<KubeState> seen) {
        return seen.map(kube -> new FeatureStanding(place(kube), new TreeSet<>(), true))
                .orElse(NOTHING);
    }

    private static Optional<String> place(KubeState kube) {
        if (!kube.journal().isKnown()) {
            return Optional.of("its journal cannot be read");
        }
        return journal(kube)
                .flatMap(journal -> journal.roll().filter(roll -> changes(journal.applied(), roll.target())))
                .map(_ -> "its change is under way");
    }

    /// Another transport between the members counts, whoever asked for it: the journal does not record
    /// that.
    private static boolean changes(MemberSettings former, MemberSettings target) {
        return !former.features().equals(target.features())
                || former.transport().peer() != target.transport().peer();
    }

    private static SortedSet<FeatureGate> has(EtcdClusterSpec spec, Journal journal) {
        var has = new TreeSet<>(journal.applied().features());
        if (spec.server().features().on(FeatureGate.PEER_TLS)
                && journal.applied().transport().peer().secured()) {
            has.add(FeatureGate.PEER_TLS);
        }
        return has;
    }

    private static Optional<Journal> journal(KubeState kube) {
        return kube.knownJournal();
    }
}
