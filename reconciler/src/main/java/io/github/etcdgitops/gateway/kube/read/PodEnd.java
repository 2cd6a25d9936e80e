package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.state.PodPhase;
import java.util.Set;
import java.util.stream.StreamSupport;

/// Whether a pod that still exists as an object no longer runs, as the pods of ended Jobs do.
public final class PodEnd {
    private static final Set<PodPhase> ENDED = Set.of(PodPhase.SUCCEEDED, PodPhase.FAILED);

    private PodEnd() {}

    /// The phase alone proves nothing: a kubelet that evicts a pod reports Failed before its processes have
    /// ended.
    public static boolean of(JsonNode pod) {
        JsonNode status = pod.path("status");
        JsonNode containers = status.path("containerStatuses");
        return ENDED.contains(PodLife.phase(pod))
                && !containers.isEmpty()
                && containers.size() == pod.path("spec").path("containers").size()
                && StreamSupport.stream(containers.spliterator(), false)
                        .allMatch(c -> c.path("state").has("terminated"));
    }
}
