package io.github.etcdgitops.state.health;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.value.Observed;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What Kubernetes reports as blocking pods that do not start: about the pod itself, and about its claim.
public final class StartTrouble {
    /// A person may be creating what is missing, or repairing a registry.
    public static final Duration SHORT = Duration.ofMinutes(1);
    /// The time to create a volume, or to add a node.
    public static final Duration LONG = Duration.ofMinutes(4);

    private static final List<String> BY_SOMEBODY = List.of(
            "ImagePullBackOff",
            "InvalidImageName",
            "ErrImageNeverPull",
            "CreateContainerConfigError",
            "CreateContainerError");

    /// A problem that lasts until a person acts: `cause` identifies it, `said` is what Kubernetes says, and
    /// it must have lasted for `patience`. Where the Events of `about` say no more, `hint` says where to
    /// look; it may be empty.
    public record Lasting(String cause, String said, String hint, Duration patience, Optional<Subject> about) {}

    /// An object of the ring that Events may be about: its kind, such as `Pod`, its name, its UID and its
    /// namespace, if that is not the ring's.
    public record Subject(String kind, String name, String uid, Optional<String> namespace) {
        /// In the ring's own namespace.
        public Subject(String kind, String name, String uid) {
            this(kind, name, uid, Optional.empty());
        }
    }

    private StartTrouble() {}

    /// For all pods and claims of the ring, in parentheses and after a blank; empty where nothing is
    /// reported.
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
    public static Optional<Lasting> lasting(ClusterState state, Collection<Integer> ordinals) {
        return ordinals.stream()
                .flatMap(
                        ordinal -> Stream.of(ofPod(state, ordinal), ofClaim(state, ordinal), withoutPod(state, ordinal))
                                .flatMap(Optional::stream))
                .min(Comparator.comparing(Lasting::patience));
    }

    /// The first pod that has a node and no reported reason why its container has not started: its volume
    /// may not attach to that node, or a Secret may be missing.
    public static Optional<Subject> silent(ClusterState state, Collection<Integer> ordinals) {
        return ordinals.stream()
                .flatMap(ordinal -> pod(state, ordinal).stream())
                .filter(pod -> !pod.ready() && !pod.terminating() && pod.ip().isEmpty())
                .findFirst()
                .map(pod -> new Subject("Pod", pod.name(), pod.uid()));
    }

    private static Optional<Lasting> ofClaim(ClusterState state, int ordinal) {
        return state.kube()
                .claim(ordinal)
                .flatMap(claim -> pending(state, claim).map(said -> ofClaim(state, claim, ordinal, said)));
    }

    private static Lasting ofClaim(ClusterState state, KubeState.ClaimState claim, int ordinal, String said) {
        String cause = "claim " + ordinal;
        return missingClass(state, claim).isPresent()
                ? new Lasting(cause, said, "", SHORT, Optional.empty())
                : new Lasting(
                        cause,
                        said,
                        "",
                        LONG,
                        Optional.of(new Subject("PersistentVolumeClaim", claim.name(), claim.uid())));
    }

    private static Optional<Lasting> ofPod(ClusterState state, int ordinal) {
        return pod(state, ordinal)
                .flatMap(pod -> pod.life().trouble().map(trouble -> {
                    boolean bySomebody = BY_SOMEBODY.stream().anyMatch(trouble::startsWith);
                    return new Lasting(
                            "pod " + ordinal + (bySomebody ? " container" : ""),
                            pod.name() + ": " + trouble,
                            "",
                            bySomebody ? SHORT : LONG,
                            Optional.empty());
                }));
    }

    /// The StatefulSet's controller creates pods at once, unless something prevents it.
    private static Optional<Lasting> withoutPod(ClusterState state, int ordinal) {
        var set = state.kube().knownSet().filter(found -> found.replicas() > ordinal);
        boolean none = state.kube()
                .pods()
                .optional()
                .filter(pods -> !pods.containsKey(ordinal))
                .isPresent();
        return set.filter(_ -> none)
                .map(found -> new Lasting(
                        "no pod " + ordinal,
                        "the StatefulSet has not created the pod " + state.ref().podName(ordinal),
                        "a ResourceQuota or an admission webhook may refuse it. `kubectl -n "
                                + state.ref().namespace() + " describe statefulset "
                                + state.ref().name() + "` shows the reason",
                        SHORT,
                        Optional.of(new Subject("StatefulSet", state.ref().name(), found.uid()))));
    }

    private static Optional<KubeState.PodState> pod(ClusterState state, int ordinal) {
        return state.kube().pod(ordinal);
    }

    private static Optional<String> pending(ClusterState state, KubeState.ClaimState claim) {
        return claim.bound() || claim.lost()
                ? Optional.empty()
                : Optional.of(
                        "the claim " + claim.name() + " is " + claim.phase().wire()
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
