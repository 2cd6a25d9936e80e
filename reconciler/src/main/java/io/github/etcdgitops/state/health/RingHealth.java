package io.github.etcdgitops.state.health;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/// Whether a ring is healthy (green): the one check before anything that touches a member. etcd's own
/// checks are weaker than what a ring needs (etcd counts started members, not healthy ones).
public final class RingHealth {
    /// The largest accepted lag of a member behind the most advanced one, in log entries.
    public static final long MAX_LAG = 1000;

    private RingHealth() {}

    /// All problems, for people; empty means green. Learners do not count, and neither do the members at
    /// `exempt`: those that the step itself handles.
    public static List<String> problems(ClusterState state, Set<Integer> exempt) {
        var seen = Space.beingRaised(state) ? Space.ignored(state) : state;
        return switch (seen.ring()) {
            case Observed.Unknown<RingState>(String reason, var _) ->
                nobodyElse(state, exempt) ? List.of() : List.of("the ring could not be read: " + reason);
            case Observed.Known<RingState>(RingState ring) -> problems(state, ring, exempt);
        };
    }

    /// Problems that waiting may end: not alarms, which must be disarmed, nor members that do not start.
    public static List<String> passing(ClusterState state) {
        return problems(Space.unalarmed(state), hopeless(state));
    }

    /// Voters that do not answer and will not start by themselves: their volume is lost, the only node that
    /// has it is gone, their node is unreachable, or their container fails again and again.
    public static Set<Integer> hopeless(ClusterState state) {
        return state.ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .filter(m -> !m.answers())
                .flatMap(m -> m.ordinal(state.ref()).stream())
                .filter(ordinal -> hopeless(state.kube(), ordinal))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean hopeless(KubeState kube, int ordinal) {
        var claims = kube.claims().optional();
        var pod = kube.pod(ordinal);
        boolean noVolume = claims.isPresent()
                && Optional.ofNullable(claims.get().get(ordinal))
                        .filter(claim -> !claim.lost() && !claim.terminating())
                        .filter(claim ->
                                claim.volume().home().filter(Host::gone).isEmpty())
                        .isEmpty();
        return noVolume
                || pod.filter(p -> p.stranded() || (!p.ready() && Failing.silent(p)))
                        .isPresent();
    }

    /// Voters that do not answer, where so few are away that the ring keeps a majority with one more away;
    /// otherwise empty.
    public static Set<Integer> bearable(ClusterState state) {
        var ring = state.ring().optional();
        if (ring.isEmpty()) {
            return Set.of();
        }
        var voters = ring.get().voters();
        long answering = voters.stream().filter(MemberState::answers).count();
        return answering > Quorum.of(voters.size())
                ? voters.stream()
                        .filter(m -> !m.answers())
                        .flatMap(m -> m.ordinal(state.ref()).stream())
                        .collect(Collectors.toUnmodifiableSet())
                : Set.of();
    }

    /// Voters that answer and are not far behind: a leader needs such followers for its writes.
    public static List<MemberState> keepingUp(RingState ring) {
        var lagging = lagging(ring);
        return ring.voters().stream()
                .filter(m -> m.answers() && !lagging.contains(m))
                .toList();
    }

    /// A ring of one cannot be read while its only member is away.
    private static boolean nobodyElse(ClusterState state, Set<Integer> exempt) {
        return exempt.equals(Set.of(0)) && state.kube().isOfOne();
    }

    private static List<String> problems(ClusterState state, RingState ring, Set<Integer> exempt) {
        var problems = new ArrayList<String>();
        if (ring.voters().isEmpty()) {
            problems.add("the ring has no voter");
        }
        ring.alarms().forEach(alarm -> problems.add("alarm " + alarm));
        ring.members().stream()
                .filter(m -> m.ordinal(state.ref()).filter(exempt::contains).isEmpty())
                .forEach(member -> memberProblems(state.ref(), member, problems));
        if (ring.leader().isEmpty()) {
            problems.add("the voters do not agree on a leader");
        }
        if (terms(ring) > 1) {
            problems.add("the voters are in different terms");
        }
        lagging(ring).stream()
                .filter(m -> m.ordinal(state.ref()).filter(exempt::contains).isEmpty())
                .forEach(m -> problems.add(title(state.ref(), m) + " is more than " + MAX_LAG + " entries behind"));
        podProblems(state, ring, exempt, problems);
        return List.copyOf(problems);
    }

    private static void memberProblems(ClusterRef ref, MemberState member, List<String> problems) {
        if (member.ordinal(ref).isEmpty()) {
            problems.add("member " + member.id() + " does not belong to this ring: its peer URL names no pod of the"
                    + " ring");
        }
        if (member.learner()) {
            return;
        }
        switch (member.status()) {
            case Observed.Unknown<MemberState.Status>(String reason, var _) ->
                problems.add(title(ref, member) + " does not answer: " + reason);
            case Observed.Known<MemberState.Status>(MemberState.Status status) ->
                status.errors().forEach(error -> problems.add(title(ref, member) + " reports " + error));
        }
    }

    private static void podProblems(ClusterState state, RingState ring, Set<Integer> exempt, List<String> problems) {
        switch (state.kube().pods()) {
            case Observed.Unknown<?>(String reason, var _) -> problems.add("the pods could not be read: " + reason);
            case Observed.Known<SortedMap<Integer, KubeState.PodState>>(var pods) ->
                ring.voterOrdinals(state.ref()).stream()
                        .filter(o -> !exempt.contains(o))
                        .forEach(ordinal -> {
                            var pod = pods.get(ordinal);
                            if (pod == null) {
                                problems.add(state.ref().podName(ordinal) + " has no pod");
                            } else if (pod.terminating()) {
                                problems.add(pod.name() + " is being deleted");
                            } else if (!pod.ready()) {
                                problems.add(pod.name() + " is not ready");
                            }
                        });
        }
    }

    private static long terms(RingState ring) {
        return ring.voters().stream()
                .flatMap(m -> m.status().optional().stream())
                .map(MemberState.Status::term)
                .distinct()
                .count();
    }

    private static List<MemberState> lagging(RingState ring) {
        long foremost = ring.members().stream()
                .flatMap(m -> m.status().optional().stream())
                .mapToLong(MemberState.Status::appliedIndex)
                .max()
                .orElse(0);
        return ring.voters().stream()
                .filter(m -> m.status()
                        .optional()
                        .filter(s -> foremost - s.appliedIndex() > MAX_LAG)
                        .isPresent())
                .toList();
    }

    private static String title(ClusterRef ref, MemberState member) {
        return member.ordinal(ref).map(ref::podName).orElseGet(() -> "member " + member.id());
    }

    /// The lowest version that an answering member runs: it limits what the whole ring can do.
    public static Optional<EtcdVersion> lowestVersion(RingState ring) {
        return ring.members().stream()
                .flatMap(m -> m.status().optional().stream())
                .map(MemberState.Status::version)
                .min(Comparator.naturalOrder());
    }

    /// The newest revision that any member has.
    public static OptionalLong newestRevision(ClusterState state) {
        return state.ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .flatMap(member -> member.status().optional().stream())
                .map(MemberState.Status::at)
                .mapToLong(MemberState.Position::revision)
                .max();
    }
}
