package io.github.etcdgitops.gateway.kube.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.gateway.kube.manifest.RingManifests;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.ObjectDrift;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Compares a ring's live objects with their rendered form.
final class Drifts {
    private Drifts() {}

    /// A missing StatefulSet is not reported: the planner decides whether it should exist.
    static List<ObjectDrift> of(Map<ManagedObject, Map<String, Object>> live, RingObjects wanted) {
        var drifts = new ArrayList<ObjectDrift>();
        for (ManagedObject object : ManagedObject.values()) {
            Map<String, Object> found = live.get(object);
            if (found == null && object != ManagedObject.STATEFUL_SET_LABELS) {
                drifts.add(new ObjectDrift(object, List.of()));
            } else if (found != null) {
                List<String> pointers = pointers(RingManifests.render(object, wanted), found);
                if (!pointers.isEmpty()) {
                    drifts.add(new ObjectDrift(object, pointers));
                }
            }
        }
        return List.copyOf(drifts);
    }

    static List<String> pointers(ObjectNode wanted, Map<String, Object> live) {
        return Drift.pointers(Tree.plain(wanted), live);
    }
}
