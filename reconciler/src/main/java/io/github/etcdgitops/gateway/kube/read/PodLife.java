package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.kube.api.Excerpt;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.WireName;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.PodPhase;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The condition of a member's pod.
public final class PodLife {
    /// Waiting reasons of a container that last until a person acts, and the text for each. For a failed
    /// pull the kubelet alternates between `ErrImagePull` and `ImagePullBackOff`: this is one problem, and
    /// a plan made during one of them must still be valid during the other.
    private static final Map<String, String> LASTING = Map.of(
            "ErrImagePull", "ImagePullBackOff",
            "ImagePullBackOff", "ImagePullBackOff",
            "InvalidImageName", "InvalidImageName",
            "ErrImageNeverPull", "ErrImageNeverPull",
            "CreateContainerConfigError", "CreateContainerConfigError",
            "CreateContainerError", "CreateContainerError");

    private PodLife() {}

    public static KubeState.Life of(JsonNode pod, boolean ready, Optional<Host> host) {
        var status = pod.path("status");
        var container = status.path("containerStatuses").path(0);
        return new KubeState.Life(
                ready,
                Tree.terminating(pod),
                container.path("restartCount").asInt(),
                waiting(container.path("state").path("waiting")).or(() -> unschedulable(status.path("conditions"))),
                whereabouts(pod, container, host));
    }

    private static KubeState.Whereabouts whereabouts(JsonNode pod, JsonNode container, Optional<Host> host) {
        String node = pod.path("spec").path("nodeName").asText();
        return new KubeState.Whereabouts(
                phase(pod),
                node.isEmpty() ? Optional.empty() : Optional.of(node),
                container.path("state").has("running"),
                Tree.time(pod.path("metadata").path("deletionTimestamp")),
                host);
    }

    /// Kubernetes gives every pod a phase; where it is left out, the pod is new.
    static PodPhase phase(JsonNode pod) {
        String phase = pod.path("status").path("phase").asText();
        return phase.isEmpty()
                ? PodPhase.PENDING
                : WireName.find(PodPhase.values(), phase).orElse(PodPhase.UNKNOWN);
    }

    private static Optional<String> waiting(JsonNode waiting) {
        return Optional.ofNullable(LASTING.get(waiting.path("reason").asText())).map(reason -> said(reason, waiting));
    }

    private static Optional<String> unschedulable(JsonNode conditions) {
        return elements(conditions)
                .filter(c -> c.path("type").asText().equals("PodScheduled")
                        && c.path("status").asText().equals("False")
                        && c.path("reason").asText().equals("Unschedulable"))
                .map(c -> said("Unschedulable", c))
                .findFirst();
    }

    private static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static String said(String reason, JsonNode by) {
        String message = by.path("message").asText();
        return message.isEmpty() ? reason : reason + ": " + Excerpt.of(message);
    }
}
