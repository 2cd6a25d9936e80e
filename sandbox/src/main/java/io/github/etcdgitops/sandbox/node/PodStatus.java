package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/// Writes what the kubelet says about a pod. What is as before stays as it was, times included.
///
/// `first` are those that run one after the other before the `main` ones.
record PodStatus(
        String address,
        Instant since,
        RestartPolicy policy,
        Map<ContainerSpec, ContainerView> first,
        Map<ContainerSpec, ContainerView> main) {
    private static final String COMPLETED = "PodCompleted";

    ObjectNode writeTo(ObjectNode pod, Instant now) {
        ObjectNode status = pod.withObjectProperty("status");
        String phase = phase(status);
        status.put("phase", phase);
        status.put("hostIP", MachineNodes.ADDRESS).put("podIP", address);
        status.putArray("podIPs").addObject().put("ip", address);
        if (!status.hasNonNull("startTime")) {
            status.put("startTime", Meta.time(since));
        }
        boolean completed = phase.equals("Succeeded");
        List<String> incomplete = names(first, view -> !view.succeeded());
        var initialized = new Why(completed, "ContainersNotInitialized", "containers with incomplete status: ");
        condition(status, "Initialized", incomplete, initialized, now);
        List<String> unready = names(main, view -> !view.ready());
        var ready = new Why(completed, "ContainersNotReady", "containers with unready status: ");
        condition(status, "Ready", unready, ready, now);
        condition(status, "ContainersReady", unready, ready, now);
        condition(status, "PodScheduled", List.of(), Why.NONE, now);
        if (!first.isEmpty()) {
            ArrayNode statuses = status.putArray("initContainerStatuses");
            first.forEach((container, view) -> write(container, view, view.succeeded(), statuses.addObject()));
        }
        ArrayNode statuses = status.putArray("containerStatuses");
        main.forEach((container, view) -> write(container, view, view.ready(), statuses.addObject()));
        return pod;
    }

    private static List<String> names(Map<ContainerSpec, ContainerView> containers, Predicate<ContainerView> which) {
        return containers.entrySet().stream()
                .filter(container -> which.test(container.getValue()))
                .map(container -> container.getKey().name())
                .toList();
    }

    /// Pending until every container has run once. Only a pod whose containers are not started again has an end.
    private String phase(ObjectNode before) {
        if (policy != RestartPolicy.ALWAYS) {
            if (first.values().stream().anyMatch(this::failed)) {
                return "Failed";
            }
            if (main.values().stream().allMatch(this::ended)) {
                return main.values().stream().allMatch(ContainerView::succeeded) ? "Succeeded" : "Failed";
            }
        }
        if (!first.values().stream().allMatch(ContainerView::succeeded)) {
            return "Pending";
        }
        boolean ran = main.values().stream()
                .allMatch(view -> !(view.state() instanceof ContainerView.Waiting) || view.restarts() > 0);
        return ran || before.path("phase").asText().equals("Running") ? "Running" : "Pending";
    }

    private boolean ended(ContainerView view) {
        return view.state() instanceof ContainerView.Terminated;
    }

    private boolean failed(ContainerView view) {
        return ended(view) && !view.succeeded();
    }

    /// Of a condition that does not hold.
    private record Why(boolean completed, String reason, String message) {
        static final Why NONE = new Why(false, "", "");
    }

    private static void condition(ObjectNode status, String type, List<String> missing, Why why, Instant now) {
        ArrayNode conditions = status.withArrayProperty("conditions");
        var others = new ArrayList<JsonNode>();
        ObjectNode condition = conditions.objectNode().put("type", type);
        String truth = missing.isEmpty() ? "True" : "False";
        String changed = Meta.time(now);
        for (JsonNode each : conditions) {
            if (!each.path("type").asText().equals(type)) {
                others.add(each);
            } else if (each.path("status").asText().equals(truth)) {
                changed = each.path("lastTransitionTime").asText(changed);
            }
        }
        condition.put("status", truth).putNull("lastProbeTime").put("lastTransitionTime", changed);
        if (why.completed()) {
            condition.put("reason", COMPLETED);
        } else if (!missing.isEmpty()) {
            condition.put("reason", why.reason()).put("message", why.message() + missing);
        }
        conditions.removeAll().addAll(others).add(condition);
    }

    private static void write(ContainerSpec container, ContainerView view, boolean ready, ObjectNode status) {
        status.put("name", container.name())
                .put("image", container.image())
                .put("imageID", view.state() instanceof ContainerView.Waiting ? "" : container.image())
                .put("restartCount", view.restarts())
                .put("ready", ready)
                .put("started", view.started());
        write(view.state(), status.putObject("state"));
        ObjectNode last = status.putObject("lastState");
        view.last().ifPresent(end -> write(end, last));
        if (view.state() instanceof ContainerView.Running running) {
            status.put("containerID", id(running.pid()));
        }
    }

    private static void write(ContainerView.State state, ObjectNode to) {
        switch (state) {
            case ContainerView.Waiting waiting -> {
                ObjectNode node = to.putObject("waiting").put("reason", waiting.reason());
                if (!waiting.message().isEmpty()) {
                    node.put("message", waiting.message());
                }
            }
            case ContainerView.Running running -> to.putObject("running").put("startedAt", Meta.time(running.since()));
            case ContainerView.Terminated end -> {
                ObjectNode node = to.putObject("terminated")
                        .put("containerID", id(end.pid()))
                        .put("exitCode", end.exitCode())
                        .put("reason", end.exitCode() == 0 ? "Completed" : "Error")
                        .put("startedAt", Meta.time(end.since()))
                        .put("finishedAt", Meta.time(end.until()));
                if (!end.message().isEmpty()) {
                    node.put("message", end.message());
                }
            }
        }
    }

    private static String id(long pid) {
        return "process://" + pid;
    }
}
