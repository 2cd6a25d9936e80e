package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.GrowStorage;
import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;

/// A ring that was founded and has no StatefulSet, or one that is about to go. One that is just being
/// taken over is in the hands of [Adopting].
sealed interface Absence {
    /// That it is absent was not read by name.
    record Unconfirmed() implements Absence {}

    record Held(String code, String reason) implements Absence {}

    /// We took it away ourselves and were ended before there was another one.
    record Interrupted(Operation back) implements Absence {}

    static Absence of(ClusterState state) {
        var kube = state.kube();
        if (!kube.objects().confirmed()) {
            return new Unconfirmed();
        }
        var recreation = kube.journal()
                .optional()
                .flatMap(j -> j)
                .map(KubeState.JournalState::journal)
                .flatMap(Journal::recreation);
        if (recreation.isPresent()) {
            return new Interrupted(GrowStorage.resumed(state.ref(), kube.claimTemplate(), recreation.get()));
        }
        if (kube.statefulSet().optional().flatMap(s -> s).isPresent()) {
            return new Held(
                    "statefulset-terminating",
                    "somebody has deleted the StatefulSet, and it is about to go; its pods go with it, unless it is"
                            + " deleted with --cascade=orphan. The claims keep the data");
        }
        var claims = kube.claims().optional().orElseThrow();
        if (!claims.isEmpty()) {
            return new Held(
                    "claims-of-an-earlier-ring",
                    "there is no StatefulSet, but " + claims.size() + " claims of an earlier ring hold data ("
                            + claims.values().stream()
                                    .map(KubeState.ClaimState::name)
                                    .toList()
                            + "): nothing is founded over them. Delete or rename them once nobody needs the data");
        }
        return new Held("statefulset-missing", "the journal knows this ring, but its StatefulSet is gone");
    }
}
