package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.PodPhase;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.journal.Inspection;
import io.github.etcdgitops.state.journal.Inspection.Outcome.Told;
import io.github.etcdgitops.state.journal.Intent;
import java.util.Optional;

/// Volumes of members that do not answer: what is known of them, and which may be inspected.
public final class Inspections {
    /// The kubelet no longer reports about it.

    private Inspections() {}

    /// What was found on the member's current volume, at any time.
    public static Optional<Inspection> of(ClusterState state, int ordinal) {
        var claim = QuorumLoss.of(state)
                .flatMap(loss -> Optional.ofNullable(loss.missing().get(ordinal)))
                .flatMap(QuorumLoss.Missing::claim);
        return state.kube()
                .knownJournal()
                .flatMap(j -> Optional.ofNullable(j.past().tries().inspected().get(ordinal)))
                .filter(known ->
                        claim.filter(c -> c.uid().equals(known.claimUid())).isPresent());
    }

    /// What was found on a member's current volume, in a ring that has quorum.
    public static Optional<Inspection> onClaim(ClusterState state, int ordinal) {
        return state.kube()
                .knownJournal()
                .flatMap(j -> Optional.ofNullable(j.past().tries().inspected().get(ordinal)))
                .filter(known -> missing(state, ordinal)
                        .claim()
                        .filter(claim -> claim.uid().equals(known.claimUid()))
                        .isPresent());
    }

    /// The same where it can be compared with the other members' data, and the member was not started
    /// since.
    public static Optional<Told> witness(ClusterState state, int ordinal) {
        return onClaim(state, ordinal)
                .filter(known -> stands(state, ordinal, known))
                .flatMap(known -> known.outcome() instanceof Told told
                                && told.witness()
                                && told.hash().isPresent()
                        ? Optional.of(told)
                        : Optional.empty());
    }

    /// Whether the finding is still complete: the member was not started since.
    public static boolean stands(ClusterState state, int ordinal, Inspection known) {
        return known.revision().isPresent() && known.seen().equals(seen(state, ordinal));
    }

    /// The member's pod and its restart count: the text changes when the member was started since.
    public static String seen(ClusterState state, int ordinal) {
        return state.kube()
                .pod(ordinal)
                .map(pod -> pod.uid() + "/" + pod.restarts())
                .orElse("none");
    }

    /// Why the volume with this claim cannot be inspected now. A running etcd has its data open: a copy
    /// made then contains something that never existed. Empty only where Kubernetes says that it does not
    /// run.
    public static Optional<String> obstacle(ClusterState state, int ordinal, String claimUid) {
        if (!state.kube().objects().confirmed()) {
            return Optional.of("the ring's objects were not read by name");
        }
        var missing = QuorumLoss.of(state)
                .flatMap(loss -> Optional.ofNullable(loss.missing().get(ordinal)));
        if (missing.isEmpty()) {
            return Optional.of(
                    "the ring may still have a quorum, or " + state.ref().podName(ordinal) + " answers");
        }
        if (state.kube()
                .knownJournal()
                .filter(j -> j.isUnderWay(Intent.Kind.RECOVER))
                .isPresent()) {
            return Optional.of("the ring is being shut down to be replaced by another one");
        }
        return unfit(state, ordinal, missing.get(), claimUid)
                .or(() -> missing.get().pod().flatMap(Inspections::mayRun));
    }

    /// The same for a member that exits at each start in a ring that has quorum.
    public static Optional<String> witnessObstacle(ClusterState state, int ordinal, String claimUid) {
        return noWitness(state, ordinal, claimUid)
                .or(() -> missing(state, ordinal).pod().flatMap(Inspections::mayRun));
    }

    /// Why its volume does not show the member's own data, whether or not it currently runs.
    public static Optional<String> noWitness(ClusterState state, int ordinal, String claimUid) {
        return state.kube().objects().confirmed()
                ? unfit(state, ordinal, missing(state, ordinal), claimUid)
                : Optional.of("the ring's objects were not read by name");
    }

    private static QuorumLoss.Missing missing(ClusterState state, int ordinal) {
        return QuorumLoss.missing(state, ordinal, state.kube().pod(ordinal));
    }

    private static Optional<String> unfit(
            ClusterState state, int ordinal, QuorumLoss.Missing missing, String claimUid) {
        var claim = missing.claim().filter(c -> c.uid().equals(claimUid));
        if (claim.isEmpty()) {
            return Optional.of("the claim of " + state.ref().podName(ordinal) + " was replaced or is gone");
        }
        return unfit(claim.get())
                .map(why -> "the claim " + claim.get().name() + " " + why)
                .or(() -> missing.exchanged() || !isMember(state, ordinal)
                        ? Optional.of("the claim " + claim.get().name() + " is not the one that "
                                + state.ref().podName(ordinal) + " had its data on")
                        : Optional.empty());
    }

    private static Optional<String> unfit(ClaimState claim) {
        if (!claim.ours()) {
            return Optional.of("does not have the labels of this ring");
        }
        if (claim.terminating()) {
            return Optional.of("is being deleted");
        }
        return claim.bound()
                ? Optional.empty()
                : Optional.of("is " + claim.phase().wire());
    }

    /// On an unreachable node, the last report is that it runs.
    private static Optional<String> mayRun(PodState pod) {
        if (pod.terminating()) {
            return Optional.of("the pod " + pod.name() + " is being deleted, and may still run");
        }
        var where = pod.life().whereabouts();
        if (where.phase() == PodPhase.UNKNOWN) {
            return Optional.of("it is unknown whether the pod " + pod.name() + " runs");
        }
        if (pod.ready() || where.runs()) {
            return Optional.of("the pod " + pod.name() + " runs, as far as Kubernetes knows");
        }
        return where.host()
                .flatMap(host -> host.silentSince()
                        .map(since -> "the node " + host.name() + " of the pod " + pod.name()
                                + " has not reported since " + since + ", and its container may have started since"
                                + " then"));
    }

    private static boolean isMember(ClusterState state, int ordinal) {
        return state.kube()
                .knownJournal()
                .filter(j -> j.members().containsKey(ordinal))
                .isPresent();
    }
}
