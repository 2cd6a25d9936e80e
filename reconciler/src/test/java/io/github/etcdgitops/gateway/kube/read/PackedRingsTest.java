package io.github.etcdgitops.gateway.kube.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.value.Observed;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PackedRingsTest {
    private static final int RINGS = 1000;
    private static final ClusterRef RING = ListedRings.ref(7);

    private final ListedRings lists = new ListedRings();

    /// The state of a ring has some forty thousand bytes.
    @Test
    void keepsLittleOfEachOfAThousandRings() {
        for (int i = 0; i < RINGS; i++) {
            lists.add(ListedRings.ref(i));
        }
        var rings = lists.packed();
        long kept = lists.kept();

        assertThat(rings.refs()).hasSize(RINGS);
        assertThat(lists.read() / RINGS).isGreaterThan(20_000);
        assertThat(kept / RINGS).isLessThan(4096);
        for (ClusterRef ref : rings.refs()) {
            assertThat(rings.state(ref).orElseThrow().unknownParts()).isEmpty();
        }
        assertThat(lists.kept()).isEqualTo(kept);
    }

    @Test
    void interpretsARingEachTimeThatItIsAskedFor() {
        lists.add(RING);
        var rings = lists.packed();

        var first = rings.state(RING).orElseThrow();

        assertThat(rings.state(RING))
                .hasValueSatisfying(
                        second -> assertThat(second).isEqualTo(first).isNotSameAs(first));
        assertThat(rings.state(ListedRings.ref(8))).isEmpty();
    }

    @Test
    void readsTheSameFromWhatIsKeptAsFromTheWholeObjects() {
        lists.add(RING);

        assertThat(lists.packed().state(RING)).contains(StateMapper.state(RING, whole(ListedRings.objects(RING))));
        assertThat(lists.packed().journal(RING))
                .isEqualTo(lists.packed().state(RING).orElseThrow().journal());
    }

    /// As RingReads gives them; a list has no specs of pods.
    private static RingParts whole(Map<ObjectKind, List<ObjectNode>> objects) {
        var parts = new EnumMap<Part, Observed<Optional<ObjectNode>>>(Part.class);
        for (Part part : Part.values()) {
            parts.put(
                    part,
                    Observed.known(objects.get(part.kind()).stream()
                            .filter(object -> Tree.name(object).equals(part.name(RING)))
                            .map(object -> compared(part, object))
                            .findFirst()));
        }
        objects.get(ObjectKind.POD).forEach(pod -> pod.remove("spec"));
        return new RingParts(
                parts,
                byOrdinal(objects.get(ObjectKind.POD)),
                byOrdinal(objects.get(ObjectKind.CLAIM)),
                Hosts.NONE,
                false);
    }

    /// Without what is never compared and only makes states unequal.
    private static ObjectNode compared(Part part, ObjectNode object) {
        Tree.metadata(object).remove("creationTimestamp");
        return object.put("apiVersion", part.kind().apiVersion())
                .put("kind", part.kind().kind());
    }

    private static Observed<SortedMap<Integer, ObjectNode>> byOrdinal(List<ObjectNode> objects) {
        var byOrdinal = new TreeMap<Integer, ObjectNode>();
        objects.forEach(object -> byOrdinal.put(byOrdinal.size(), object));
        return Observed.known(byOrdinal);
    }

    /// Texts that can be compressed a thousand times could fill the memory when they are unpacked.
    @Test
    void doesNotUnpackWhatIsTooLargeForOneRing() {
        lists.add(RING);
        for (String name : List.of("-journal", "-members", "-connection")) {
            var map = ListedRings.objects(RING).get(ObjectKind.CONFIG_MAP).getFirst();
            Tree.metadata(map).put("name", RING.name() + name);
            map.putObject("data").put("text", "x".repeat(500_000));
            lists.add(ObjectKind.CONFIG_MAP, map);
        }

        var state = lists.packed().state(RING).orElseThrow();

        assertThat(state.journal().unknownReason())
                .contains("the objects of the ring are too large to be read from the list of configmaps");
        assertThat(state.pods().isKnown()).isTrue();
        assertThat(lists.kept()).isLessThan(100_000);
    }

    @Test
    void neverUnpacksObjectsThatAreNoPartOfARing() {
        lists.add(RING);
        var before = lists.packed().state(RING);
        for (int i = 0; i < 100; i++) {
            var map = ListedRings.objects(RING).get(ObjectKind.CONFIG_MAP).getFirst();
            Tree.metadata(map).put("name", "other-" + i);
            map.putObject("data").put("text", "x".repeat(100_000));
            lists.add(ObjectKind.CONFIG_MAP, map);
        }

        assertThat(lists.packed().state(RING)).isEqualTo(before);
        assertThat(before.map(KubeState::unknownParts)).contains(List.of());
    }

    @Test
    void findsARingOfWhichThereIsOnlyAnUnknownObject() {
        var map = ListedRings.objects(RING).get(ObjectKind.CONFIG_MAP).getFirst();
        Tree.metadata(map).put("name", "other");
        lists.add(ObjectKind.CONFIG_MAP, map);

        assertThat(lists.packed().refs()).containsExactly(RING);
        assertThat(lists.packed().state(RING).orElseThrow().knownJournal()).isEmpty();
    }
}
