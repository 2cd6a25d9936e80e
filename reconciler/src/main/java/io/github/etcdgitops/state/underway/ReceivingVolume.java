package io.github.etcdgitops.state.underway;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState.ClaimState;
import io.github.etcdgitops.state.KubeState.PodState;
import java.time.Instant;
import java.util.Optional;

/// The volume that receives a snapshot where a ring makes way for another one of its name: that of member
/// 0, beside the existing data.
public final class ReceivingVolume {
    private static final long WAL = 64L << 20;

    private ReceivingVolume() {}

    /// Bytes that must be free on it: the snapshot and the data made from it are there together until that
    /// data is complete, and etcd allocates a whole file of its write-ahead log at once.
    public static long needed(long snapshot) {
        return 2 * snapshot + WAL;
    }

    /// Its claim; empty where a new one is created, because there is none or its volume is lost.
    public static Optional<ClaimState> claim(ClusterState state) {
        return state.kube().claim(0).filter(claim -> !claim.lost());
    }

    /// The node that has it mounted, as far as a pod of the ring shows it.
    public static Optional<String> machine(ClusterState state) {
        return pod(state).flatMap(pod -> pod.life().whereabouts().node());
    }

    /// Why the ring must not be ended for a snapshot on this volume; empty where no reason is known. A pod
    /// that runs on its node proves that the node works.
    public static Optional<String> obstacle(ClusterState state) {
        return state.kube().claims().unknownReason().or(() -> claim(state).flatMap(claim -> obstacle(state, claim)));
    }

    private static Optional<String> obstacle(ClusterState state, ClaimState claim) {
        if (!claim.ours()) {
            return Optional.of("the claim " + claim.name() + " that would receive the snapshot does not have the"
                    + " labels of this ring. Restore the labels, or delete the claim");
        }
        if (claim.terminating()) {
            return Optional.of("the claim " + claim.name() + " that would receive the snapshot is being deleted."
                    + " Delete the pod " + state.ref().podName(0) + ", and the StatefulSet recreates both");
        }
        return claim.volume()
                .home()
                .flatMap(home -> unfit(state.ref(), claim, home))
                .or(() -> pod(state).flatMap(pod -> silent(claim, pod)));
    }

    private static Optional<String> unfit(ClusterRef ref, ClaimState claim, Host home) {
        if (home.gone()) {
            return Optional.of("the node " + home.name() + ", the only one with the volume of " + claim.name()
                    + ", is gone, and the snapshot needs this volume. Bring the node back. If it is gone for good,"
                    + " \"kubectl -n " + ref.namespace() + " delete pvc " + claim.name()
                    + "\" gives the snapshot a new volume");
        }
        return home.silentSince().map(since -> silent(claim, home.name(), since));
    }

    private static Optional<String> silent(ClaimState claim, PodState pod) {
        return pod.life()
                .whereabouts()
                .host()
                .flatMap(host -> host.silentSince().map(since -> silent(claim, host.name(), since)));
    }

    private static String silent(ClaimState claim, String machine, Instant since) {
        return "the node " + machine + " with the volume of " + claim.name() + " has not reported since " + since
                + ", and the snapshot needs that volume. Bring the node back. If it is switched off for good, delete"
                + " its Node, the pod with --force, and the claim";
    }

    private static Optional<PodState> pod(ClusterState state) {
        return state.kube().pod(0);
    }
}
