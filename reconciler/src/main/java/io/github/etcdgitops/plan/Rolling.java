package io.github.etcdgitops.plan;

import io.github.etcdgitops.ring.Operation;
import io.github.etcdgitops.ring.roll.BackOutRoll;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.QuorumLoss;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// A roll under way, and how far it is. `from` is the lowest ordinal that was told to restart, `size` while
/// there is none. `line` is about the minor version that the members move to.
record Rolling(Stage stage, int size, int from, Members members, Line line) {
    /// `rolled` are those whose pod has the new template. Of them, `stuck` will not start by waiting, and
    /// `unwell` do not answer and are not ready, for that or another reason. A member whose volume is lost
    /// is not stuck: no template brings it back.
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
        /// The former template is in place: no member was restarted yet, or the roll is being rolled back.
        FORMER,
        /// The new template is in place, and some of the members have it.
        MIXED,
        /// The former template is gone for good, and some members still run on it: the ring is being
        /// adopted, and a member was replaced during that.
        RENEWED,
        /// Every member has the new template, and it is the current revision in Kubernetes.
        ROLLED
    }

    enum Line {
        /// The members stay on their minor version.
        SAME,
        /// The members move to a later one, and the cluster version is the former one, or unknown.
        LATER,
        /// The members move to a later one, and etcd has raised the cluster version to it.
        RAISED,
        /// The members move to an earlier one, and a member can return to the former one at any time.
        EARLIER
    }

    static Rolling of(ClusterState state, int size, StatefulSetState set, Journal journal) {
        var roll = journal.roll().orElseThrow();
        var line = line(state, roll, journal.applied().version());
        var rollout = set.rollout();
        boolean former = set.templateDigest().equals(roll.formerTemplate());
        boolean current = !former && !rollout.inProgress();
        boolean renewed =
                current && pods(state).stream().anyMatch(p -> !p.revision().equals(rollout.updateRevision()));
        if (current && !renewed) {
            return new Rolling(Stage.ROLLED, size, 0, Members.NONE, line);
        }
        var rolled = new ArrayList<Integer>();
        var stuck = new ArrayList<Failing>();
        var unwell = new ArrayList<Integer>();
        var replaced = replaced(journal);
        for (int ordinal = size - 1; ordinal >= 0; ordinal--) {
            boolean newcomers = replaced.contains(ordinal);
            var pod = pod(state, ordinal)
                    .filter(p -> !newcomers && renewed == p.revision().equals(rollout.currentRevision()));
            if (pod.isPresent()) {
                rolled.add(ordinal);
                boolean kept = kept(state, ordinal, pod);
                Failing.of(state, ordinal, roll.target().version())
                        .filter(_ -> kept)
                        .ifPresent(stuck::add);
                if (kept && !pod.get().ready() && !answers(state, ordinal)) {
                    unwell.add(ordinal);
                }
            }
        }
        int from = former ? size : Math.min(rollout.partition(), size);
        var stage = former ? Stage.FORMER : renewed ? Stage.RENEWED : Stage.MIXED;
        return new Rolling(stage, size, from, new Members(rolled, stuck, unwell), line);
    }

    private static Line line(ClusterState state, Intent.Roll roll, EtcdVersion former) {
        if (roll.target().version().isSameMinorAs(former)) {
            return Line.SAME;
        }
        if (roll.target().version().isOlderMinorThan(former)) {
            return Line.EARLIER;
        }
        return state.ring()
                .optional()
                .flatMap(RingState::version)
                .filter(former::isOlderMinorThan)
                .map(_ -> Line.RAISED)
                .orElse(Line.LATER);
    }

    private static SortedSet<Integer> replaced(Journal journal) {
        return journal.replacement()
                .<SortedSet<Integer>>map(r -> new TreeSet<>(r.formers().keySet()))
                .orElseGet(Collections::emptySortedSet);
    }

    private static boolean answers(ClusterState state, int ordinal) {
        return state.ring()
                .optional()
                .flatMap(ring -> Optional.ofNullable(ring.byOrdinal(state.ref()).get(ordinal)))
                .filter(MemberState::answers)
                .isPresent();
    }

    private static Collection<KubeState.PodState> pods(ClusterState state) {
        return state.kube()
                .pods()
                .optional()
                .orElseGet(Collections::emptySortedMap)
                .values();
    }

    private static Optional<KubeState.PodState> pod(ClusterState state, int ordinal) {
        return state.kube().pod(ordinal);
    }

    /// The member that may still be on its way back.
    Set<Integer> awaited(ClusterState state) {
        return (stage == Stage.MIXED || stage == Stage.RENEWED) && from < size && kept(state, from, pod(state, from))
                ? Set.of(from)
                : Set.of();
    }

    /// Whether the member's data may still exist, on a node that may still exist.
    private static boolean kept(ClusterState state, int ordinal, Optional<KubeState.PodState> pod) {
        var left = QuorumLoss.missing(state, ordinal, pod);
        return left.mayComeBack()
                && left.claim()
                        .flatMap(claim -> claim.volume().home())
                        .filter(Host::gone)
                        .isEmpty();
    }

    /// Members that do not start because their pods have the former template, on which no process starts
    /// any more: the cluster version is raised.
    List<Integer> behind(ClusterState state, StatefulSetState set) {
        var members = state.ring().optional().map(ring -> ring.byOrdinal(state.ref()));
        return raised()
                ? silentOnFormer(state, set).stream()
                        .filter(o -> members.filter(all -> all.containsKey(o)).isPresent())
                        .toList()
                : List.of();
    }

    /// Members whose processes exit on the former template, in a ring without quorum in which nobody tells
    /// the cluster version: it may be raised. Empty while one does not start on the new template either.
    List<Integer> maybeBehind(ClusterState state, StatefulSetState set) {
        boolean unknown = line == Line.LATER
                && stuck().isEmpty()
                && state.ring().optional().flatMap(RingState::version).isEmpty()
                && QuorumLoss.of(state).isPresent();
        return unknown
                ? silentOnFormer(state, set).stream()
                        .filter(o -> pod(state, o)
                                .filter(p -> p.life().trouble().isEmpty())
                                .isPresent())
                        .toList()
                : List.of();
    }

    /// Not those below a running member with the former template: the partition cannot pass that one.
    private List<Integer> silentOnFormer(ClusterState state, StatefulSetState set) {
        return stage == Stage.FORMER || stage == Stage.MIXED
                ? IntStream.range(0, size)
                        .map(o -> size - 1 - o)
                        .takeWhile(o -> former(state, set, o)
                                .filter(p -> p.ready() || answers(state, o) || !Failing.silent(p))
                                .isEmpty())
                        .filter(o -> former(state, set, o)
                                .filter(p -> !p.terminating() && kept(state, o, Optional.of(p)))
                                .isPresent())
                        .boxed()
                        .toList()
                : List.of();
    }

    private static Optional<KubeState.PodState> former(ClusterState state, StatefulSetState set, int ordinal) {
        return pod(state, ordinal).filter(p -> p.revision().equals(set.rollout().currentRevision()));
    }

    boolean raised() {
        return line == Line.RAISED;
    }

    /// Whether etcd still lets every member go back. Not once it has raised the cluster version, which it
    /// does when no member of the former minor version is left. Where the cluster version is unknown, going
    /// back is certainly possible as long as one of them was not told to restart. A downgrade is rolled back
    /// as long, and later where a member does not start: what all members run is the ring's version then.
    boolean mayGoBack() {
        return switch (stage) {
            case FORMER -> !raised();
            case MIXED ->
                !raised()
                        && (from > 0
                                || line == Line.SAME
                                || (line == Line.EARLIER && !stuck().isEmpty())
                                || (size == 1 && stuck().stream().anyMatch(s -> !s.ran())));
            case RENEWED, ROLLED -> false;
        };
    }

    /// The rollback to the former template. `wantedNoMore` is the reason where no member is or was stuck.
    /// Where something else is wrong with the ring, `ends` is false and the rollback does not complete
    /// there.
    Operation back(ClusterState state, Journal journal, String wantedNoMore, boolean ends) {
        var others = rolled().stream().filter(o -> !unwell().contains(o)).toList();
        var reason = journal.roll()
                .flatMap(Intent.Roll::stuck)
                .or(() -> stuck().stream().map(Failing::why).findFirst());
        return new BackOutRoll(
                state.ref(),
                new BackOutRoll.Members(size, unwell(), ends ? others : List.of(), ends, replaced(journal)),
                journal.applied(),
                also(journal),
                journal.intent().stream()
                        .flatMap(Intent::all)
                        .filter(i -> i.kind() == Intent.Kind.ROLL || i.kind() == Intent.Kind.UNROLL)
                        .map(Intent::operationId)
                        .findFirst()
                        .orElse(""),
                reason,
                reason.orElse(wantedNoMore));
    }

    private BackOutRoll.Also also(Journal journal) {
        var peer = journal.applied().transport().peer();
        boolean readvertised = journal.roll()
                .filter(r -> r.target().transport().peer() != peer)
                .isPresent();
        return readvertised
                ? BackOutRoll.Also.PEER_URLS
                : line == Line.EARLIER ? BackOutRoll.Also.DOWNGRADE : BackOutRoll.Also.NOTHING;
    }
}
