package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.underway.NextPod;
import java.util.Collections;
import java.util.Optional;
import java.util.stream.IntStream;

/// What the steps of a roll require besides the checks of every step. Pure; fails closed.
public final class RollGate {
    private RollGate() {}

    public static Optional<String> pinned(ClusterState fresh) {
        return fresh.kube()
                .knownSet()
                .filter(s -> s.rollout().settled()
                        && !s.rollout().inProgress()
                        && s.rollout().partition() == s.replicas())
                .map(_ -> Optional.<String>empty())
                .orElse(Optional.of("the StatefulSet's partition is not pinned, or another rollout is under way"));
    }

    /// Whether some member does not start on the former template.
    static boolean behind(ClusterState fresh) {
        var current = fresh.kube().knownSet().map(s -> s.rollout().currentRevision());
        return fresh.kube().pods().optional().stream()
                .flatMap(pods -> pods.entrySet().stream())
                .filter(pod -> current.filter(pod.getValue().revision()::equals).isPresent())
                .anyMatch(pod -> idle(pod.getKey(), fresh));
    }

    /// Whether its member does not run, and will not by waiting.
    private static boolean idle(int ordinal, ClusterState fresh) {
        return isAway(ordinal, fresh)
                && fresh.kube().pod(ordinal).filter(Failing::silent).isPresent();
    }

    /// The former template is known until the controller makes the new one the current revision.
    static Optional<String> former(ClusterState fresh) {
        var roll = fresh.kube().knownJournal().flatMap(j -> j.roll());
        boolean known = fresh.kube()
                .knownSet()
                .filter(s -> s.rollout().settled())
                .filter(s -> s.rollout().inProgress()
                        || roll.filter(r -> r.formerTemplate().equals(s.templateDigest()))
                                .isPresent())
                .isPresent();
        return known
                ? Optional.empty()
                : Optional.of("every member already has the new template. There is nothing to go back to");
    }

    /// Whether its pod is not ready and it does not answer. Before the step deletes the pod, it also checks
    /// that the member's peers have no connection with it: only then the ring does not count on the member
    /// anyway.
    static boolean isAway(int ordinal, ClusterState fresh) {
        var pods = fresh.kube().pods().optional();
        boolean answers = fresh.ring()
                .optional()
                .flatMap(r -> Optional.ofNullable(r.byOrdinal(fresh.ref()).get(ordinal)))
                .filter(MemberState::answers)
                .isPresent();
        return !answers
                && pods.flatMap(all -> Optional.ofNullable(all.get(ordinal)))
                        .filter(pod -> !pod.ready())
                        .isPresent();
    }

    /// A ring of one is briefly away as a whole: its plan says so.
    public static Optional<String> away(int ordinal, ClusterState fresh) {
        if (fresh.kube().isOfOne()) {
            return Optional.empty();
        }
        var ring = fresh.ring().optional().orElseThrow();
        int voters = ring.voters().size();
        if (voters == 1) {
            // The other members were removed by hand: no member can take over the leadership.
            return Optional.empty();
        }
        var leads = MemberGate.leads(ordinal, fresh.ref(), ring);
        if (leads.isPresent()) {
            return leads;
        }
        int rest = MemberGate.keepingUp(fresh.ref(), ring, ordinal);
        return voters == 2 || new Quorum(voters, rest).holds()
                ? Optional.empty()
                : Optional.of(MemberGate.tooFew(fresh.ref().podName(ordinal), rest, voters));
    }

    /// All members above already have the newest template, so lowering the partition restarts only this
    /// one.
    static Optional<String> next(int ordinal, ClusterState fresh) {
        var set = fresh.kube().knownSet();
        var pods = fresh.kube().pods().optional().orElseThrow();
        if (set.filter(s ->
                        s.rollout().settled() && rolls(s, fresh) && s.rollout().partition() == ordinal + 1)
                .isEmpty()) {
            return Optional.of("the StatefulSet is not in the state that the rollout expects");
        }
        String newest = set.get().rollout().updateRevision();
        return pods.tailMap(ordinal + 1).values().stream()
                .filter(pod -> !pod.revision().equals(newest))
                .findFirst()
                .map(pod -> pod.name() + " still has the former template");
    }

    /// A StatefulSet that was recreated with the new template creates every pod from it, and is not rolling
    /// by itself.
    private static boolean rolls(KubeState.StatefulSetState set, ClusterState fresh) {
        return set.rollout().inProgress()
                || fresh.kube()
                        .knownJournal()
                        .filter(j -> j.unsettled() && j.roll().isPresent() && !new NextPod(set, j).former())
                        .isPresent();
    }

    /// A pod there that is still a member would restart, unless it already has the new template, or does not
    /// run anyway.
    public static Optional<String> opened(int ordinal, ClusterState fresh) {
        var set = fresh.kube().knownSet();
        if (set.filter(s -> s.rollout().settled() && s.rollout().inProgress()).isEmpty()) {
            return Optional.of("the StatefulSet is not rolling");
        }
        var members = fresh.ring().optional().map(ring -> ring.byOrdinal(fresh.ref()));
        var pods = fresh.kube().pods().optional().orElseGet(Collections::emptySortedMap);
        String newest = set.get().rollout().updateRevision();
        return IntStream.range(ordinal, set.get().rollout().partition())
                .filter(o -> Optional.ofNullable(pods.get(o))
                        .filter(pod -> pod.revision().equals(newest))
                        .isEmpty())
                .filter(o -> members.filter(all -> !all.containsKey(o)).isEmpty())
                .filter(o -> !idle(o, fresh))
                .mapToObj(o -> fresh.ref().podName(o) + " is a member of the ring, and would be restarted")
                .findFirst();
    }
}
