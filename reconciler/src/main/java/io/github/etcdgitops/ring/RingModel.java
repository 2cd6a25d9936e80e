package io.github.etcdgitops.ring;

import io.github.etcdgitops.state.BudgetState;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.Quorum;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// The few facts of a ring that steps change, by ordinal. The planner predicts with it, the plan prints it,
/// and the gate compares it with the observed ring: a run carries out a plan only while the ring matches
/// the plan.
///
/// `partition` is the lowest ordinal whose pod may get the StatefulSet's newest template; pinned, it equals
/// the replicas. `minAvailable` is the disruption budget; -1 where there is none. `away` are voters that do
/// not answer when the plan is made. The plan assumes that they stay away as long as they are members.
public record RingModel(
        SortedSet<Integer> voters,
        SortedSet<Integer> learners,
        int replicas,
        int partition,
        int minAvailable,
        SortedSet<Integer> away) {
    public static final RingModel EMPTY = new RingModel(new TreeSet<>(), new TreeSet<>(), 0, 0, -1);

    public RingModel {
        voters = Collections.unmodifiableSortedSet(new TreeSet<>(voters));
        learners = Collections.unmodifiableSortedSet(new TreeSet<>(learners));
        var counting = new TreeSet<>(away);
        counting.retainAll(voters);
        away = Collections.unmodifiableSortedSet(counting);
    }

    /// For a ring whose voters all answer.
    public RingModel(
            SortedSet<Integer> voters, SortedSet<Integer> learners, int replicas, int partition, int minAvailable) {
        this(voters, learners, replicas, partition, minAvailable, new TreeSet<>());
    }

    /// The observed ring. Unknown parts count as nothing, so the caller must refuse Unknown first.
    public static RingModel of(ClusterState state) {
        var voters =
                state.ring().map(r -> r.voterOrdinals(state.ref())).optional().orElseGet(TreeSet::new);
        var learners =
                state.ring().map(r -> r.learnerOrdinals(state.ref())).optional().orElseGet(TreeSet::new);
        int replicas = state.kube()
                .knownSet()
                .map(KubeState.StatefulSetState::replicas)
                .orElse(0);
        int partition =
                state.kube().knownSet().map(set -> set.rollout().partition()).orElse(0);
        int minAvailable =
                state.kube().knownBudget().map(BudgetState::minAvailable).orElse(-1);
        return new RingModel(voters, learners, replicas, partition, minAvailable, away(state));
    }

    private static SortedSet<Integer> away(ClusterState state) {
        var away = new TreeSet<Integer>();
        state.ring()
                .optional()
                .ifPresent(ring -> ring.byOrdinal(state.ref()).forEach((ordinal, member) -> {
                    if (!member.answers()) {
                        away.add(ordinal);
                    }
                }));
        return away;
    }

    public boolean has(int ordinal) {
        return voters.contains(ordinal) || learners.contains(ordinal);
    }

    /// The quorum and tolerance of the ring at this point of the plan.
    public Quorum quorum() {
        return new Quorum(voters.size(), voters.size() - away.size());
    }

    /// The same while this member is also away.
    public Quorum quorumWithout(int ordinal) {
        boolean counted = voters.contains(ordinal) && !away.contains(ordinal);
        return new Quorum(voters.size(), quorum().healthy() - (counted ? 1 : 0));
    }

    /// The ring after the member is back.
    public RingModel back(int ordinal) {
        var fewer = new TreeSet<>(away);
        fewer.remove(ordinal);
        return new RingModel(voters, learners, replicas, partition, minAvailable, fewer);
    }

    public RingModel withVoters(Iterable<Integer> added) {
        var more = new TreeSet<>(voters);
        added.forEach(more::add);
        return new RingModel(more, learners, replicas, partition, minAvailable, away);
    }

    public RingModel withLearner(int ordinal) {
        var more = new TreeSet<>(learners);
        more.add(ordinal);
        return new RingModel(voters, more, replicas, partition, minAvailable, away);
    }

    public RingModel promoted(int ordinal) {
        return without(ordinal).withVoters(java.util.List.of(ordinal));
    }

    public RingModel without(int ordinal) {
        var fewerVoters = new TreeSet<>(voters);
        fewerVoters.remove(ordinal);
        var fewerLearners = new TreeSet<>(learners);
        fewerLearners.remove(ordinal);
        return new RingModel(fewerVoters, fewerLearners, replicas, partition, minAvailable, away);
    }

    /// Sets replicas and partition together.
    public RingModel withReplicas(int count) {
        return new RingModel(voters, learners, count, count, minAvailable, away);
    }

    public RingModel withPartition(int ordinal) {
        return new RingModel(voters, learners, replicas, ordinal, minAvailable, away);
    }

    public RingModel withMinAvailable(int count) {
        return new RingModel(voters, learners, replicas, partition, count, away);
    }

    /// Whether the ring has the same members, replicas and partition. The budget is not compared: its own
    /// steps handle it.
    public boolean sameMembers(RingModel other) {
        return voters.equals(other.voters)
                && learners.equals(other.learners)
                && replicas == other.replicas
                && partition == other.partition;
    }

    /// `voters 0,1,2 · learners 3 · replicas 4`.
    public String describe() {
        return "voters " + list(voters) + (learners.isEmpty() ? "" : ", learners " + list(learners)) + ", replicas "
                + replicas + (partition == replicas ? "" : ", partition " + partition);
    }

    private static String list(SortedSet<Integer> ordinals) {
        return ordinals.isEmpty()
                ? "none"
                : String.join(",", ordinals.stream().map(String::valueOf).toList());
    }
}
