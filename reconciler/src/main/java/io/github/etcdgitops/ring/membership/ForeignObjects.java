package io.github.etcdgitops.ring.membership;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.state.ClusterState;
import java.util.Optional;

/// Objects that have a name of the ring and are not ours. A new ring is not created beside them, and a
/// running ring does not overwrite them.
public final class ForeignObjects {
    private ForeignObjects() {}

    public static Optional<Finding> finding(ClusterState state) {
        return of(state).map(found -> new Finding(Finding.Level.ERROR, FindingCode.FOREIGN_OBJECT, found));
    }

    public static Optional<String> of(ClusterState state) {
        var names = state.kube().objects().foreign().values();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of("in the namespace " + state.ref().namespace() + " "
                        + (names.size() == 1 ? "an object has" : "objects have")
                        + " a name of this ring but not its labels: " + String.join(", ", names)
                        + ". Delete or rename " + (names.size() == 1 ? "it" : "them")
                        + ", or give the ring another name.");
    }
}
