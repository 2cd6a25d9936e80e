package io.github.etcdgitops.gateway.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.ObjectDrift;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Live objects against what they render to. Not counted as drift: the epoch, which says who wrote and not what; the
/// API
/// version under which the server happens to serve; and fields that this server is too old to keep.
final class Drifts {
    private Drifts() {}

    /// The StatefulSet is no object to mend: whether it should exist is the planner's question.
    static List<ObjectDrift> of(Map<ManagedObject, Map<String, Object>> live, RingObjects wanted, ServerTraits traits) {
        var drifts = new ArrayList<ObjectDrift>();
        for (ManagedObject object : ManagedObject.values()) {
            Map<String, Object> found = live.get(object);
            if (found == null && object != ManagedObject.STATEFUL_SET_LABELS) {
                drifts.add(new ObjectDrift(object, List.of()));
            } else if (found != null) {
                List<String> pointers = pointers(object, Tree.of(RingManifests.render(object, wanted)), found, traits);
                if (!pointers.isEmpty()) {
                    drifts.add(new ObjectDrift(object, pointers));
                }
            }
        }
        return List.copyOf(drifts);
    }

    static List<String> pointers(
            ManagedObject object, ObjectNode wanted, Map<String, Object> live, ServerTraits traits) {
        ObjectNode compared = wanted.deepCopy();
        compared.remove("apiVersion");
        compared.remove("kind");
        if (Tree.metadata(compared).get("annotations") instanceof ObjectNode annotations) {
            annotations.remove(Labels.EPOCH);
        }
        if (object == ManagedObject.STATEFUL_SET_LABELS) {
            compared.retain("metadata");
        }
        return Drift.pointers(Tree.plain(compared), live).stream()
                .filter(pointer -> !traits.drops(object, pointer))
                .toList();
    }
}
