package io.github.etcdgitops.ring.deletion;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.underway.KeptVolumes;
import io.github.etcdgitops.state.value.Observed;
import java.util.Map;
import java.util.Optional;

/// What must hold before a ring is deleted, or started again, besides the checks of every step. Pure; fails
/// closed.
final class DeleteGate {
    private DeleteGate() {}

    static Optional<String> underWay(ClusterState fresh, Intent.Kind kind) {
        return fresh.kube().knownJournal().filter(j -> j.isUnderWay(kind)).isPresent()
                ? Optional.empty()
                : Optional.of("the journal does not have this operation as under way");
    }

    /// No object of the ring is lost or belongs to something else by now.
    static Optional<String> whole(ClusterState fresh) {
        return fresh.kube()
                .knownJournal()
                .map(journal -> KeptVolumes.changed(fresh.ref(), fresh.kube(), journal)
                        .or(() -> KeptVolumes.lost(fresh.kube(), journal).stream()
                                .findFirst()
                                .map(ordinal -> "the volume of " + fresh.ref().podName(ordinal) + " is lost")))
                .orElseGet(() -> Optional.of("the journal does not exist"));
    }

    static Optional<String> kept(ClusterState fresh) {
        return KeptVolumes.missing(fresh.ref(), fresh.kube());
    }

    /// If Git did not delete the ring, nothing of it may still run, and nothing may be under way.
    static Optional<String> absent(ClusterState fresh) {
        var journal = fresh.kube().knownJournal();
        if (journal.flatMap(Journal::remains).isPresent()) {
            return Optional.empty();
        }
        boolean none = fresh.kube().objects().confirmed()
                && Observed.absent(fresh.kube().statefulSet());
        if (!none) {
            return Optional.of("a StatefulSet of this name exists, or its absence could not be verified");
        }
        return journal.filter(j -> j.founded() && j.intent().isEmpty()).isPresent()
                ? running(fresh)
                : Optional.of("the journal does not know the ring, or has another operation as under way");
    }

    /// No member may ever start on an empty disk: each has a file that lets it start on its own data only.
    static Optional<String> comesBack(ClusterState fresh) {
        var journal = fresh.kube().knownJournal();
        if (journal.isEmpty() || !journal.get().founded()) {
            return Optional.of("the journal does not know the ring");
        }
        var configs = fresh.kube().configs().optional().orElseThrow();
        return journal.get().members().entrySet().stream()
                .filter(m -> Optional.ofNullable(configs.get(m.getKey()))
                        .filter(c -> c.sealed()
                                && c.incarnation().equals(m.getValue().incarnation()))
                        .isEmpty())
                .findFirst()
                .map(m -> fresh.ref().podName(m.getKey()) + " is not sealed");
    }

    static Optional<String> ledTo(ClusterState fresh) {
        return fresh.kube()
                        .objects()
                        .live()
                        .optional()
                        .map(Map::keySet)
                        .filter(there -> !there.contains(ManagedObject.CLIENT_SERVICE))
                        .isPresent()
                ? Optional.empty()
                : Optional.of("clients are still routed to the ring");
    }

    /// Nothing of the ring is deleted while a member may still run.
    static Optional<String> notStopped(ClusterState fresh) {
        return underWay(fresh, Intent.Kind.DELETE).or(() -> running(fresh));
    }

    private static Optional<String> running(ClusterState fresh) {
        boolean replicas = fresh.kube().knownSet().filter(s -> s.replicas() > 0).isPresent();
        boolean pods = !fresh.kube().podsGone();
        return replicas || pods ? Optional.of("members still run") : Optional.empty();
    }

    /// Nothing can use a volume of the ring: neither its StatefulSet nor any pod exists.
    static Optional<String> gone(ClusterState fresh) {
        if (!Observed.absent(fresh.kube().statefulSet())) {
            return Optional.of("there is a StatefulSet of this name");
        }
        return fresh.kube().knownJournal().flatMap(Journal::remains).isEmpty()
                ? Optional.of("according to the journal, the ring was not deleted")
                : running(fresh);
    }

    /// Before a ring is deleted with its data, all its data must be in a snapshot that was read back, and
    /// nothing may have changed since.
    static Optional<String> unsaved(ClusterState fresh) {
        var remains = fresh.kube().knownJournal().flatMap(Journal::remains);
        if (remains.filter(r -> r.volumes() != RetainedRing.Volumes.KEPT).isEmpty()) {
            return Optional.empty();
        }
        var saved = remains.flatMap(RetainedRing::saved);
        var now = RingHealth.newestRevision(fresh);
        if (saved.isEmpty()) {
            return neverSaved(fresh);
        }
        return now.isPresent() && now.getAsLong() == saved.get().revision()
                ? Optional.empty()
                : Optional.of("a client has written since the snapshot of revision "
                        + saved.get().revision() + ". The next run takes another one");
    }

    static Optional<String> neverSaved(ClusterState fresh) {
        return fresh.kube()
                .knownJournal()
                .flatMap(Journal::remains)
                .filter(r -> r.volumes() == RetainedRing.Volumes.DOOMED)
                .filter(r -> r.saved().isEmpty())
                .map(_ -> "the journal names no last snapshot of the ring");
    }

    static boolean goes(ClusterState fresh) {
        return fresh.kube()
                .knownJournal()
                .filter(j -> j.isUnderWay(Intent.Kind.DELETE))
                .flatMap(Journal::remains)
                .filter(r -> r.volumes() == RetainedRing.Volumes.GOING)
                .isPresent();
    }

    static Optional<String> going(ClusterState fresh) {
        return goes(fresh)
                ? Optional.empty()
                : Optional.of("according to the journal, the volumes are not to be deleted");
    }
}
