package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Optional;
import java.util.Set;

/// What must hold before a ring makes way for another one. The ring itself need not be readable. Its
/// Kubernetes objects must be, each read by name. Pure; fails closed.
final class RecoverGate {
    /// What may be under way in the journal when the ring is ended: the new ring knows nothing of it.
    private static final Set<Intent.Kind> ENDED_AS_WELL = Set.of(
            Intent.Kind.JOIN,
            Intent.Kind.LEAVE,
            Intent.Kind.REPLACE,
            Intent.Kind.ROLL,
            Intent.Kind.UNROLL,
            Intent.Kind.RECREATE,
            Intent.Kind.RECOVER);

    private RecoverGate() {}

    static Optional<String> known(ClusterState fresh) {
        return fresh.kube().unknownParts().stream()
                .findFirst()
                .or(() -> fresh.kube().objects().confirmed()
                        ? Optional.empty()
                        : Optional.of("the ring's objects were not read by name"));
    }

    static Optional<String> another(EtcdId former, ClusterState fresh) {
        return fresh.kube()
                        .knownJournal()
                        .flatMap(Journal::clusterId)
                        .filter(former::equals)
                        .isPresent()
                ? Optional.empty()
                : Optional.of("the journal does not know a ring with cluster ID " + former);
    }

    static Optional<String> otherwiseBusy(ClusterState fresh) {
        return fresh.kube()
                .knownJournal()
                .flatMap(Journal::intent)
                .map(Intent::kind)
                .filter(kind -> !ENDED_AS_WELL.contains(kind)
                        || (kind == Intent.Kind.RECREATE
                                && fresh.kube().knownSet().isEmpty()))
                .map(kind -> "an operation of kind " + kind + " is under way");
    }

    /// The plan promised the data of the best survivor; a ring that has regained its quorum has more by
    /// now. Once all members are ended, that is no longer possible.
    static Optional<String> moved(RestoreOrder order, ClusterState fresh) {
        boolean over = underWay(fresh).isEmpty() && replicas(fresh) == 0;
        return order.recovers() && !over ? QuorumLoss.notSaved(fresh, order.contents()) : Optional.empty();
    }

    /// Nothing of the former ring is deleted while one of its members may still run.
    static Optional<String> notStopped(ClusterState fresh) {
        return notBegun(fresh).or(() -> running(fresh));
    }

    /// Another ring is created only where nothing of the former one can start again.
    static Optional<String> notVacant(ClusterState fresh) {
        return notStopped(fresh).or(() -> setThere(fresh));
    }

    static Optional<String> notBegun(ClusterState fresh) {
        return known(fresh).or(() -> underWay(fresh));
    }

    private static Optional<String> underWay(ClusterState fresh) {
        return fresh.kube()
                        .knownJournal()
                        .filter(j -> j.isUnderWay(Intent.Kind.RECOVER))
                        .isPresent()
                ? Optional.empty()
                : Optional.of("the journal does not have this operation as under way");
    }

    /// Two running rings of one name would destroy both.
    private static Optional<String> running(ClusterState fresh) {
        boolean pods = !fresh.kube().podsGone();
        return pods || replicas(fresh) > 0 ? Optional.of("members of the former ring may still run") : Optional.empty();
    }

    private static Optional<String> setThere(ClusterState fresh) {
        return fresh.kube().knownSet().map(_ -> "the StatefulSet of the former ring still exists");
    }

    static Optional<String> ended(ClusterState fresh) {
        return replicas(fresh) > 0 ? Optional.empty() : Optional.of("the members were already stopped");
    }

    private static int replicas(ClusterState fresh) {
        return fresh.kube().knownSet().map(KubeState.StatefulSetState::replicas).orElse(0);
    }
}
