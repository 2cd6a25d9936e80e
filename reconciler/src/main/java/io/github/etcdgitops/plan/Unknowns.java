package io.github.etcdgitops.plan;

import io.github.etcdgitops.state.ClusterState;
import java.util.List;

/// What of a ring could not be read, and why: nothing is planned then.
final class Unknowns {
    private Unknowns() {}

    static List<String> of(ClusterState state) {
        var kube = state.kube();
        return List.of(
                        kube.statefulSet(),
                        kube.journal(),
                        kube.pods(),
                        kube.claims(),
                        kube.budget(),
                        kube.configs(),
                        kube.objects().live())
                .stream()
                .flatMap(part -> part.unknownReason().stream())
                .distinct()
                .sorted()
                .toList();
    }
}
