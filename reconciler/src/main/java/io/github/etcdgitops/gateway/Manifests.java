package io.github.etcdgitops.gateway;

import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.ObjectDrift;
import java.util.List;
import java.util.Map;

/// The wanted objects of a ring. No I/O.
public interface Manifests {
    /// Each managed object as the API server would show it, as plain JSON trees.
    Map<ManagedObject, Map<String, Object>> render(RingObjects wanted);

    /// Where `live` differs from what `wanted` renders to, by managed object.
    List<ObjectDrift> drift(KubeState live, RingObjects wanted);

    /// Digests of the parts of the pod template that `wanted` renders to: `name=digest`, separated by
    /// blanks.
    String templateDigest(RingObjects wanted);
}
