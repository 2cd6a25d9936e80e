package io.github.etcdgitops.gateway.kube.read;

import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.SecretShapes;
import io.github.etcdgitops.state.health.Defect;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// What is kept of the list of one kind: objects by ring. Anyone who may label an object can make
/// the list longer, so everything is limited: an object that is too large is Unknown, and read by name
/// where its ring is needed; impossible ring names are counted; and of rings that are not wanted only a
/// limited number is kept.
public final class ListedObjects {
    /// In bytes. The largest objects of a ring have some ten thousand.
    public static final int LARGEST_OBJECT = ListedObject.LARGEST;

    /// About how many bytes the trees of all listed objects of one ring may have. A ring of nine has some two hundred
    /// thousand.
    public static final int HEAVIEST_RING = 1 << 20;

    private static final Pattern RING_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,50}[a-z0-9])?");
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    /// What a ring costs in this list, whatever its objects are.
    private static final int RING = 200;

    private final ObjectKind kind;
    private final Shared shared;
    private final PackedTexts texts;
    private final Map<ClusterRef, Parts> byRing = new HashMap<>();
    private final SortedMap<String, Integer> misnamed = new TreeMap<>();

    /// What all lists of a run share. `room` is how many bytes may still be kept.
    record Shared(Predicate<ClusterRef> wanted, Others others, AtomicLong room, Map<ClusterRef, ClusterRef> refs) {
        Shared(Predicate<ClusterRef> wanted, AtomicLong room) {
            this(wanted, new Others(), room, new ConcurrentHashMap<>());
        }
    }

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

    /// `texts` are those of all lists of the kind.
    ListedObjects(ObjectKind kind, Shared shared, PackedTexts texts) {
        this.kind = kind;
        this.shared = shared;
        this.texts = texts;
    }

    Map<ClusterRef, Parts> byRing() {
        return byRing;
    }

    /// By namespace: how many objects have a label with an impossible ring name.
    SortedMap<String, Integer> misnamed() {
        return misnamed;
    }

    /// Whether its ring is kept, even if the object is Unknown. Without `whole`, the list has only metadata of the
    /// object.
    boolean add(ListedObject object, boolean whole) {
        return put(object, parts -> {
            if (object.tooLarge()) {
                parts.unknown(
                        object, "it has " + object.bytes() + " bytes, and at most " + LARGEST_OBJECT + " are read");
            } else if (!whole || shared.room().get() < 0) {
                parts.unknown(object, "the list is too long to read it");
            } else if (parts.takes(object)) {
                parts.add(texts.add(object.json()));
            }
        });
    }

    boolean unreadable(ListedObject object, Defect defect) {
        return put(object, parts -> parts.unknown(object, "internal error, " + defect + ". Please report it"));
    }

    private boolean put(ListedObject object, Consumer<Parts> into) {
        var ref = object.ring();
        if (!shared.refs().containsKey(ref) && !named(ref)) {
            boolean printable = NAMESPACE.matcher(ref.namespace()).matches() && !SecretShapes.known(ref.namespace());
            misnamed.merge(printable ? ref.namespace() : "?", 1, Integer::sum);
            return false;
        }
        boolean admitted = shared.wanted().test(ref) || shared.others().admits(ref);
        if (admitted) {
            var parts = byRing.computeIfAbsent(ref(ref), _ -> {
                shared.room().addAndGet(-RING);
                return new Parts();
            });
            if (Part.mayBe(kind, ref, object.name())) {
                into.accept(parts);
            }
        }
        return admitted;
    }

    private ClusterRef ref(ClusterRef equal) {
        var known = shared.refs().putIfAbsent(equal, equal);
        return known == null ? equal : known;
    }

    private static boolean named(ClusterRef ref) {
        return RING_NAME.matcher(ref.name()).matches()
                && NAMESPACE.matcher(ref.namespace()).matches()
                && !SecretShapes.known(ref.toString());
    }

    /// Where the objects of one ring and kind are packed, and why others were not read. How much this may be
    /// has a limit: what is heavier is not read from a list.
    static final class Parts {
        private long[] places = {};
        private int weight;
        private Map<String, String> unknown = Map.of();

        /// Whether the object is packed, too.
        boolean takes(ListedObject object) {
            boolean light = weight <= HEAVIEST_RING;
            weigh(object.weight());
            return light;
        }

        void add(long place) {
            places = Arrays.copyOf(places, places.length + 1);
            places[places.length - 1] = place;
        }

        void unknown(ListedObject object, String why) {
            if (weight <= HEAVIEST_RING) {
                unknown = unknown.isEmpty() ? new TreeMap<>() : unknown;
                unknown.put(object.name(), why);
            }
            weigh(object.name().length() + why.length());
        }

        private void weigh(int more) {
            weight = (int) Math.min((long) weight + more, Integer.MAX_VALUE);
        }

        int weight() {
            return weight;
        }

        long[] places() {
            return places.clone();
        }

        /// By name.
        Map<String, String> unknown() {
            return Collections.unmodifiableMap(unknown);
        }
    }
}
