package io.github.etcdgitops.execute;

import io.github.etcdgitops.ring.RingModel;
import io.github.etcdgitops.ring.Step;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import java.util.Optional;

/// Decides whether a step may run now. Every step that is not done already asks it, on freshly observed
/// state. Pure; fails closed.
public final class SafetyGate {
    private SafetyGate() {}

    /// Why not; empty when the step may run. `expected` is the ring's planned state by now, `known` the
    /// members that the plan is about.
    static Optional<String> check(Step step, RingModel expected, Identity known, ClusterState fresh) {
        if (step.gate() == Step.Gate.NONE) {
            return Optional.empty();
        }
        if (step.gate() == Step.Gate.UNSUSPENDED) {
            return unsuspended(fresh).or(() -> step.obstacle(fresh));
        }
        return suspended(fresh)
                .or(() -> unknown(fresh))
                .or(() -> moved(expected, known, fresh))
                .or(() -> rolling(fresh))
                .or(() -> step.gate() == Step.Gate.GREEN ? step.notGreen(fresh) : Optional.empty())
                .or(() -> step.obstacle(fresh));
    }

    /// Why nothing may start, not even what changes nothing in the ring.
    public static Optional<String> unsuspended(ClusterState fresh) {
        return suspended(fresh).or(() -> fresh.kube().statefulSet().unknownReason());
    }

    private static Optional<String> suspended(ClusterState fresh) {
        return fresh.kube()
                .knownSet()
                .flatMap(KubeState.StatefulSetState::suspended)
                .map(text -> "suspended by annotation: " + text);
    }

    private static Optional<String> unknown(ClusterState fresh) {
        var kube = fresh.kube();
        return kube.statefulSet()
                .unknownReason()
                .or(() -> kube.journal().unknownReason())
                .or(() -> kube.pods().unknownReason())
                .or(() -> kube.claims().unknownReason())
                .or(() -> kube.configs().unknownReason());
    }

    /// During its creation, a ring has no members to compare until they have started.
    private static Optional<String> moved(RingModel expected, Identity known, ClusterState fresh) {
        if (expected.voters().isEmpty()) {
            return Optional.empty();
        }
        if (!fresh.ring().isKnown()) {
            return Optional.of("the ring could not be read: "
                    + fresh.ring().unknownReason().get());
        }
        var now = RingModel.of(fresh);
        return now.sameMembers(expected)
                ? known.differs(fresh).map(what -> "the ring is not the one in the plan: " + what)
                : Optional.of(
                        "the ring is not as planned: expected " + expected.describe() + "; found " + now.describe());
    }

    private static Optional<String> rolling(ClusterState fresh) {
        boolean ours =
                fresh.kube().knownJournal().filter(j -> j.roll().isPresent()).isPresent();
        return fresh.kube()
                .knownSet()
                .filter(s -> s.rollout().inProgress() && !ours)
                .map(_ -> "the StatefulSet is rolling");
    }
}
