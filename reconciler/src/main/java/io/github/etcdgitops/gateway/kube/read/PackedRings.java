package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.JournalState;
import io.github.etcdgitops.state.Listing;
import io.github.etcdgitops.state.health.Defect;
import io.github.etcdgitops.state.value.Observed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// What the lists of all kinds have found. A ring's objects are unpacked and interpreted when its state is asked for,
/// and nothing of that is kept: the states of thousands of rings would be many times larger than their packed objects.
final class PackedRings implements Listing {
    private final Map<ObjectKind, Observed<Map<ClusterRef, ListedObjects.Parts>>> listed;
    private final Map<ObjectKind, PackedTexts> texts;
    private final List<String> leftOut;
    private final SortedSet<ClusterRef> refs;

    PackedRings(
            Map<ObjectKind, Observed<Map<ClusterRef, ListedObjects.Parts>>> listed,
            Map<ObjectKind, PackedTexts> texts,
            List<String> leftOut) {
        this.listed = listed;
        this.texts = texts;
        this.leftOut = List.copyOf(leftOut);
        var found = new TreeSet<ClusterRef>();
        listed.values().forEach(kind -> kind.optional().ifPresent(byRing -> found.addAll(byRing.keySet())));
        this.refs = Collections.unmodifiableSortedSet(found);
    }

    @Override
    public SortedSet<ClusterRef> refs() {
        return refs;
    }

    @Override
    public List<String> leftOut() {
        return leftOut;
    }

    @Override
    public Optional<KubeState> state(ClusterRef ref) {
        return refs.contains(ref)
                ? Optional.of(Defect.contain(
                        () -> StateMapper.state(ref, new Ring(ref).parts()),
                        defect -> KubeState.unread(defect.in(ref))))
                : Optional.empty();
    }

    @Override
    public Observed<Optional<JournalState>> journal(ClusterRef ref) {
        return Defect.contain(
                () -> StateMapper.journal(ref, new Ring(ref).part(Part.JOURNAL)),
                defect -> Observed.unknown(defect.in(ref)));
    }

    /// How many bytes its objects have while they are packed.
    long kept() {
        return texts.values().stream().mapToLong(PackedTexts::kept).sum();
    }

    /// The unpacked objects of one ring, by kind and name.
    private final class Ring {
        private final ClusterRef ref;
        private final Map<ObjectKind, Observed<Map<String, Observed<ObjectNode>>>> kinds =
                new EnumMap<>(ObjectKind.class);
        private long weight;

        Ring(ClusterRef ref) {
            this.ref = ref;
        }

        RingParts parts() {
            var objects = new EnumMap<Part, Observed<Optional<ObjectNode>>>(Part.class);
            for (Part part : Part.values()) {
                objects.put(part, part(part));
            }
            String claims = ClaimTemplates.nameOf(objects::get) + "-" + ref.name() + "-";
            return new RingParts(
                    objects,
                    byOrdinal(ObjectKind.POD, ref.name() + "-"),
                    byOrdinal(ObjectKind.CLAIM, claims),
                    Hosts.NONE,
                    false);
        }

        Observed<Optional<ObjectNode>> part(Part part) {
            String name = part.name(ref);
            return of(part.kind()).flatMap(objects -> switch (objects.get(name)) {
                case null -> Observed.known(Optional.empty());
                case Observed.Known<ObjectNode>(ObjectNode object) -> Observed.known(Optional.of(object));
                case Observed.Unknown<ObjectNode>(String why, var _) ->
                    Observed.unknown(part.kind().kind() + " " + name + ": " + why);
            });
        }

        /// One Unknown object makes all of them Unknown: its ordinal is not known.
        private Observed<SortedMap<Integer, ObjectNode>> byOrdinal(ObjectKind kind, String prefix) {
            return of(kind).flatMap(objects -> {
                var byOrdinal = new TreeMap<Integer, ObjectNode>();
                for (var entry : objects.entrySet()) {
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
            });
        }

        private Observed<Map<String, Observed<ObjectNode>>> of(ObjectKind kind) {
            return kinds.computeIfAbsent(
                    kind,
                    _ -> listed.getOrDefault(kind, Observed.unknown("not listed"))
                            .flatMap(byRing -> Optional.ofNullable(byRing.get(ref))
                                    .map(parts -> unpacked(kind, parts))
                                    .orElseGet(() -> Observed.known(Map.of()))));
        }

        private Observed<Map<String, Observed<ObjectNode>>> unpacked(ObjectKind kind, ListedObjects.Parts parts) {
            if (weight + parts.weight() > ListedObjects.HEAVIEST_RING) {
                return Observed.unknown(
                        "the objects of the ring are too large to be read from the list of " + kind.plural());
            }
            weight += parts.weight();
            var objects = new TreeMap<String, Observed<ObjectNode>>();
            parts.unknown().forEach((name, why) -> objects.put(name, Observed.unknown(why)));
            for (long place : parts.places()) {
                try {
                    var object =
                            Tree.parse(Objects.requireNonNull(texts.get(kind)).text(place));
                    objects.put(Tree.name(object), Observed.known(object));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return Observed.known(objects);
        }
    }
}
