package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.core.JsonToken;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.Errors;
import io.github.etcdgitops.gateway.kube.api.KubeApi;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.health.Defect;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

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

    public Listing list(Predicate<ClusterRef> wanted) {
        var shared = new ListedObjects.Shared(wanted, new AtomicLong(bounds.kept()));
        var leftOut = new IgnoredObjects();
        var texts = new EnumMap<ObjectKind, PackedTexts>(ObjectKind.class);
        KINDS.forEach(kind -> texts.put(kind, new PackedTexts(shared.room())));
        var listed =
                listKinds(kind -> new ListedObjects(kind, shared, Objects.requireNonNull(texts.get(kind))), leftOut);
        if (listed.values().stream().noneMatch(Observed::isKnown)) {
            throw new GatewayException(
                    Kind.UNREACHABLE,
                    false,
                    "nothing could be listed: "
                            + listed.values().iterator().next().unknownReason().orElse(""));
        }
        texts.values().forEach(PackedTexts::end);
        return new PackedRings(listed, texts, leftOut.sentences(shared.others().more()));
    }

    private Map<ObjectKind, Observed<Map<ClusterRef, ListedObjects.Parts>>> listKinds(
            Function<ObjectKind, ListedObjects> fresh, IgnoredObjects leftOut) {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = new EnumMap<ObjectKind, List<Future<ListedObjects>>>(ObjectKind.class);
            for (ObjectKind kind : KINDS) {
                var perNamespace = new ArrayList<Future<ListedObjects>>();
                namespaces.forEach(namespace ->
                        perNamespace.add(executor.submit(() -> all(kind, namespace, () -> fresh.apply(kind)))));
                tasks.put(kind, perNamespace);
            }
            var listed = new EnumMap<ObjectKind, Observed<Map<ClusterRef, ListedObjects.Parts>>>(ObjectKind.class);
            tasks.forEach((kind, lists) -> listed.put(kind, gathered(kind, lists, leftOut)));
            return listed;
        }
    }

    private static Observed<Map<ClusterRef, ListedObjects.Parts>> gathered(
            ObjectKind kind, List<Future<ListedObjects>> lists, IgnoredObjects leftOut) {
        var byRing = new HashMap<ClusterRef, ListedObjects.Parts>();
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
        return Observed.known(byRing);
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
        String version = api.traits().apiVersion(kind);
        do {
            boolean whole = bytes < bounds.whole();
            var query = new KubeApi.Query(kind, namespace, SELECTOR, PAGE, !whole);
            var page = api.stream(query, token, parser -> {
                if (parser.currentToken() == JsonToken.START_OBJECT) {
                    add(objects, ListedObject.read(parser, kind, version), whole);
                } else {
                    parser.skipChildren();
                }
            });
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

    private static boolean add(ListedObjects objects, ListedObject object, boolean whole) {
        return Defect.contain(() -> objects.add(object, whole), defect -> objects.unreadable(object, defect));
    }
}
