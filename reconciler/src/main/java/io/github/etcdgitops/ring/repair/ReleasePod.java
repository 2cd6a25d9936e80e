package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.RequestedBy;
import io.github.etcdgitops.ring.Resolved;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Risk;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState.PodState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The pod of a removed member stays on an unreachable node forever: nothing there confirms that it has
/// ended, and no replacement is created before. This operation removes it from Kubernetes without that
/// confirmation, so that a new member can take the place, or the StatefulSet can shrink.
///
/// The process may still run there. It is no longer a member, whatever it answers, and its claim is given
/// up. It still needs an approval: Kubernetes guarantees one pod per name, and this breaks the guarantee.
///
/// A failure leaves the pod, or none.
public record ReleasePod(ClusterRef ref, int ordinal, String pod, String machine) implements Operation {
    /// `ordinals` are those whose members the journal says are being removed or replaced. Only for these is
    /// it certain that a process there is not a member.
    public static List<ReleasePod> detect(ClusterState state, Set<Integer> ordinals) {
        var releases = new ArrayList<ReleasePod>();
        var members =
                state.ring().optional().map(ring -> ring.byOrdinal(state.ref())).orElseThrow();
        ordinals.stream()
                .filter(ordinal -> !members.containsKey(ordinal))
                .forEach(ordinal -> stuck(state, ordinal)
                        .ifPresent(pod -> releases.add(new ReleasePod(state.ref(), ordinal, pod.uid(), machine(pod)))));
        return releases;
    }

    private static Optional<PodState> stuck(ClusterState state, int ordinal) {
        return state.kube().pod(ordinal).filter(PodState::stranded);
    }

    private static String machine(PodState pod) {
        return pod.life().whereabouts().host().map(Host::name).orElse("");
    }

    @Override
    public String kind() {
        return "ReleasePod";
    }

    @Override
    public List<RequestedBy> requestedBy() {
        return List.of();
    }

    @Override
    public String target() {
        return "no pod " + pod + " ordinal=" + ordinal;
    }

    @Override
    public Resolved resolved() {
        return Resolved.NOTHING;
    }

    @Override
    public Risk risk() {
        return Risk.MEDIUM;
    }

    @Override
    public Consent consent() {
        return Consent.NEEDED;
    }

    @Override
    public boolean heals() {
        return true;
    }

    @Override
    public String reason() {
        return ref.podName(ordinal) + " stays Terminating because its node " + machine + " is unreachable";
    }

    @Override
    public String summary() {
        return "force-delete the pod " + ref.podName(ordinal) + ", although " + machine
                + " does not confirm that it has stopped";
    }

    @Override
    public List<Step> steps() {
        return List.of(new NodeStep.ReleasePod(ordinal, pod));
    }
}
