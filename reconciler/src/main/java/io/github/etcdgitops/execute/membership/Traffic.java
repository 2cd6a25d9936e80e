package io.github.etcdgitops.execute.membership;

import io.github.etcdgitops.execute.StepContext;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.ring.StepResult;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.MemberConfig;
import java.util.Map;
import java.util.TreeMap;

/// Decides which members clients reach, by a label on the pod. A pod serves unless its label excludes it,
/// so that clients still reach a pod that is recreated between runs.
final class Traffic {
    private final StepContext context;

    Traffic(StepContext context) {
        this.context = context;
    }

    /// A learner looks healthy to the probes of many versions and refuses most requests. A voter that does
    /// not answer is excluded by its probes for as long as that lasts; a label would stay.
    void keepAwayUntilItVotes(int ordinal) {
        boolean joins = context.member(ordinal)
                .map(m -> m.learner() || !m.started())
                .orElseGet(() ->
                        context.config(ordinal).filter(MemberConfig::sealed).isEmpty());
        context.pod(ordinal).filter(p -> p.serves() && joins).ifPresent(p -> mark(ordinal, p, "no"));
    }

    StepResult admit(int ordinal) {
        var pod = context.pod(ordinal);
        if (pod.isEmpty()) {
            return new StepResult.Held(context.ref().podName(ordinal) + " has no pod");
        }
        mark(ordinal, pod.get(), "yes");
        return new StepResult.Done("it serves clients");
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
