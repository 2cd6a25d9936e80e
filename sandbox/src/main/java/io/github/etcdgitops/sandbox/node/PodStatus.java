package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Writes what the kubelet says about a pod. What is as before stays as it was, times included.
record PodStatus(String address, Instant since, Map<ContainerSpec, ContainerView> containers) {
    ObjectNode writeTo(ObjectNode pod, Instant now) {
        ObjectNode status = pod.withObjectProperty("status");
        List<String> unready = containers.entrySet().stream()
                .filter(container -> !container.getValue().ready())
                .map(container -> container.getKey().name())
                .toList();
        status.put("phase", phase(status));
        status.put("hostIP", MachineNodes.ADDRESS).put("podIP", address);
        status.putArray("podIPs").addObject().put("ip", address);
        if (!status.hasNonNull("startTime")) {
            status.put("startTime", Meta.time(since));
        }
        condition(status, "Initialized", List.of(), now);
        condition(status, "Ready", unready, now);
        condition(status, "ContainersReady", unready, now);
        condition(status, "PodScheduled", List.of(), now);
        ArrayNode statuses = status.putArray("containerStatuses");
        containers.forEach((container, view) -> write(container, view, statuses.addObject()));
        return pod;
    }

    /// Pending until every container has run once; this kubelet starts them again for ever.
    private String phase(ObjectNode before) {
        boolean ran = containers.values().stream()
                .allMatch(view -> !(view.state() instanceof ContainerView.Waiting) || view.restarts() > 0);
        return ran || before.path("phase").asText().equals("Running") ? "Running" : "Pending";
    }

    private static void condition(ObjectNode status, String type, List<String> unready, Instant now) {
        ArrayNode conditions = status.withArrayProperty("conditions");
        var others = new ArrayList<JsonNode>();
        ObjectNode condition = conditions.objectNode().put("type", type);
        String truth = unready.isEmpty() ? "True" : "False";
        String changed = Meta.time(now);
        for (JsonNode each : conditions) {
            if (!each.path("type").asText().equals(type)) {
                others.add(each);
            } else if (each.path("status").asText().equals(truth)) {
                changed = each.path("lastTransitionTime").asText(changed);
            }
        }
        condition.put("status", truth).putNull("lastProbeTime").put("lastTransitionTime", changed);
        if (!unready.isEmpty()) {
            condition.put("reason", "ContainersNotReady").put("message", "containers with unready status: " + unready);
        }
        conditions.removeAll().addAll(others).add(condition);
    }

    private static void write(ContainerSpec container, ContainerView view, ObjectNode status) {
        status.put("name", container.name())
                .put("image", container.image())
                .put("imageID", view.state() instanceof ContainerView.Waiting ? "" : container.image())
                .put("restartCount", view.restarts())
                .put("ready", view.ready())
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
            case ContainerView.Terminated end ->
                to.putObject("terminated")
                        .put("containerID", id(end.pid()))
                        .put("exitCode", end.exitCode())
                        .put("reason", end.exitCode() == 0 ? "Completed" : "Error")
                        .put("startedAt", Meta.time(end.since()))
                        .put("finishedAt", Meta.time(end.until()));
        }
    }

    private static String id(long pid) {
        return "process://" + pid;
    }
}
