package io.github.etcdgitops.plan.begin;

import io.github.etcdgitops.ring.Blueprint;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.deletion.ReturnCluster;
import io.github.etcdgitops.ring.deletion.ReturnCluster.Cause;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.RetainedRing;
import io.github.etcdgitops.state.underway.KeptVolumes;
import io.github.etcdgitops.state.underway.Leftovers;
import java.util.Optional;

/// A ring that was deleted, or is being deleted, and that has a document: it comes back on its retained
/// volumes, or not at all. No new ring is ever created in its place.
public sealed interface Returning {
    /// The observed objects were not confirmed as complete by reads by name.
    record Unconfirmed() implements Returning {}

    record Held(FindingCode code, String reason) implements Returning {}

    record With(ReturnCluster operation, RingModel start) implements Returning {}

    /// Empty where the ring was not deleted.
    static Optional<Returning> of(EtcdClusterSpec spec, ClusterState state) {
        return state.kube()
                .knownJournal()
                .filter(journal -> journal.remains().isPresent())
                .map(journal -> of(spec, state, journal));
    }

    private static Returning of(EtcdClusterSpec spec, ClusterState state, Journal journal) {
        if (!state.kube().objects().confirmed()) {
            return new Unconfirmed();
        }
        if (journal.remains()
                .filter(r -> r.volumes() == RetainedRing.Volumes.DELETED)
                .isPresent()) {
            return new Held(
                    FindingCode.VOLUMES_DELETED,
                    "the ring of this name was deleted, and its volumes with it"
                            + journal.remains()
                                    .flatMap(RetainedRing::saved)
                                    .map(saved -> ", after the backup " + saved.backup())
                                    .orElse("")
                            + ". It cannot come back, and no new ring of this name is created while its journal"
                            + " exists; "
                            + Leftovers.of(state.ref(), state.kube(), journal).afterwards()
                            + ". Alternatively restore a backup into a ring of another name");
        }
        var cause = cause(state, journal);
        var missing = KeptVolumes.missing(state.ref(), state.kube());
        // Once its members have started, a ring with lost volumes has lost its quorum like any other.
        if ((missing.isPresent() && cause != Cause.LOST) || !journal.founded()) {
            return new Held(
                    FindingCode.VOLUMES_MISSING,
                    "the ring was deleted and cannot come back as it was: "
                            + missing.orElse("the journal does not know its cluster ID")
                            + ". Bring the volumes back. To restore a backup into a new ring instead, give that"
                            + " ring another name");
        }
        return new With(asItWas(spec, journal, cause), start(state));
    }

    private static Cause cause(ClusterState state, Journal journal) {
        if (journal.isUnderWay(Intent.Kind.RETURN) && QuorumLoss.of(state).isPresent()) {
            return Cause.LOST;
        }
        boolean midway = journal.isUnderWay(Intent.Kind.DELETE) || journal.isUnderWay(Intent.Kind.RETURN);
        return midway ? Cause.MIDWAY : Cause.DELETED;
    }

    /// For a ring that was created, as its journal knows it.
    static ReturnCluster asItWas(EtcdClusterSpec spec, Journal journal, Cause cause) {
        return new ReturnCluster(
                spec.ref(),
                journal.clusterId().orElseThrow(),
                journal.members().size(),
                spec.server().tls().with(journal.applied().transport()),
                journal.applied().trusted(),
                cause,
                Blueprint.of(spec, journal.applied()));
    }

    private static RingModel start(ClusterState state) {
        boolean running = state.kube()
                .knownSet()
                .filter(s -> !s.terminating() && s.replicas() > 0)
                .isPresent();
        return running ? RingModel.of(state) : RingModel.EMPTY;
    }
}
