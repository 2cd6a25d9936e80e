package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Observed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// All rings at once: one paged LIST a kind (times the namespaces, where those are named), however many
/// rings there are. A LIST finds and never proves absence. A kind that could not be listed is Unknown for
/// every ring.
final class FleetList {
    private static final String SELECTOR = Labels.MANAGED_BY + "=" + Labels.MANAGER;
    private static final int PAGE = 500;
    private static final int RESTARTS = 3;
    private static final List<ObjectKind> KINDS = List.of(
            ObjectKind.STATEFUL_SET,
            ObjectKind.POD,
            ObjectKind.CLAIM,
            ObjectKind.CONFIG_MAP,
            ObjectKind.SERVICE,
            ObjectKind.BUDGET,
            ObjectKind.NETWORK_POLICY);

    private final KubeApi api;
    private final List<String> namespaces;

    /// No namespaces means all of them.
    FleetList(KubeApi api, List<String> namespaces) {
        this.api = api;
        this.namespaces = namespaces.isEmpty() ? List.of("") : List.copyOf(namespaces);
    }

    /// Objects of one kind, by ring and name.
    private record Found(Map<ClusterRef, Map<String, ObjectNode>> byRing) {
        Map<String, ObjectNode> of(ClusterRef ref) {
            return byRing.getOrDefault(ref, Map.of());
        }
    }

    SortedMap<ClusterRef, KubeState> list() {
        Map<ObjectKind, Observed<Found>> listed = listKinds();
        if (listed.values().stream().allMatch(o -> o instanceof Observed.Unknown<Found>)) {
            throw new GatewayException(
                    Kind.UNREACHABLE,
                    false,
                    "nothing could be listed: "
                            + listed.values().iterator().next().unknownReason().orElse(""));
        }
        var refs = new TreeSet<ClusterRef>();
        listed.values()
                .forEach(o -> o.optional()
                        .ifPresent(found -> refs.addAll(found.byRing().keySet())));
        var rings = new TreeMap<ClusterRef, KubeState>();
        refs.forEach(ref -> rings.put(ref, StateMapper.state(ref, parts(ref, listed))));
        return Collections.unmodifiableSortedMap(rings);
    }

    private Map<ObjectKind, Observed<Found>> listKinds() {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = new EnumMap<ObjectKind, List<Future<List<ObjectNode>>>>(ObjectKind.class);
            for (ObjectKind kind : KINDS) {
                var perNamespace = new ArrayList<Future<List<ObjectNode>>>();
                namespaces.forEach(namespace -> perNamespace.add(executor.submit(() -> all(kind, namespace))));
                tasks.put(kind, perNamespace);
            }
            var listed = new EnumMap<ObjectKind, Observed<Found>>(ObjectKind.class);
            tasks.forEach((kind, lists) -> listed.put(kind, gathered(lists)));
            return listed;
        }
    }

    private static Observed<Found> gathered(List<Future<List<ObjectNode>>> lists) {
        var byRing = new HashMap<ClusterRef, Map<String, ObjectNode>>();
        try {
            for (Future<List<ObjectNode>> list : lists) {
                list.get()
                        .forEach(object -> byRing.computeIfAbsent(ring(object), _ -> new HashMap<>())
                                .put(Tree.name(object), object));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Observed.unknown("listing was interrupted");
        } catch (ExecutionException e) {
            return Observed.unknown(
                    e.getCause() instanceof GatewayException known
                            ? String.valueOf(known.getMessage())
                            : "listing failed (" + Errors.name(e) + ")");
        }
        return Observed.known(new Found(byRing));
    }

    private static ClusterRef ring(JsonNode object) {
        return new ClusterRef(
                object.path("metadata").path("namespace").asText(),
                Tree.labels(object).getOrDefault(Labels.CLUSTER, ""));
    }

    /// A continue token lives for some minutes. When it has expired, half a list is worth nothing: again
    /// from the start.
    private List<ObjectNode> all(ObjectKind kind, String namespace) {
        for (int attempt = 0; ; attempt++) {
            try {
                return pages(kind, namespace);
            } catch (GatewayException e) {
                if (e.kind() != Kind.CONFLICT || attempt == RESTARTS) {
                    throw e;
                }
            }
        }
    }

    private List<ObjectNode> pages(ObjectKind kind, String namespace) {
        var items = new ArrayList<ObjectNode>();
        String token = "";
        do {
            ObjectNode page = api.page(kind, namespace, SELECTOR, PAGE, token);
            for (JsonNode item : page.path("items")) {
                if (item instanceof ObjectNode object && partOfARing(Tree.labels(object))) {
                    items.add(slim(kind, object));
                }
            }
            token = page.path("metadata").path("continue").asText();
        } while (!token.isEmpty());
        return items;
    }

    /// A drill's pod is in a namespace where the ring is not.
    private static boolean partOfARing(Map<String, String> labels) {
        return labels.containsKey(Labels.CLUSTER) && !labels.containsKey(Labels.JOB);
    }

    /// Items of a list do not say what they are. Of thousands of objects only what the state needs is
    /// kept.
    private ObjectNode slim(ObjectKind kind, ObjectNode object) {
        object.put("apiVersion", api.traits().apiVersion(kind)).put("kind", kind.kind());
        Tree.metadata(object).remove("managedFields");
        if (kind == ObjectKind.POD) {
            object.remove("spec");
        }
        if (kind == ObjectKind.CLAIM) {
            object.withObjectProperty("spec").retain("resources", "storageClassName");
        }
        if (kind == ObjectKind.POD || kind == ObjectKind.CLAIM) {
            object.withObjectProperty("status").retain("podIP", "conditions", "phase", "capacity", "containerStatuses");
        }
        if (kind == ObjectKind.STATEFUL_SET) {
            object.withObjectProperty("spec").retain("replicas", "updateStrategy", "volumeClaimTemplates");
        }
        return object;
    }

    private static RingParts parts(ClusterRef ref, Map<ObjectKind, Observed<Found>> listed) {
        var objects = new EnumMap<Part, Observed<Optional<ObjectNode>>>(Part.class);
        for (Part part : Part.values()) {
            objects.put(
                    part,
                    of(listed, part.kind())
                            .map(found -> Optional.ofNullable(found.of(ref).get(part.name(ref)))));
        }
        String claims = ClaimTemplates.nameOf(objects::get) + "-" + ref.name() + "-";
        return new RingParts(
                objects,
                of(listed, ObjectKind.POD).map(found -> byOrdinal(found.of(ref), ref.name() + "-")),
                of(listed, ObjectKind.CLAIM).map(found -> byOrdinal(found.of(ref), claims)),
                Hosts.NONE,
                false);
    }

    private static Observed<Found> of(Map<ObjectKind, Observed<Found>> listed, ObjectKind kind) {
        return listed.getOrDefault(kind, Observed.unknown("not listed"));
    }

    private static SortedMap<Integer, ObjectNode> byOrdinal(Map<String, ObjectNode> objects, String prefix) {
        var byOrdinal = new TreeMap<Integer, ObjectNode>();
        objects.forEach(
                (name, object) -> Ordinals.of(prefix, name, "").ifPresent(ordinal -> byOrdinal.put(ordinal, object)));
        return byOrdinal;
    }
}
