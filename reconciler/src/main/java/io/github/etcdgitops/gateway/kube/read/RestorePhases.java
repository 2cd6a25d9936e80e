package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.RestoreJobs.Lack;
import io.github.etcdgitops.gateway.RestoreJobs.Phase;
import io.github.etcdgitops.gateway.kube.api.Excerpt;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.InspectionManifest;
import io.github.etcdgitops.gateway.kube.manifest.RestoreContainers;
import io.github.etcdgitops.gateway.kube.manifest.RoomManifest;
import io.github.etcdgitops.gateway.kube.manifest.V2KeysManifest;
import io.github.etcdgitops.state.PodPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The progress of a Job of ours, from the state of the Job and its pod.
public final class RestorePhases {
    private static final int NO_CODE = -1;

    /// The kubelet reports these for a container that waits for earlier ones.
    private static final Set<String> IN_ORDER = Set.of("", "PodInitializing", "ContainerCreating");

    private static final Set<String> PULLING =
            Set.of("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError");

    private static final Set<String> FIRST =
            Set.of(RestoreContainers.RECEIVE, InspectionManifest.COPY, RoomManifest.ROOM, V2KeysManifest.KEYS);

    private static final Map<String, String> ENDS = Map.of(
            "OOMKilled", "it needed more memory than its limit",
            "ContainerCannotRun", "it could not be started",
            "StartError", "it could not be started",
            "ContainerStatusUnknown", "the kubelet does not know how it ended");

    private static final Map<String, String> POD_ENDS = Map.of(
            "Evicted", "the node evicted the pod",
            "Preempting", "a pod of higher priority took its place",
            "NodeLost", "its node was lost",
            "NodeShutdown", "its node was shut down",
            "Shutdown", "its node was shut down",
            "Terminated", "its node was shut down");

    private RestorePhases() {}

    public static Phase of(JsonNode job, Optional<? extends JsonNode> pod) {
        Optional<Phase> measured = pod.flatMap(p -> measured(p.path("status").path("containerStatuses")));
        if (measured.isPresent()) {
            return measured.get();
        }
        if (condition(job, "Complete").isPresent()) {
            return new Phase.Succeeded();
        }
        Optional<Phase> seen = pod.map(RestorePhases::ofPod);
        Optional<JsonNode> failed = condition(job, "Failed");
        if (failed.isPresent() && !(seen.orElse(null) instanceof Phase.Failed)) {
            return new Phase.Failed("", NO_CODE, failure(job, failed.get()), "");
        }
        return seen.orElseGet(() -> new Phase.Pending(Lack.POD, "there is no pod yet"));
    }

    private static String failure(JsonNode job, JsonNode condition) {
        return condition.path("reason").asText().equals("DeadlineExceeded")
                ? "it was not finished within "
                        + job.path("spec").path("activeDeadlineSeconds").asLong() + " seconds"
                : "its pod failed or was removed";
    }

    private static Phase ofPod(JsonNode pod) {
        JsonNode status = pod.path("status");
        var containers = new ArrayList<JsonNode>();
        status.path("initContainerStatuses").forEach(containers::add);
        status.path("containerStatuses").forEach(containers::add);
        String podReason = status.path("reason").asText();
        if (POD_ENDS.containsKey(podReason)) {
            return new Phase.Failed("", NO_CODE, POD_ENDS.get(podReason), "");
        }
        var told = told(containers);
        if (told.isPresent()) {
            return told.get();
        }
        for (JsonNode container : containers) {
            JsonNode ended = container.path("state").path("terminated");
            if (!ended.isMissingNode() && failed(container, ended)) {
                return Tree.terminating(pod)
                        ? new Phase.Failed("", NO_CODE, "the pod was removed", "")
                        : failed(container.path("name").asText(), ended);
            }
        }
        if (PodLife.phase(pod) == PodPhase.FAILED) {
            return new Phase.Failed("", NO_CODE, "the pod failed", "");
        }
        if (Tree.terminating(pod)) {
            return new Phase.Pending("the pod is being removed");
        }
        return running(pod, containers);
    }

    /// The pod's only container: the Job ends with it.
    private static Optional<Phase> measured(JsonNode containers) {
        for (JsonNode container : containers) {
            JsonNode ended = container.path("state").path("terminated");
            if (container.path("name").asText().equals(RoomManifest.ROOM)
                    && ended.path("exitCode").asInt(NO_CODE) == 0) {
                var free = RoomManifest.told(ended.path("message").asText());
                return Optional.of(
                        free.isPresent()
                                ? new Phase.Measured(free.getAsLong())
                                : new Phase.Failed(RoomManifest.ROOM, 0, "its result cannot be parsed", ""));
            }
        }
        return Optional.empty();
    }

    /// Once the result is there, etcd and the pod no longer matter.
    private static Optional<Phase> told(List<JsonNode> containers) {
        return containers.stream()
                .filter(c -> c.path("name").asText().equals(InspectionManifest.TELL))
                .map(c -> c.path("state").path("terminated"))
                .filter(ended -> ended.has("exitCode") && ended.path("exitCode").asInt() == 0)
                .findFirst()
                .map(ended -> InspectionManifest.told(ended.path("message").asText())
                        .<Phase>map(Phase.Told::new)
                        .orElseGet(
                                () -> new Phase.Failed(InspectionManifest.TELL, 0, "its result cannot be parsed", "")));
    }

    /// A drill's etcd has no reason to exit by itself.
    private static boolean failed(JsonNode container, JsonNode ended) {
        return ended.path("exitCode").asInt(NO_CODE) != 0
                || container.path("name").asText().equals(RestoreContainers.SERVE);
    }

    private static Phase failed(String container, JsonNode ended) {
        int code = ended.path("exitCode").asInt(NO_CODE);
        String words = ENDS.getOrDefault(ended.path("reason").asText(), "it ended with exit code " + code);
        return new Phase.Failed(
                container, code, words, Excerpt.of(ended.path("message").asText()));
    }

    private static Phase running(JsonNode pod, List<JsonNode> containers) {
        for (JsonNode container : containers) {
            JsonNode state = container.path("state");
            String name = container.path("name").asText();
            if (state.has("running") && name.equals(InspectionManifest.TELL)) {
                continue;
            }
            if (state.has("running")) {
                return phase(name);
            }
            if (!state.has("terminated")) {
                String reason = state.path("waiting").path("reason").asText();
                return IN_ORDER.contains(reason)
                        ? before(name)
                        : new Phase.Pending(Lack.CONTAINER, stuck(container, reason));
            }
        }
        return containers.isEmpty() ? unscheduled(pod) : new Phase.Succeeded();
    }

    private static Phase phase(String container) {
        return Map.of(
                        RestoreContainers.RECEIVE, new Phase.Receiving(),
                        InspectionManifest.COPY, new Phase.Copying(),
                        RestoreContainers.RESTORE, new Phase.Restoring(),
                        RestoreContainers.SETTLE, new Phase.Settling(),
                        RestoreContainers.SERVE, new Phase.Serving())
                .getOrDefault(container, new Phase.Pending(""));
    }

    /// While the next container is being created.
    private static Phase before(String container) {
        return FIRST.contains(container) ? new Phase.Pending("") : new Phase.Restoring();
    }

    private static String stuck(JsonNode container, String reason) {
        String image = container.path("image").asText();
        return PULLING.contains(reason)
                ? "the image " + image + " cannot be pulled"
                : "the kubelet cannot start " + container.path("name").asText() + " from the image " + image;
    }

    private static Phase unscheduled(JsonNode pod) {
        for (JsonNode condition : pod.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("PodScheduled")
                    && condition.path("status").asText().equals("False")) {
                String why = Excerpt.of(condition.path("message").asText());
                return new Phase.Pending(Lack.MACHINE, "no node takes the pod" + (why.isEmpty() ? "" : ": " + why));
            }
        }
        return new Phase.Pending("");
    }

    private static Optional<JsonNode> condition(JsonNode job, String type) {
        for (JsonNode condition : job.path("status").path("conditions")) {
            if (condition.path("type").asText().equals(type)
                    && condition.path("status").asText().equals("True")) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }
}
