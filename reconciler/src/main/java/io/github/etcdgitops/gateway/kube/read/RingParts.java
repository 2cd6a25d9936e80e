package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.state.value.Observed;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/// A ring's objects as they were received, before they are interpreted. `objects` has an entry for every
/// [Part]; `hosts` has the nodes that were looked up.
public record RingParts(
        Map<Part, Observed<Optional<ObjectNode>>> objects,
        Observed<SortedMap<Integer, ObjectNode>> pods,
        Observed<SortedMap<Integer, ObjectNode>> claims,
        Hosts hosts,
        boolean confirmed) {

    Observed<Optional<ObjectNode>> object(Part part) {
        Observed<Optional<ObjectNode>> object = objects.get(part);
        if (object == null) {
            throw new IllegalStateException("no result was given for the " + part);
        }
        return object;
    }
}
