package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Optional;

/// A member whose pod was recreated and that will not start by waiting. `why` names the problem, `detail`
/// is what Kubernetes says about it. `ran` says that the container has run: its process may have written
/// its version where a former version reads it.
public record Failing(int ordinal, String why, String detail, boolean ran) {
    /// A container may fail once or twice at its start, while its member's name does not resolve yet.
    public static final int RESTARTS = 3;

    /// Empty where it may still start, or has started as etcd `target`.
    public static Optional<Failing> of(ClusterState state, int ordinal, EtcdVersion target) {
        var pod = state.kube().pod(ordinal);
        var version = state.ring()
                .optional()
                .flatMap(ring -> Optional.ofNullable(ring.byOrdinal(state.ref()).get(ordinal)))
                .flatMap(member -> member.status().optional())
                .map(MemberState.Status::version);
        return pod.flatMap(p -> version.isPresent()
                ? version.filter(v -> !v.equals(target)).map(v -> misnamed(ordinal, p, v, target))
                : p.ready() ? Optional.empty() : silent(state, ordinal, p, target));
    }

    /// Whether a pod that is not ready will stay so by waiting.
    public static boolean silent(KubeState.PodState pod) {
        return pod.life().trouble().isPresent() || pod.restarts() >= RESTARTS;
    }

    /// Whether a member that does not answer cannot start on its current data either: it has no claim, or
    /// its container exited again and again. A sealed member without data exits at once.
    public static boolean neverStarts(KubeState kube, int ordinal) {
        boolean fails = kube.pod(ordinal)
                .filter(p -> !p.ready() && !p.terminating() && p.restarts() >= RESTARTS)
                .isPresent();
        return kube.claims().isKnown()
                && kube.claim(ordinal).filter(c -> !(c.bound() && fails)).isEmpty();
    }

    private static Failing misnamed(int ordinal, KubeState.PodState pod, EtcdVersion runs, EtcdVersion target) {
        return new Failing(
                ordinal,
                pod.name() + " runs etcd " + runs + ", but its image should have " + target,
                "the content of the image does not match its name or digest",
                true);
    }

    private static Optional<Failing> silent(
            ClusterState state, int ordinal, KubeState.PodState pod, EtcdVersion target) {
        var trouble = pod.life()
                .trouble()
                .map(said -> new Failing(
                        ordinal,
                        pod.name() + " cannot start (" + said.split(":", 2)[0] + ")",
                        said,
                        pod.restarts() > 0));
        return trouble.isPresent() || pod.restarts() < RESTARTS
                ? trouble
                : Optional.of(new Failing(
                        ordinal,
                        pod.name() + " does not start with etcd " + target + hint(state, target),
                        "its container was restarted " + pod.restarts() + " times",
                        true));
    }

    /// The log of a member cannot be read here.
    private static String hint(ClusterState state, EtcdVersion target) {
        boolean crossing = state.kube()
                .knownJournal()
                .filter(journal -> !journal.applied().version().atLeast(3, 6, 0) && target.atLeast(3, 6, 0))
                .isPresent();
        return crossing
                ? " (if its log has \"disallowed custom content in v2store\", the ring has keys of etcd's v2 API, which"
                        + " must be removed first)"
                : "";
    }
}
