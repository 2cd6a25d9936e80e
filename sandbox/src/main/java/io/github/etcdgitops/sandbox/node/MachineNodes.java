package io.github.etcdgitops.sandbox.node;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.KubeObjects;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// The Node objects of the machines, and what they say about them.
final class MachineNodes {
    /// All of them are this machine.
    static final String ADDRESS = "127.0.0.1";

    private static final int PODS = 250;
    private static final long MEMORY_PER_POD_MIB = 256;

    private final KubeObjects objects;
    private final InstantSource clock;
    private final List<String> names;

    MachineNodes(KubeObjects objects, InstantSource clock, int count) {
        this.objects = objects;
        this.clock = clock;
        names = IntStream.rangeClosed(1, count).mapToObj(i -> "node-" + i).toList();
    }

    List<String> names() {
        return names;
    }

    /// Those that are `away` are not asked.
    void register(Set<String> away) {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (away.contains(name)) {
                continue;
            }
            if (objects.find(Resource.NODE, "", name).isEmpty()) {
                ObjectNode node = JsonNodeFactory.instance.objectNode();
                Meta.of(node)
                        .put("name", name)
                        .putObject("labels")
                        .put("kubernetes.io/hostname", name)
                        .put("kubernetes.io/os", "linux")
                        .put("topology.kubernetes.io/zone", "zone-" + (i % 3 + 1));
                objects.create(Resource.NODE, "", node);
            }
            heard(name);
        }
    }

    private void heard(String name) {
        report(name, "True", "KubeletReady", "the sandbox runs its pods");
    }

    void silent(String name) {
        report(name, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.");
    }

    private void report(String name, String ready, String reason, String message) {
        String now = Meta.time(clock.instant());
        objects.updateStatus(Resource.NODE, "", name, node -> {
            ObjectNode status = node.withObjectProperty("status");
            for (String amounts : List.of("capacity", "allocatable")) {
                status.putObject(amounts)
                        .put("cpu", Integer.toString(PODS))
                        .put("memory", PODS * MEMORY_PER_POD_MIB + "Mi")
                        .put("pods", Integer.toString(PODS));
            }
            status.putArray("addresses")
                    .add(address(node, "InternalIP", ADDRESS))
                    .add(address(node, "Hostname", name));
            String before = status.path("conditions").path(0).path("status").asText();
            String since =
                    status.path("conditions").path(0).path("lastTransitionTime").asText(now);
            status.putArray("conditions")
                    .addObject()
                    .put("type", "Ready")
                    .put("status", ready)
                    .put("reason", reason)
                    .put("message", message)
                    .put("lastHeartbeatTime", now)
                    .put("lastTransitionTime", before.equals(ready) ? since : now);
            return node;
        });
    }

    private static ObjectNode address(ObjectNode node, String type, String address) {
        return node.objectNode().put("type", type).put("address", address);
    }
}
