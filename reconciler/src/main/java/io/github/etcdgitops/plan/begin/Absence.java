package io.github.etcdgitops.plan.begin;

import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.deletion.ReturnCluster;
import io.github.etcdgitops.ring.storage.GrowStorage;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.underway.KeptVolumes;

/// A ring that was created and has no StatefulSet, or one that is being deleted. [Adopting] handles a ring
/// whose adoption is under way.
public sealed interface Absence {
    FindingCode MISSING = FindingCode.STATEFULSET_MISSING;

    /// Its absence was not confirmed by a read by name.
    record Unconfirmed() implements Absence {}

    record Held(FindingCode code, String reason) implements Absence {}

    /// An earlier run of ours deleted it and ended before it created the new one.
    record Interrupted(Operation back) implements Absence {}

    /// It was deleted by hand, and everything needed to start again exists.
    record Startable(ReturnCluster operation, String reason) implements Absence {}

    static Absence of(EtcdClusterSpec spec, ClusterState state) {
        var kube = state.kube();
        if (!kube.objects().confirmed()) {
            return new Unconfirmed();
        }
        var journal = kube.knownJournal();
        var recreation = journal.flatMap(Journal::recreation);
        if (recreation.isPresent()) {
            return new Interrupted(GrowStorage.resumed(state.ref(), kube.claimTemplate(), recreation.get()));
        }
        if (journal.filter(j -> j.unsettled() && j.roll().isPresent()).isPresent()
                && kube.pods().optional().filter(pods -> !pods.isEmpty()).isPresent()) {
            return new Interrupted(Adopting.renewing(spec, journal.get()));
        }
        if (kube.knownSet().isPresent()) {
            return new Held(
                    FindingCode.STATEFULSET_TERMINATING,
                    "the StatefulSet is terminating, and etcd-gitops did not delete it. Its pods are deleted too,"
                            + " unless it was deleted with --cascade=orphan. The claims keep the data");
        }
        if (journal.filter(Journal::founded).isPresent()) {
            return deletedByHand(spec, state, journal.get());
        }
        var claims = kube.claims().optional().orElseThrow();
        if (!claims.isEmpty()) {
            return new Held(
                    FindingCode.CLAIMS_OF_AN_EARLIER_RING,
                    "the StatefulSet does not exist, but " + claims.size() + " claims of an earlier ring hold data ("
                            + claims.values().stream()
                                    .map(KubeState.ClaimState::name)
                                    .toList()
                            + "). No ring is created over them. Delete or rename them when the data is no longer"
                            + " needed");
        }
        return new Held(MISSING, "the journal knows this ring, but its StatefulSet is gone");
    }

    private static Absence deletedByHand(EtcdClusterSpec spec, ClusterState state, Journal journal) {
        String gone = "the StatefulSet was deleted by hand. ";
        var pods = state.kube().pods().optional();
        if (pods.isEmpty()) {
            return new Unconfirmed();
        }
        if (!pods.get().isEmpty()) {
            return new Held(
                    MISSING,
                    gone + "These pods are left: "
                            + pods.get().values().stream()
                                    .map(KubeState.PodState::name)
                                    .toList()
                            + ". A pod that ends is not replaced. etcd-gitops does not touch these pods. Recreate"
                            + " the StatefulSet from your own records. etcd-gitops recreates it when none"
                            + " of these pods is left");
        }
        if (journal.intent().isPresent() || journal.unsettled()) {
            return new Held(
                    MISSING,
                    gone + "This operation is under way: "
                            + journal.intent().map(i -> i.kind().toString()).orElse("ADOPT")
                            + ". Recreate the StatefulSet from your own records");
        }
        return KeptVolumes.missing(state.ref(), state.kube())
                .<Absence>map(missing -> new Held(MISSING, gone + "The ring cannot start as it was: " + missing))
                .orElseGet(() -> new Startable(
                        Returning.asItWas(spec, journal, ReturnCluster.Cause.BY_HAND),
                        gone + "No member runs. All volumes that the ring needs exist"));
    }
}
