package io.github.etcdgitops.state;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What Kubernetes says is in the way of pods that do not start: of the pod itself, and of its claim.
public final class StartTrouble {
    /// What only somebody who changes the pod or its machine can mend. A pull that failed may succeed later, and a
    /// machine
    /// that would take the pod may come.
    private static final List<String> LASTING = List.of("InvalidImageName", "ErrImageNeverPull");

    private StartTrouble() {}

    /// Of all pods and claims of the ring, in parentheses and after a blank; empty where nothing is said.
    public static String said(ClusterState state) {
        var pods = state.kube().pods().optional().stream()
                .flatMap(all -> all.values().stream())
                .filter(pod -> !pod.ready())
                .flatMap(pod -> pod.life().trouble().map(t -> pod.name() + ": " + t).stream());
        var claims = state.kube().claims().optional().stream()
                .flatMap(all -> all.values().stream())
                .flatMap(claim -> pending(state, claim).stream());
        String said = Stream.concat(claims, pods).collect(Collectors.joining("; "));
        return said.isEmpty() ? "" : " (" + said + ")";
    }

    /// Why one of these members will not start by itself.
    public static Optional<String> lasting(ClusterState state, Collection<Integer> ordinals) {
        var reasons = new ArrayList<String>();
        for (int ordinal : ordinals) {
            state.kube()
                    .claims()
                    .optional()
                    .flatMap(claims -> Optional.ofNullable(claims.get(ordinal)))
                    .filter(claim -> missingClass(state, claim).isPresent())
                    .flatMap(claim -> pending(state, claim))
                    .ifPresent(reasons::add);
            state.kube()
                    .pods()
                    .optional()
                    .flatMap(pods -> Optional.ofNullable(pods.get(ordinal)))
                    .flatMap(pod -> pod.life()
                            .trouble()
                            .filter(t -> LASTING.stream().anyMatch(t::startsWith))
                            .map(t -> pod.name() + ": " + t))
                    .ifPresent(reasons::add);
        }
        return reasons.stream().findFirst();
    }

    private static Optional<String> pending(ClusterState state, KubeState.ClaimState claim) {
        return claim.bound() || claim.lost()
                ? Optional.empty()
                : Optional.of(
                        "the claim " + claim.name() + " is " + (claim.phase().isEmpty() ? "Pending" : claim.phase())
                                + missingClass(state, claim)
                                        .map(name -> ": there is no StorageClass " + name)
                                        .orElse(""));
    }

    private static Optional<String> missingClass(ClusterState state, KubeState.ClaimState claim) {
        return claim.storage()
                .storageClassName()
                .filter(name -> !claim.bound() && !claim.lost())
                .filter(name -> Observed.known(Expansion.NO_SUCH_CLASS)
                        .equals(state.classes().get(name)));
    }
}
