package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.MemberState;
import java.util.Map;
import java.util.TreeMap;

/// Which members clients reach, by a label on the pod. A pod serves unless it is told not to, so that one
/// that is made anew while nobody looks is not lost to clients.
final class Traffic {
    private final StepContext context;

    Traffic(StepContext context) {
        this.context = context;
    }

    /// A learner looks healthy to probes of many versions and refuses most requests.
    void keepAwayUnlessVoter(int ordinal) {
        boolean voter = context.member(ordinal)
                .filter(m -> !m.learner())
                .filter(MemberState::answers)
                .isPresent();
        context.pod(ordinal).filter(p -> p.serves() && !voter).ifPresent(p -> mark(ordinal, p, "no"));
    }

    StepResult admit(int ordinal) {
        var pod = context.pod(ordinal);
        if (pod.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " has no pod");
        }
        mark(ordinal, pod.get(), "yes");
        return new StepResult.Done("it serves");
    }

    private void mark(int ordinal, PodState pod, String serves) {
        context.kube()
                .markPod(
                        context.ref(),
                        ordinal,
                        pod.uid(),
                        new TreeMap<>(Map.of(KubernetesGateway.SERVES_LABEL, serves)),
                        new TreeMap<>());
    }
}
