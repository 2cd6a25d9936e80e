package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.gateway.kube.read.Hosts;
import io.github.etcdgitops.gateway.kube.read.Part;
import io.github.etcdgitops.gateway.kube.read.RingParts;
import io.github.etcdgitops.gateway.kube.read.StateMapper;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.value.Observed;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class StateMapperTest {
    /// The claim template of a ring that was taken over has the name that it had before.
    @ParameterizedTest
    @ValueSource(strings = {ClusterRef.CLAIMS, "datadir"})
    void readsWhatNewClaimsAskForWhateverTheyAreCalled(String claims) {
        var ring = Samples.full();
        var wanted = new RingObjects(ring.spec(), ring.applied(), 5, 3, 7, Optional.empty(), claims);

        var state = state(wanted);

        assertThat(state.statefulSet()
                        .optional()
                        .flatMap(set -> set)
                        .orElseThrow()
                        .template()
                        .storage())
                .contains(wanted.spec().storage());
    }

    /// With its own label taken off, the object is somebody else's.
    @ParameterizedTest
    @EnumSource(ManagedObject.class)
    void reportsForeignObjects(ManagedObject object) {
        var wanted = Samples.full();
        var tree = RingManifests.render(object, wanted);
        Tree.metadata(tree).remove("labels");

        var foreign = state(wanted, Map.of(Part.of(object), tree)).objects().foreign();

        if (object == ManagedObject.STATEFUL_SET_LABELS) {
            assertThat(foreign).isEmpty();
        } else {
            assertThat(foreign).containsOnlyKeys(object);
            assertThat(foreign.get(object)).endsWith(" " + Part.of(object).name(Samples.ORDERS));
        }
    }

    @Test
    void takesItsOwnObjectsForItsOwn() {
        var wanted = Samples.full();
        var trees = new EnumMap<Part, ObjectNode>(Part.class);
        for (var object : ManagedObject.values()) {
            trees.put(Part.of(object), RingManifests.render(object, wanted));
        }

        assertThat(state(wanted, trees).objects().foreign()).isEmpty();
    }

    private static KubeState state(RingObjects wanted) {
        return state(wanted, Map.of());
    }

    private static KubeState state(RingObjects wanted, Map<Part, ObjectNode> more) {
        var objects = new EnumMap<Part, Observed<Optional<ObjectNode>>>(Part.class);
        for (Part part : Part.values()) {
            objects.put(part, Observed.known(Optional.empty()));
        }
        objects.put(Part.STATEFUL_SET, Observed.known(Optional.of(RingManifests.statefulSet(wanted, 5))));
        more.forEach((part, tree) -> objects.put(part, Observed.known(Optional.of(tree))));
        return StateMapper.state(
                wanted.spec().ref(),
                new RingParts(
                        objects, Observed.known(new TreeMap<>()), Observed.known(new TreeMap<>()), Hosts.NONE, true));
    }
}
