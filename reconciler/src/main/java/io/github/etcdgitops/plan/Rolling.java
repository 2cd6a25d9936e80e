package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.BackOutRoll;
import io.github.etcdgitops.operation.Operation;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.Intent;
import io.github.etcdgitops.state.Journal;
import io.github.etcdgitops.state.KubeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A roll that was begun, and how far it came. `from` is the lowest ordinal that was told to restart,
/// `size` while none was. `sameLine` says that the members stay on their line of releases.
record Rolling(Stage stage, int size, int from, Members members, boolean sameLine) {
    /// `rolled` are those whose pod has the new template; of them, `stuck` will not come up by waiting,
    /// and `unwell` are these and whoever is not ready for another reason.
    record Members(List<Integer> rolled, List<Failing> stuck, List<Integer> unwell) {
        static final Members NONE = new Members(List.of(), List.of(), List.of());
    }

    List<Integer> rolled() {
        return members.rolled();
    }

    List<Failing> stuck() {
        return members.stuck();
    }

    List<Integer> unwell() {
        return members.unwell();
    }

    enum Stage {
        /// The former template is in place: nobody was restarted yet, or the roll is being taken back.
        FORMER,
        /// The new template is in place, and some of the members have it.
        MIXED,
        /// Every member has the new one, and Kubernetes calls it the current one.
        ROLLED
    }

    static Rolling of(ClusterState state, int size, KubeState.StatefulSetState set, Journal journal) {
        var roll = journal.roll().orElseThrow();
        boolean sameLine =
                roll.target().version().isSameMinorAs(journal.applied().version());
        var rollout = set.rollout();
        boolean former = set.templateDigest().equals(roll.formerTemplate());
        if (!former && !rollout.inProgress()) {
            return new Rolling(Stage.ROLLED, size, 0, Members.NONE, sameLine);
        }
        var rolled = new ArrayList<Integer>();
        var stuck = new ArrayList<Failing>();
        var unwell = new ArrayList<Integer>();
        for (int ordinal = size - 1; ordinal >= 0; ordinal--) {
            var pod = pod(state, ordinal).filter(p -> !p.revision().equals(rollout.currentRevision()));
            if (pod.isPresent()) {
                rolled.add(ordinal);
                var failing = Failing.of(state, ordinal, roll.target().version());
                failing.ifPresent(stuck::add);
                if (failing.isPresent() || !pod.get().ready()) {
                    unwell.add(ordinal);
                }
            }
        }
        int from = former ? size : Math.min(rollout.partition(), size);
        return new Rolling(
                former ? Stage.FORMER : Stage.MIXED, size, from, new Members(rolled, stuck, unwell), sameLine);
    }

    private static Optional<KubeState.PodState> pod(ClusterState state, int ordinal) {
        return state.kube().pods().optional().flatMap(pods -> Optional.ofNullable(pods.get(ordinal)));
    }

    /// The member that may still be on its way back.
    Optional<Integer> away() {
        return stage == Stage.MIXED && from < size ? Optional.of(from) : Optional.empty();
    }

    /// Whether etcd still lets every member go back: for certain as long as one of them was not told to
    /// restart. Once all run the new version, it raises the version of the ring as a whole.
    boolean mayGoBack() {
        return switch (stage) {
            case FORMER -> true;
            case MIXED -> from > 0 || sameLine || (size == 1 && stuck().stream().anyMatch(s -> !s.ran()));
            case ROLLED -> false;
        };
    }

    /// Back to the former template. `wantedNoMore` is why where no member is stuck, nor was.
    Operation back(ClusterState state, Journal journal, String wantedNoMore) {
        var others = rolled().stream().filter(o -> !unwell().contains(o)).toList();
        var reason = journal.roll()
                .flatMap(Intent.Roll::stuck)
                .or(() -> stuck().stream().map(Failing::why).findFirst());
        return new BackOutRoll(
                state.ref(),
                new BackOutRoll.Members(size, unwell(), others),
                journal.applied(),
                readvertised(journal),
                journal.intent().map(Intent::operationId).orElse(""),
                reason,
                reason.orElse(wantedNoMore));
    }

    private static boolean readvertised(Journal journal) {
        var peer = journal.applied().transport().peer();
        return journal.roll().filter(r -> r.target().transport().peer() != peer).isPresent();
    }
}
