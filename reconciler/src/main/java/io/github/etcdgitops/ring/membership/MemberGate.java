package io.github.etcdgitops.ring.membership;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.health.Divergence;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.health.RingHealth;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import java.util.List;
import java.util.Optional;

/// What must hold before a member is added or removed, besides the checks of every step. Pure; fails
/// closed.
public final class MemberGate {
    private MemberGate() {}

    public static Optional<String> removal(int ordinal, ClusterState fresh) {
        var ring = fresh.ring().optional().orElseThrow();
        var ref = fresh.ref();
        var member = ring.byOrdinal(ref).get(ordinal);
        var leads = leads(ordinal, ref, ring);
        if (leads.isPresent()) {
            return leads;
        }
        if (member != null && !member.learner()) {
            var lost = quorumLost(ref, ring, ordinal, member.answers());
            if (lost.isPresent()) {
                return lost;
            }
        }
        return evictable(fresh);
    }

    public static Optional<String> leads(int ordinal, ClusterRef ref, RingState ring) {
        var member = Optional.ofNullable(ring.byOrdinal(ref).get(ordinal)).map(MemberState::id);
        return member.filter(id -> ring.leader().equals(Optional.of(id)))
                .map(_ -> ref.podName(ordinal) + " leads the ring");
    }

    public static String tooFew(String without, int healthy, int voters) {
        return "without " + without + " only " + healthy + " of " + voters + " voters would be healthy";
    }

    public static Optional<String> evictable(ClusterState fresh) {
        boolean blocked = fresh.kube()
                .knownBudget()
                .filter(b -> b.settled() && b.disruptionsAllowed() == 0)
                .isPresent();
        return blocked ? Optional.empty() : Optional.of("the disruption budget still allows an eviction");
    }

    /// The old majority agrees on the removal, and the leaving member still votes in it. The removal leaves
    /// a ring that needs its own majority.
    private static Optional<String> quorumLost(ClusterRef ref, RingState ring, int ordinal, boolean serves) {
        int voters = ring.voters().size();
        int healthy = healthy(ref, ring, -1);
        int rest = serves ? keepingUp(ref, ring, ordinal) : healthy(ref, ring, ordinal);
        boolean agreed = new Quorum(voters, healthy).holds();
        boolean left = voters > 1 && new Quorum(voters - 1, Math.min(rest, voters - 1)).holds();
        return agreed && left ? Optional.empty() : Optional.of(tooFew(ref.podName(ordinal), rest, voters - 1));
    }

    static int healthy(ClusterRef ref, RingState ring, int without) {
        return besides(ref, ring.voters().stream().filter(MemberState::answers).toList(), without);
    }

    /// How many followers keep up. One of two followers may be so far behind that the leader can only agree
    /// with the other.
    public static int keepingUp(ClusterRef ref, RingState ring, int without) {
        return besides(ref, RingHealth.keepingUp(ring), without);
    }

    private static int besides(ClusterRef ref, List<MemberState> members, int without) {
        return (int) members.stream()
                .filter(m -> m.ordinal(ref).filter(o -> o == without).isEmpty())
                .count();
    }

    /// A pod that ends must not be a member. A pod that starts must be one, and have a file to start with.
    static Optional<String> replicas(int replicas, ClusterState fresh) {
        var ring = fresh.ring().optional();
        if (ring.isEmpty()) {
            return Optional.of("the ring could not be read");
        }
        var members = ring.get().byOrdinal(fresh.ref());
        if (!members.isEmpty() && members.lastKey() >= replicas) {
            return Optional.of(fresh.ref().podName(members.lastKey()) + " is still a member of the ring");
        }
        var configs = fresh.kube().configs().optional().orElseThrow();
        int there = fresh.kube()
                .knownSet()
                .map(KubeState.StatefulSetState::replicas)
                .orElse(0);
        for (int ordinal = Math.min(there, replicas); ordinal < replicas; ordinal++) {
            if (!members.containsKey(ordinal) || !configs.containsKey(ordinal)) {
                return Optional.of(fresh.ref().podName(ordinal) + " is not a member yet, or has no configuration");
            }
        }
        return Optional.empty();
    }

    /// A voter that has started must never again get a file that lets it start on an empty disk.
    static Optional<String> unsealing(int ordinal, ClusterState fresh) {
        var member =
                fresh.ring().optional().orElseThrow().byOrdinal(fresh.ref()).get(ordinal);
        return member != null && !member.learner() && member.started()
                ? Optional.of(fresh.ref().podName(ordinal) + " is already a voter. Its configuration stays sealed")
                : Optional.empty();
    }

    static Optional<String> newVoter(ClusterState fresh) {
        int voters = fresh.ring().optional().orElseThrow().voters().size();
        return voters >= Quorum.of(voters + 1)
                ? Optional.empty()
                : Optional.of("a ring of " + voters + " would lose quorum until the new voter runs");
    }

    static boolean countsForNothing(int ordinal, ClusterState fresh) {
        return fresh.ring()
                .optional()
                .flatMap(ring -> Optional.ofNullable(ring.byOrdinal(fresh.ref()).get(ordinal)))
                .filter(member -> member.learner() || !member.answers())
                .isPresent();
    }

    /// Compares the data of this reading.
    static boolean differs(int ordinal, ClusterState fresh) {
        return fresh.ring()
                .optional()
                .filter(ring -> Divergence.ofAnswering(fresh.ref(), ring).orElse(null)
                                instanceof Divergence.Differs differs
                        && Optional.ofNullable(ring.byOrdinal(fresh.ref()).get(ordinal))
                                .filter(member -> differs.odd().contains(member.id()))
                                .isPresent())
                .isPresent();
    }

    public static boolean corrupt(ClusterState fresh) {
        return fresh.ring()
                .optional()
                .filter(ring -> !ring.alarms(Alarm.Kind.CORRUPT).isEmpty())
                .isPresent();
    }

    /// Whether the ring could still write if `silent` more voters did not answer.
    public static Optional<String> standing(ClusterState fresh, int silent) {
        var ring = fresh.ring().optional();
        if (ring.isEmpty()) {
            return Optional.of("the ring could not be read");
        }
        if (ring.get().leader().isEmpty()) {
            return Optional.of("the voters do not agree on a leader");
        }
        int voters = ring.get().voters().size() + silent;
        int well = healthy(fresh.ref(), ring.get(), -1);
        return new Quorum(voters, well).holds()
                ? unclear(fresh)
                : Optional.of("only " + well + " of " + voters + " voters would answer");
    }

    /// Whether Kubernetes reports a member as ready that does not answer us: then only our view is missing.
    /// If the ring could not be read, no member has answered.
    public static Optional<String> unclear(ClusterState fresh) {
        var pods = fresh.kube().pods();
        if (!pods.isKnown()) {
            return Optional.of(
                    "the pods could not be read: " + pods.unknownReason().get());
        }
        var voters = fresh.ring().optional().map(RingState::voters);
        return pods.optional().orElseThrow().entrySet().stream()
                .filter(pod -> pod.getValue().ready() && !pod.getValue().terminating())
                .filter(pod -> voters.map(all -> all.stream()
                                .anyMatch(m ->
                                        !m.answers() && m.ordinal(fresh.ref()).equals(Optional.of(pod.getKey()))))
                        .orElse(true))
                .findFirst()
                .map(pod ->
                        pod.getValue().name() + " is ready and does not answer etcd-gitops, so its state is unknown");
    }
}
