package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.SecretShapes;
import io.github.etcdgitops.state.health.Defect;
import io.github.etcdgitops.state.value.Observed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// What is kept of the list of one kind: objects by ring and name. Anyone who may label an object can make
/// the list longer, so everything is limited: an object that is too large is Unknown, and read by name
/// where its ring is needed; impossible ring names are counted; and of rings that are not wanted only a
/// limited number is kept.
public final class ListedObjects {
    /// In bytes. The largest objects of a ring have some ten thousand.
    public static final int LARGEST_OBJECT = 512 << 10;

    private static final Pattern RING_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?");
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final int NODE = 48;

    private final Predicate<ClusterRef> wanted;
    private final AtomicLong room;
    private final Map<ClusterRef, Map<String, Observed<ObjectNode>>> byRing = new HashMap<>();
    private final Others others;
    private final SortedMap<String, Integer> misnamed = new TreeMap<>();

    /// Rings without a document: a limited number, the same ones for every kind.
    public static final class Others {
        public static final int MOST = 1000;
        private static final int COUNTED = 100_000;

        private final Set<ClusterRef> kept = new HashSet<>();
        private final Set<ClusterRef> more = new HashSet<>();

        synchronized boolean admits(ClusterRef ref) {
            if (kept.contains(ref)) {
                return true;
            }
            if (kept.size() < MOST) {
                return kept.add(ref);
            }
            if (more.size() < COUNTED) {
                more.add(ref);
            }
            return false;
        }

        synchronized int more() {
            return more.size();
        }
    }

    /// `others` and `room` are shared by all lists of a run: `room` is how much text and how many nodes may
    /// still be kept.
    ListedObjects(Predicate<ClusterRef> wanted, Others others, AtomicLong room) {
        this.wanted = wanted;
        this.others = others;
        this.room = room;
    }

    Map<ClusterRef, Map<String, Observed<ObjectNode>>> byRing() {
        return byRing;
    }

    /// By namespace: how many objects have a label with an impossible ring name.
    SortedMap<String, Integer> misnamed() {
        return misnamed;
    }

    /// Whether it is kept, even if only as Unknown.
    boolean add(ObjectNode object, long bytes, boolean whole) {
        return put(object, () -> kept(object, bytes, whole));
    }

    boolean unreadable(ObjectNode object, Defect defect) {
        return put(object, () -> Observed.unknown("internal error, " + defect + ". Please report it"));
    }

    private boolean put(ObjectNode object, Supplier<Observed<ObjectNode>> kept) {
        var ref = ring(object);
        if (!named(ref)) {
            boolean printable = NAMESPACE.matcher(ref.namespace()).matches() && !SecretShapes.known(ref.namespace());
            misnamed.merge(printable ? ref.namespace() : "?", 1, Integer::sum);
            return false;
        }
        boolean admitted = wanted.test(ref) || others.admits(ref);
        if (admitted) {
            byRing.computeIfAbsent(ref, _ -> new HashMap<>()).put(Tree.name(object), kept.get());
        }
        return admitted;
    }

    private static ClusterRef ring(JsonNode object) {
        return new ClusterRef(
                object.path("metadata").path("namespace").asText(),
                Tree.labels(object).getOrDefault(Labels.CLUSTER, ""));
    }

    private static boolean named(ClusterRef ref) {
        return RING_NAME.matcher(ref.name()).matches()
                && NAMESPACE.matcher(ref.namespace()).matches()
                && !SecretShapes.known(ref.toString());
    }

    private Observed<ObjectNode> kept(ObjectNode object, long bytes, boolean whole) {
        if (bytes > LARGEST_OBJECT) {
            return Observed.unknown("it has " + bytes + " bytes, and at most " + LARGEST_OBJECT + " are read");
        }
        long weight = weight(object);
        if (!whole || room.addAndGet(-weight) < 0) {
            return Observed.unknown("the list is too long to read it");
        }
        return Observed.known(object);
    }

    private static long weight(JsonNode node) {
        if (!node.isContainerNode()) {
            return NODE + (node.isTextual() ? node.textValue().length() : 0L);
        }
        long weight = NODE;
        for (var entry : node.properties()) {
            weight += NODE + entry.getKey().length();
        }
        for (JsonNode child : node) {
            weight += weight(child);
        }
        return weight;
    }
}
