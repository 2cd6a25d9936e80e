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

/// The pod of a member that was taken out of the ring stays on a silent machine for ever: nobody
/// confirms there that it has ended, and no other one is made before. It is taken out of Kubernetes
/// without that confirmation, so that the place can be given to a new member, or the StatefulSet can
/// shrink.
///
/// A process may go on there. It is no member any more, whatever it says, and its claim is given up.
/// Somebody has to approve it all the same: Kubernetes promises that there is one pod of a name, and
/// this breaks the promise.
///
/// A failure leaves the pod, or none.
public record ReleasePod(ClusterRef ref, int ordinal, String pod, String machine) implements Operation {
    /// `ordinals` are those whose members the journal says go, or are replaced: nowhere else is it
    /// certain that whatever runs there is no member.
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
