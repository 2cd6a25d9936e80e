package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.state.ClaimPhase;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.Machine;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The state of the nodes of unhealthy pods. If all pods of a ring are ready, it reads nothing. Otherwise
/// it reads one node for each pod that is not ready, and finds the node that has its volume where no pod
/// uses the volume any more. So the cost depends on what is broken and not on the number of nodes.
///
/// A node is gone where a read by name says so. A node that has a volume must also not be found by the
/// label that the volume names: a node's name may differ from its label.
public final class NodeReads {
    private static final int ONE = 1;

    private final KubeApi api;

    public NodeReads(KubeApi api) {
        this.api = api;
    }

    public Hosts of(Observed<SortedMap<Integer, ObjectNode>> pods, Observed<SortedMap<Integer, ObjectNode>> claims) {
        var known = pods.optional();
        if (known.isEmpty()) {
            return Hosts.NONE;
        }
        var machines = new HashMap<String, Observed<Machine>>();
        var ofPods = new TreeMap<Integer, Host>();
        known.get().forEach((ordinal, pod) -> {
            String node = pod.path("spec").path("nodeName").asText();
            if (!node.isEmpty() && !well(pod)) {
                ofPods.put(ordinal, new Host(node, machines.computeIfAbsent(node, this::machine)));
            }
        });
        var ofVolumes = new TreeMap<Integer, Host>();
        claims.optional()
                .ifPresent(all -> all.forEach((ordinal, claim) -> {
                    if (isAdrift(ordinal, known.get(), ofPods)) {
                        home(claim).ifPresent(host -> ofVolumes.put(ordinal, host));
                    }
                }));
        return new Hosts(ofPods, ofVolumes);
    }

    private static boolean well(JsonNode pod) {
        return !Tree.terminating(pod) && StateMapper.pod(pod).ready();
    }

    /// No pod uses the claim's volume on an existing node.
    private static boolean isAdrift(int ordinal, Map<Integer, ObjectNode> pods, Map<Integer, Host> hosts) {
        var pod = pods.get(ordinal);
        var host = Optional.ofNullable(hosts.get(ordinal));
        return pod == null || host.map(Host::gone).orElseGet(() -> isPending(pod));
    }

    private static boolean isPending(JsonNode pod) {
        return pod.path("spec").path("nodeName").asText().isEmpty();
    }

    /// Empty where the volume is not bound to nodes, or is itself gone: then its claim says so.
    private Optional<Host> home(JsonNode claim) {
        String name = claim.path("spec").path("volumeName").asText();
        boolean bound = VolumeStates.phase(claim) == ClaimPhase.BOUND;
        if (name.isEmpty() || !bound) {
            return Optional.empty();
        }
        try {
            return api.get(ObjectKind.VOLUME, "", name)
                    .map(volume -> List.copyOf(NodeBinding.of(volume)))
                    .filter(tethers -> !tethers.isEmpty())
                    .map(this::host);
        } catch (GatewayException e) {
            return Optional.of(new Host("", Observed.unknown(String.valueOf(e.getMessage()))));
        }
    }

    /// If several nodes have it, the one in the best state counts.
    private Host host(List<NodeBinding> tethers) {
        String names = tethers.stream().map(NodeBinding::value).distinct().collect(Collectors.joining(", "));
        var seen = new ArrayList<Observed<Machine>>();
        tethers.forEach(tether -> seen.add(machine(tether)));
        return new Host(
                names,
                seen.stream()
                        .filter(m -> is(m, Machine.Ready.class))
                        .findFirst()
                        .or(() -> seen.stream().filter(m -> !m.isKnown()).findFirst())
                        .or(() -> seen.stream()
                                .filter(m -> is(m, Machine.Silent.class))
                                .findFirst())
                        .orElseGet(seen::getFirst));
    }

    private static boolean is(Observed<Machine> machine, Class<? extends Machine> kind) {
        return machine.optional().filter(kind::isInstance).isPresent();
    }

    private Observed<Machine> machine(NodeBinding tether) {
        if (!tether.isLabel()) {
            return machine(tether.value());
        }
        try {
            var query = new KubeApi.Query(ObjectKind.NODE, "", tether.label() + "=" + tether.value(), ONE, false);
            var found = new ArrayList<JsonNode>();
            api.page(query, "", (node, _) -> found.add(node));
            return found.isEmpty() ? machine(tether.value()) : standing(found.getFirst());
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }

    private Observed<Machine> machine(String name) {
        try {
            return api.get(ObjectKind.NODE, "", name)
                    .map(NodeReads::standing)
                    .orElseGet(() -> Observed.known(new Machine.Gone()));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }

    /// A node that never reported ready is as unreachable as one that stopped reporting.
    private static Observed<Machine> standing(JsonNode node) {
        Optional<JsonNode> ready = Optional.empty();
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                ready = Optional.of(condition);
            }
        }
        if (ready.filter(c -> c.path("status").asText().equals("True")).isPresent()) {
            return Observed.known(new Machine.Ready());
        }
        return ready.flatMap(c -> Tree.time(c.path("lastTransitionTime")))
                .or(() -> Tree.time(node.path("metadata").path("creationTimestamp")))
                .<Observed<Machine>>map(since -> Observed.known(new Machine.Silent(since)))
                .orElseGet(() ->
                        Observed.unknown("the Node " + Tree.name(node) + " does not say since when it is not ready"));
    }
}
