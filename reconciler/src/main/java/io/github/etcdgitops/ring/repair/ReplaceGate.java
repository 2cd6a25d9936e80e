package io.github.etcdgitops.ring.repair;

import io.github.etcdgitops.ring.membership.MemberGate;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.underway.JoinAttempts;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the steps of a replacement require besides the checks of every step. Pure; fails closed.
///
/// Other members may be away while a member is removed. After each step, the members that answer must be a
/// majority, so that nothing depends on a member that we cannot see.
final class ReplaceGate {
    private ReplaceGate() {}

    /// A process continues with the files that it has open. It is not given up before its replacement can
    /// join: otherwise the ring tolerates one failure less for as long as another voter is away.
    static Optional<String> stillServing(int ordinal, ClusterState fresh) {
        var former = former(ordinal, fresh).map(Intent.Former::member);
        boolean serves = fresh.ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .anyMatch(m -> m.answers() && former.filter(m.id()::equals).isPresent());
        return serves
                ? silentVoter(fresh).map(why -> fresh.ref().podName(ordinal) + " still serves, and " + why)
                : Optional.empty();
    }

    /// etcd refuses every new member, also a learner, while one of the voters is not connected.
    static Optional<String> silentVoter(ClusterState fresh) {
        return fresh.ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .filter(m -> !m.answers())
                .findFirst()
                .map(m -> "etcd adds no member while "
                        + m.ordinal(fresh.ref()).map(fresh.ref()::podName).orElseGet(m.id()::toString)
                        + " does not answer");
    }

    /// No member is replaced from members whose data is in doubt, except the members that cause the doubt.
    /// The steps themselves compare the data right before they act. A ring that is out of space still has
    /// all its data and accepts new members.
    private static Optional<String> alarm(ClusterState fresh, boolean differs) {
        return fresh.ring().optional().stream()
                .flatMap(ring -> ring.alarms().stream())
                .filter(alarm -> alarm.kind() != Alarm.Kind.NOSPACE)
                .filter(alarm -> !differs || alarm.kind() != Alarm.Kind.CORRUPT)
                .findFirst()
                .map(alarm -> "alarm " + alarm);
    }

    /// Why the ring must not remove or add a member now. The alarm CORRUPT is no reason where exactly the
    /// data that `differs` is removed.
    static Optional<String> unsteady(ClusterState fresh, boolean differs) {
        return unsteady(fresh, differs, 0);
    }

    /// The same for a ring that gets `silent` more voters, which do not answer at first.
    static Optional<String> unsteady(ClusterState fresh, boolean differs, int silent) {
        return alarm(fresh, differs).or(() -> MemberGate.standing(fresh, silent));
    }

    static boolean differs(int ordinal, ClusterState fresh) {
        return former(ordinal, fresh)
                .filter(f -> f.why() == Intent.Why.DIVERGED)
                .isPresent();
    }

    /// A member whose data is certainly gone cannot hold the right data. Until it is no longer a voter, it
    /// may be all that keeps the others from being a majority that agrees.
    static boolean hasNoData(int ordinal, ClusterState fresh) {
        return former(ordinal, fresh).filter(f -> isGone(f.why())).isPresent()
                && member(ordinal, fresh).filter(MemberState::answers).isEmpty();
    }

    /// It is down, and is removed together with a member whose data differs. The step checks whether the
    /// others are a majority.
    static boolean outvoted(int ordinal, ClusterState fresh) {
        return formers(fresh).values().stream().anyMatch(f -> f.why() == Intent.Why.DIVERGED)
                && member(ordinal, fresh).filter(MemberState::answers).isEmpty();
    }

    static boolean isWorthless(Intent.Why why) {
        return why == Intent.Why.DIVERGED || isGone(why);
    }

    private static boolean isGone(Intent.Why why) {
        return why == Intent.Why.LOST || why == Intent.Why.GONE;
    }

    static Optional<String> differingMember(ClusterState fresh) {
        return formers(fresh).entrySet().stream()
                .filter(f -> f.getValue().why() == Intent.Why.DIVERGED)
                .flatMap(f -> stillMember(f.getKey(), fresh).stream())
                .findFirst();
    }

    /// The claims were checked when the replacement started; they are checked again before the member is
    /// removed.
    static Optional<String> notGiven(SortedMap<Integer, GivenUpClaim> claims, ClusterState fresh) {
        return claims.entrySet().stream()
                .filter(c -> !c.getValue().claimUid().equals(givenUp(c.getKey(), fresh)))
                .flatMap(c -> stillThere(c.getKey(), c.getValue(), fresh)
                        .or(() -> c.getValue().why() == Intent.Why.FAILING
                                ? comesUp(c.getKey(), fresh)
                                : Optional.empty())
                        .stream())
                .findFirst();
    }

    static Optional<String> comesUp(int ordinal, ClusterState fresh) {
        return member(ordinal, fresh)
                .filter(m -> m.answers()
                        || !(Failing.neverStarts(fresh.kube(), ordinal)
                                || (m.learner()
                                        && JoinAttempts.gone(fresh, ordinal).isPresent())))
                .map(m -> fresh.ref().podName(ordinal)
                        + (m.answers()
                                ? " has started"
                                : " may still start: its container has not failed often enough"));
    }

    /// If the pod is another one, it is not known whether it starts.
    static Optional<String> startsAgain(int ordinal, String uid, ClusterState fresh) {
        var pod = fresh.kube().pod(ordinal);
        return pod.filter(p -> p.uid().equals(uid)).isEmpty()
                ? Optional.of(fresh.ref().podName(ordinal) + " has a new pod")
                : comesUp(ordinal, fresh);
    }

    private static Optional<MemberState> member(int ordinal, ClusterState fresh) {
        return fresh.ring()
                .optional()
                .flatMap(ring -> Optional.ofNullable(ring.byOrdinal(fresh.ref()).get(ordinal)));
    }

    /// Only the intended claim is ever given up. A volume that still exists is given up only where a
    /// document asks for it.
    static Optional<String> stillThere(int ordinal, GivenUpClaim meant, ClusterState fresh) {
        if (meant.why() == Intent.Why.GONE) {
            return stillGone(ordinal, meant, fresh);
        }
        var claim = claim(ordinal, fresh);
        if (claim.isEmpty()) {
            return Optional.empty();
        }
        if (!claim.get().uid().equals(meant.claimUid())) {
            return meant.lost()
                    ? stillGone(ordinal, meant, fresh)
                    : Optional.of("the claim " + claim.get().name() + " is not the one in the plan");
        }
        if (meant.why() == Intent.Why.MACHINE_GONE) {
            return machineStillGone(ordinal, claim.get(), fresh);
        }
        return !meant.lost() || claim.get().lost() || claim.get().terminating()
                ? Optional.empty()
                : Optional.of("the volume of the claim " + claim.get().name() + " exists");
    }

    /// A process may still run on a node whose Node object alone was deleted. Then the member answers.
    private static Optional<String> machineStillGone(int ordinal, KubeState.ClaimState claim, ClusterState fresh) {
        String pod = fresh.ref().podName(ordinal);
        if (member(ordinal, fresh).filter(MemberState::answers).isPresent()) {
            return Optional.of(pod + " answers");
        }
        boolean gone = claim.lost()
                || claim.terminating()
                || claim.volume().home().filter(Host::gone).isPresent();
        return gone
                ? Optional.empty()
                : Optional.of("the node with the volume of " + pod + " exists, or is not known to be gone");
    }

    /// A claim never comes back with its UID; its member may, on the same volume bound to another claim.
    private static Optional<String> stillGone(int ordinal, GivenUpClaim meant, ClusterState fresh) {
        if (claim(ordinal, fresh).filter(c -> c.uid().equals(meant.claimUid())).isPresent()) {
            return Optional.of("the claim of " + fresh.ref().podName(ordinal) + " exists");
        }
        return member(ordinal, fresh)
                .filter(m -> m.answers() || !Failing.neverStarts(fresh.kube(), ordinal))
                .map(m -> fresh.ref().podName(ordinal)
                        + (m.answers() ? " has started" : " may still start")
                        + " on its present claim");
    }

    static Optional<String> stillMember(int ordinal, ClusterState fresh) {
        var former = former(ordinal, fresh).map(Intent.Former::member);
        return fresh.ring()
                .optional()
                .filter(ring -> ring.members().stream()
                        .anyMatch(m -> former.filter(m.id()::equals).isPresent()))
                .map(_ -> fresh.ref().podName(ordinal) + " is still a member of the ring");
    }

    /// A member that joins on a claim that is being deleted loses its volume in a moment.
    static Optional<String> oldClaim(int ordinal, ClusterState fresh) {
        var claim = claim(ordinal, fresh);
        return claim.filter(c -> !c.terminating() && !c.lost() && !c.uid().equals(givenUp(ordinal, fresh)))
                        .isPresent()
                ? Optional.empty()
                : Optional.of(fresh.ref().podName(ordinal) + " has no new claim yet");
    }

    /// A process that may still run must not be a member any more: neither the former one, nor any other
    /// member of its name.
    static Optional<String> notReleased(int ordinal, String uid, ClusterState fresh) {
        String name = fresh.ref().podName(ordinal);
        if (former(ordinal, fresh).isEmpty() && !leaves(ordinal, fresh)) {
            return Optional.of(name + " neither leaves nor is being replaced");
        }
        if (stillMember(ordinal, fresh).isPresent() || member(ordinal, fresh).isPresent()) {
            return Optional.of(name + " is still a member of the ring");
        }
        var pod = fresh.kube().pod(ordinal);
        return pod.filter(p -> p.uid().equals(uid) && p.stranded()).isPresent()
                ? Optional.empty()
                : Optional.of(name + " has a new pod, or its node has reported again");
    }

    private static boolean leaves(int ordinal, ClusterState fresh) {
        return fresh.kube()
                .knownJournal()
                .flatMap(Journal::intent)
                .filter(intent -> intent.kind() == Intent.Kind.LEAVE && intent.ordinal() == ordinal)
                .isPresent();
    }

    private static String givenUp(int ordinal, ClusterState fresh) {
        return former(ordinal, fresh).map(Intent.Former::claimUid).orElse("");
    }

    static Optional<Intent.Former> former(int ordinal, ClusterState fresh) {
        return Optional.ofNullable(formers(fresh).get(ordinal));
    }

    private static SortedMap<Integer, Intent.Former> formers(ClusterState fresh) {
        return fresh.kube()
                .knownJournal()
                .flatMap(Journal::replacement)
                .map(Intent.Replacement::formers)
                .orElseGet(TreeMap::new);
    }

    private static Optional<KubeState.ClaimState> claim(int ordinal, ClusterState fresh) {
        return fresh.kube().claim(ordinal);
    }
}
