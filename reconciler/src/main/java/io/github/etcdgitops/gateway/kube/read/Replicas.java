package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.gateway.kube.api.Tree;
import java.util.Optional;

/// The largest number of replicas that a ring's StatefulSet may have: each pod is read by name, so the
/// number of reads must be limited.
public final class Replicas {
    /// Several times the maximum size of a ring.
    public static final int MOST = 99;

    private Replicas() {}

    static int of(JsonNode statefulSet) {
        return statefulSet.path("spec").path("replicas").asInt(1);
    }

    /// What is wrong with the replica numbers of a StatefulSet.
    static Optional<String> trouble(JsonNode statefulSet) {
        return outOfBounds(statefulSet, "spec.replicas", of(statefulSet))
                .or(() -> outOfBounds(
                        statefulSet,
                        "spec.updateStrategy.rollingUpdate.partition",
                        statefulSet
                                .path("spec")
                                .path("updateStrategy")
                                .path("rollingUpdate")
                                .path("partition")
                                .asInt(0)));
    }

    private static Optional<String> outOfBounds(JsonNode statefulSet, String field, int number) {
        return number >= 0 && number <= MOST
                ? Optional.empty()
                : Optional.of("StatefulSet " + Tree.name(statefulSet) + " has " + field + " " + number
                        + ", and this version reads 0 to " + MOST + ". Set it to what the ring has");
    }
}
