package io.github.etcdgitops.execute;

import io.github.etcdgitops.spec.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Divergence;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.MemberState;
import io.github.etcdgitops.state.Quorum;
import io.github.etcdgitops.state.RingHealth;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.Space;
import io.github.etcdgitops.step.AdoptStep;
import io.github.etcdgitops.step.GrowStep;
import io.github.etcdgitops.step.MaintainStep;
import io.github.etcdgitops.step.ReplaceStep;
import io.github.etcdgitops.step.RingModel;
import io.github.etcdgitops.step.RollStep;
import io.github.etcdgitops.step.Step;
import io.github.etcdgitops.step.TlsStep;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// May this step be done now? Asked on freshly observed state before every step that is not done already.
/// Pure; fails closed.
final class SafetyGate {
    private SafetyGate() {}

    /// Why not; empty when the step may be done. `expected` is what the plan says the ring is by now,
    /// `known` which members it is about.
    static Optional<String> check(Step step, RingModel expected, Identity known, ClusterState fresh) {
        if (step.gate() == Step.Gate.NONE) {
            return Optional.empty();
        }
        if (step.gate() == Step.Gate.UNSUSPENDED) {
            return unsuspended(fresh).or(() -> special(step, fresh));
        }
        return suspended(fresh)
                .or(() -> unknown(fresh))
                .or(() -> moved(expected, known, fresh))
                .or(() -> rolling(fresh))
                .or(() -> step.gate() == Step.Gate.GREEN ? notGreen(step, fresh) : Optional.empty())
                .or(() -> special(step, fresh));
    }

    /// Why nothing may be begun, also where nothing of the ring is changed.
    static Optional<String> unsuspended(ClusterState fresh) {
        return suspended(fresh).or(() -> fresh.kube().statefulSet().unknownReason());
    }

    private static Optional<String> suspended(ClusterState fresh) {
        return set(fresh)
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

    /// A ring that is being founded has no members to compare until they have started.
    private static Optional<String> moved(RingModel expected, Identity known, ClusterState fresh) {
        if (expected.voters().isEmpty()) {
            return Optional.empty();
        }
        if (fresh.ring().unknownReason().isPresent()) {
            return Optional.of("the ring could not be read: "
                    + fresh.ring().unknownReason().get());
        }
        var now = RingModel.of(fresh);
        return now.sameMembers(expected)
                ? known.differs(fresh).map(what -> "the ring is not the one that was planned for: " + what)
                : Optional.of(
                        "the ring is not as planned: expected " + expected.describe() + "; found " + now.describe());
    }

    private static Optional<String> rolling(ClusterState fresh) {
        boolean ours = fresh.kube()
                .journal()
                .optional()
                .flatMap(j -> j)
                .filter(j -> j.journal().roll().isPresent())
                .isPresent();
        return set(fresh)
                .filter(s -> s.rollout().inProgress() && !ours)
                .map(_ -> "the StatefulSet is in the midst of a roll");
    }

    private static Optional<String> notGreen(Step step, ClusterState fresh) {
        if (goesBeforeOthersAreWell(step, fresh)) {
            return ReplaceGate.standing(fresh, 0);
        }
        var seen = step instanceof GrowStep ? GrowGate.seen(fresh) : fresh;
        return RingHealth.problems(seen, exempt(step)).stream().findFirst();
    }

    /// Whoever does not count, or is of no use, may go where a majority answers: that costs nobody anything,
    /// and the others may have to wait for it.
    private static boolean goesBeforeOthersAreWell(Step step, ClusterState fresh) {
        if (step instanceof Step.RemoveMember(int ordinal, var unwell)) {
            return unwell.contains(ordinal) && (countsForNothing(ordinal, fresh) || differs(ordinal, fresh));
        }
        if (step instanceof RollStep.WriteTemplate) {
            // It restarts nobody, and whoever is not well by now may need it: a new member of the next minor version.
            return RingHealth.passing(fresh).isEmpty() || alarmed(fresh);
        }
        return step instanceof Step.YieldLeadership(int ordinal) && differs(ordinal, fresh);
    }

    private static boolean alarmed(ClusterState fresh) {
        return fresh.ring()
                .optional()
                .filter(ring -> !Space.alarms(ring, Space.CORRUPT).isEmpty())
                .isPresent();
    }

    /// Whether the step may be let because of whose data differs.
    static boolean compares(Step step) {
        return step instanceof Step.YieldLeadership
                || (step instanceof Step.RemoveMember(int ordinal, var unwell) && unwell.contains(ordinal));
    }

    private static boolean countsForNothing(int ordinal, ClusterState fresh) {
        return fresh.ring()
                .optional()
                .flatMap(ring -> Optional.ofNullable(ring.byOrdinal(fresh.ref()).get(ordinal)))
                .filter(member -> member.learner() || !member.answers())
                .isPresent();
    }

    /// Compared on this very reading.
    private static boolean differs(int ordinal, ClusterState fresh) {
        return fresh.ring()
                .optional()
                .filter(ring -> Divergence.ofAnswering(fresh.ref(), ring).orElse(null)
                                instanceof Divergence.Differs differs
                        && Optional.ofNullable(ring.byOrdinal(fresh.ref()).get(ordinal))
                                .filter(member -> differs.odd().contains(member.id()))
                                .isPresent())
                .isPresent();
    }

    private static Set<Integer> exempt(Step step) {
        return step instanceof Step.RemoveMember(int _, var unwell) ? unwell : Set.of();
    }

    private static Optional<String> special(Step step, ClusterState fresh) {
        return switch (step) {
            case Step.RemoveMember(int ordinal, var unused) -> removal(ordinal, fresh);
            case Step.SetReplicas(int replicas) -> replicas(replicas, fresh);
            case Step.WriteJoinConfig(int ordinal) -> unsealing(ordinal, fresh);
            case Step.AddVoter _ -> newVoter(fresh);
            case Step.OpenJournal _, Step.WriteFoundingConfigs _, Step.CreateStatefulSet _, Step.AwaitRing _ ->
                Optional.empty();
            case Step.RecordRing _, Step.ApplyObjects _, Step.SetBudget _, Step.BlockEvictions _ -> Optional.empty();
            case Step.Begin _, Step.AddLearner _, Step.AwaitStarted _, Step.SealMember _ -> Optional.empty();
            case Step.Promote _, Step.AdmitClients _, Step.AwaitGreen _, Step.YieldLeadership _ -> Optional.empty();
            case Step.AwaitPodGone _, Step.ReleaseMember _, Step.Finish _ -> Optional.empty();
            case Step.OfBackup _, Step.OfRestore _, TlsStep _, AdoptStep _ -> Optional.empty();
            case ReplaceStep replace -> ReplaceGate.check(replace, fresh);
            case Step.OfDeletion deletion -> DeleteGate.check(deletion, fresh);
            case MaintainStep maintain -> MaintainGate.check(maintain, fresh);
            case RollStep roll -> RollGate.check(roll, fresh);
            case GrowStep grow -> GrowGate.check(grow, fresh);
        };
    }

    static Optional<String> removal(int ordinal, ClusterState fresh) {
        var ring = fresh.ring().optional().orElseThrow();
        var ref = fresh.ref();
        var member = ring.byOrdinal(ref).get(ordinal);
        if (member != null && ring.leader().filter(member.id()::equals).isPresent()) {
            return Optional.of(ref.podName(ordinal) + " leads the ring");
        }
        if (member != null && !member.learner()) {
            var lost = quorumLost(ref, ring, ordinal, member.answers());
            if (lost.isPresent()) {
                return lost;
            }
        }
        return evictable(fresh);
    }

    static Optional<String> evictable(ClusterState fresh) {
        boolean blocked = fresh.kube()
                .budget()
                .optional()
                .flatMap(b -> b)
                .filter(b -> b.settled() && b.disruptionsAllowed() == 0)
                .isPresent();
        return blocked ? Optional.empty() : Optional.of("the disruption budget would let an eviction happen meanwhile");
    }

    /// The removal is agreed on by the old majority, in which the leaving member still votes, and
    /// leaves a ring that must have a majority of its own.
    private static Optional<String> quorumLost(ClusterRef ref, RingState ring, int ordinal, boolean serves) {
        int voters = ring.voters().size();
        int healthy = healthy(ref, ring, -1);
        int rest = serves ? keepingUp(ref, ring, ordinal) : healthy(ref, ring, ordinal);
        boolean agreed = new Quorum(voters, healthy).holds();
        boolean left = voters > 1 && new Quorum(voters - 1, Math.min(rest, voters - 1)).holds();
        return agreed && left
                ? Optional.empty()
                : Optional.of("without " + ref.podName(ordinal) + " only " + rest + " of " + (voters - 1)
                        + " voters would be well");
    }

    static int healthy(ClusterRef ref, RingState ring, int without) {
        return besides(ref, ring.voters().stream().filter(MemberState::answers).toList(), without);
    }

    /// Of two followers, one may be so far behind that the leader has nobody but the other to agree with.
    static int keepingUp(ClusterRef ref, RingState ring, int without) {
        return besides(ref, RingHealth.keepingUp(ring), without);
    }

    private static int besides(ClusterRef ref, List<MemberState> members, int without) {
        return (int) members.stream()
                .filter(m -> m.ordinal(ref).filter(o -> o == without).isEmpty())
                .count();
    }

    /// A pod that goes must be no member; a pod that comes must be one, with a file to start by.
    private static Optional<String> replicas(int replicas, ClusterState fresh) {
        var ring = fresh.ring().optional();
        if (ring.isEmpty()) {
            return Optional.of("the ring could not be read");
        }
        var members = ring.get().byOrdinal(fresh.ref());
        if (!members.isEmpty() && members.lastKey() >= replicas) {
            return Optional.of(fresh.ref().podName(members.lastKey()) + " is still a member of the ring");
        }
        var configs = fresh.kube().configs().optional().orElseThrow();
        int there = set(fresh).map(KubeState.StatefulSetState::replicas).orElse(0);
        for (int ordinal = Math.min(there, replicas); ordinal < replicas; ordinal++) {
            if (!members.containsKey(ordinal) || !configs.containsKey(ordinal)) {
                return Optional.of(fresh.ref().podName(ordinal) + " is no member yet, or has no configuration");
            }
        }
        return Optional.empty();
    }

    /// A voter that has started must never get a file again that lets it start on an empty disk.
    private static Optional<String> unsealing(int ordinal, ClusterState fresh) {
        var member =
                fresh.ring().optional().orElseThrow().byOrdinal(fresh.ref()).get(ordinal);
        return member != null && !member.learner() && member.started()
                ? Optional.of(fresh.ref().podName(ordinal) + " is a voter already: its configuration stays sealed")
                : Optional.empty();
    }

    private static Optional<String> newVoter(ClusterState fresh) {
        int voters = fresh.ring().optional().orElseThrow().voters().size();
        return voters >= Quorum.of(voters + 1)
                ? Optional.empty()
                : Optional.of("a ring of " + voters + " would lose quorum until the new voter runs");
    }

    private static Optional<KubeState.StatefulSetState> set(ClusterState fresh) {
        return fresh.kube().statefulSet().optional().flatMap(s -> s);
    }
}
