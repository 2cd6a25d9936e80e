package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.Errors;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.health.Defect;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// All rings at once: one paged LIST per kind (and per namespace, where namespaces are named), however many
/// rings there are. A LIST finds objects and never proves absence. A kind that could not be listed is
/// Unknown for every ring.
public final class FleetList {
    /// A drill's pod may be in a namespace without the ring. An object that names no ring belongs to none.
    private static final String SELECTOR =
            Labels.MANAGED_BY + "=" + Labels.MANAGER + "," + Labels.CLUSTER + ",!" + Labels.JOB;
    private static final int PAGE = 500;
    /// The minimum that every page counts as; otherwise a list of empty pages would never end.
    private static final long LEAST_PAGE = 64 << 10;

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
    private final Bounds bounds;

    /// `whole` is how many bytes of a list are read with the objects' contents. After that, and up to
    /// `most`, only their metadata is read, which is enough to read a ring by name. `kept` is what all
    /// lists may keep in memory.
    public record Bounds(long whole, long most, long kept) {
        private static final long MIB = 1 << 20;
        private static final int SHARE = 4;

        public static Bounds standard() {
            return new Bounds(512 * MIB, 4096 * MIB, Runtime.getRuntime().maxMemory() / SHARE);
        }
    }

    /// Without namespaces, all of them.
    public FleetList(KubeApi api, List<String> namespaces) {
        this(api, namespaces, Bounds.standard());
    }

    public FleetList(KubeApi api, List<String> namespaces, Bounds bounds) {
        this.api = api;
        this.namespaces = namespaces.isEmpty() ? List.of("") : List.copyOf(namespaces);
        this.bounds = bounds;
    }

    /// Objects of one kind, by ring and name.
    private record Found(Map<ClusterRef, Map<String, Observed<ObjectNode>>> byRing) {
        Map<String, Observed<ObjectNode>> of(ClusterRef ref) {
            return byRing.getOrDefault(ref, Map.of());
        }
    }

    public Listing list(Predicate<ClusterRef> wanted) {
        var leftOut = new IgnoredObjects();
        var others = new ListedObjects.Others();
        var room = new AtomicLong(bounds.kept());
        var listed = listKinds(() -> new ListedObjects(wanted, others, room), leftOut);
        if (listed.values().stream().noneMatch(Observed::isKnown)) {
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
        refs.forEach(ref -> rings.put(
                ref,
                Defect.contain(
                        () -> StateMapper.state(ref, parts(ref, listed)), defect -> KubeState.unread(defect.in(ref)))));
        return new Listing(rings, leftOut.sentences(others.more()));
    }

    private Map<ObjectKind, Observed<Found>> listKinds(Supplier<ListedObjects> fresh, IgnoredObjects leftOut) {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = new EnumMap<ObjectKind, List<Future<ListedObjects>>>(ObjectKind.class);
            for (ObjectKind kind : KINDS) {
                var perNamespace = new ArrayList<Future<ListedObjects>>();
                namespaces.forEach(namespace -> perNamespace.add(executor.submit(() -> all(kind, namespace, fresh))));
                tasks.put(kind, perNamespace);
            }
            var listed = new EnumMap<ObjectKind, Observed<Found>>(ObjectKind.class);
            tasks.forEach((kind, lists) -> listed.put(kind, gathered(kind, lists, leftOut)));
            return listed;
        }
    }

    private static Observed<Found> gathered(
            ObjectKind kind, List<Future<ListedObjects>> lists, IgnoredObjects leftOut) {
        var byRing = new HashMap<ClusterRef, Map<String, Observed<ObjectNode>>>();
        try {
            for (Future<ListedObjects> list : lists) {
                var objects = list.get();
                byRing.putAll(objects.byRing());
                leftOut.add(kind, objects);
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

    /// A continue token expires after some minutes. Then half a list is useless: it starts again.
    private ListedObjects all(ObjectKind kind, String namespace, Supplier<ListedObjects> fresh) {
        for (int attempt = 0; ; attempt++) {
            try {
                return pages(kind, namespace, fresh.get());
            } catch (GatewayException e) {
                if (e.kind() != Kind.CONFLICT || attempt == RESTARTS) {
                    throw e;
                }
            }
        }
    }

    private ListedObjects pages(ObjectKind kind, String namespace, ListedObjects objects) {
        long bytes = 0;
        String token = "";
        do {
            boolean whole = bytes < bounds.whole();
            var query = new KubeApi.Query(kind, namespace, SELECTOR, PAGE, !whole);
            var page = api.page(
                    query,
                    token,
                    (object, size) -> Defect.contain(
                            () -> objects.add(slim(kind, object), size, whole),
                            defect -> objects.unreadable(object, defect)));
            bytes += Math.max(page.bytes(), LEAST_PAGE);
            token = page.token();
            if (bytes > bounds.most()) {
                throw new GatewayException(
                        Kind.REJECTED,
                        false,
                        "the list of " + kind.plural() + " with the label " + SELECTOR + " has more than "
                                + bounds.most() + " bytes. Find out who creates so many objects with this label");
            }
        } while (!token.isEmpty());
        return objects;
    }

    /// Items of a list do not contain their kind. Of thousands of objects only what the state needs is
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
            String name = part.name(ref);
            objects.put(
                    part,
                    !of(listed, part.kind()).isKnown()
                            ? Observed.unknown(
                                    of(listed, part.kind()).unknownReason().orElse("not listed"))
                            : part(
                                    part.kind(),
                                    name,
                                    of(listed, part.kind())
                                            .optional()
                                            .orElseThrow()
                                            .of(ref)
                                            .get(name)));
        }
        String claims = ClaimTemplates.nameOf(objects::get) + "-" + ref.name() + "-";
        return new RingParts(
                objects,
                byOrdinal(of(listed, ObjectKind.POD), ref, ref.name() + "-"),
                byOrdinal(of(listed, ObjectKind.CLAIM), ref, claims),
                Hosts.NONE,
                false);
    }

    private static Observed<Optional<ObjectNode>> part(
            ObjectKind kind, String name, @Nullable Observed<ObjectNode> found) {
        return switch (found) {
            case null -> Observed.known(Optional.empty());
            case Observed.Known<ObjectNode>(ObjectNode object) -> Observed.known(Optional.of(object));
            case Observed.Unknown<ObjectNode>(String why, var _) ->
                Observed.unknown(kind.kind() + " " + name + ": " + why);
        };
    }

    private static Observed<Found> of(Map<ObjectKind, Observed<Found>> listed, ObjectKind kind) {
        return listed.getOrDefault(kind, Observed.unknown("not listed"));
    }

    /// One Unknown object makes all of them Unknown: its ordinal is not known.
    private static Observed<SortedMap<Integer, ObjectNode>> byOrdinal(
            Observed<Found> listed, ClusterRef ref, String prefix) {
        var found = listed.optional();
        if (found.isEmpty()) {
            return Observed.unknown(listed.unknownReason().orElse("not listed"));
        }
        var byOrdinal = new TreeMap<Integer, ObjectNode>();
        for (var entry : found.get().of(ref).entrySet()) {
            var ordinal = Ordinals.of(prefix, entry.getKey(), "");
            if (ordinal.isPresent()) {
                switch (entry.getValue()) {
                    case Observed.Known<ObjectNode>(ObjectNode object) -> byOrdinal.put(ordinal.get(), object);
                    case Observed.Unknown<ObjectNode>(String why, var _) -> {
                        return Observed.unknown(entry.getKey() + ": " + why);
                    }
                }
            }
        }
        return Observed.known(byOrdinal);
    }
}
