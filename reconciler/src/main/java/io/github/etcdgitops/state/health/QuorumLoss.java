package io.github.etcdgitops.state.health;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.Failing;
import io.github.etcdgitops.state.Host;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.KubeState.PodState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.backup.SnapshotContents;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A ring that certainly accepts no writes, because fewer voters run than a majority. `survivors` are those
/// that answer, the one with the most data first; `missing` has the others, by ordinal.
///
/// If we reach no member, that is no proof: the network between us and the members may have failed. A voter
/// counts as gone where it does not answer *and* Kubernetes says that its pod is not healthy; and those
/// that answer must know of no leader.
public record QuorumLoss(int voters, List<Survivor> survivors, SortedMap<Integer, Missing> missing) {
    private static final Comparator<Survivor> MOST_FIRST = Comparator.comparingLong(
                    (Survivor s) -> s.at().appliedIndex())
            .thenComparingLong(s -> s.at().term())
            .reversed()
            .thenComparingInt(Survivor::ordinal);

    public QuorumLoss {
        survivors = survivors.stream().sorted(MOST_FIRST).toList();
    }

    public record Survivor(int ordinal, EtcdId id, MemberState.Position at) {}

    /// `pod` and `claim` are empty where there is none. `former` is the UID of the claim with its former
    /// data, where the journal knows it.
    public record Missing(Optional<PodState> pod, Optional<KubeState.ClaimState> claim, Optional<String> former) {
        /// Whether its data may still exist.
        public boolean mayComeBack() {
            return claim.filter(c -> !c.lost() && !c.terminating()).isPresent() && !exchanged();
        }

        /// Whether the claim is another one than before.
        public boolean exchanged() {
            return claim.filter(c -> former.filter(uid -> !uid.equals(c.uid())).isPresent())
                    .isPresent();
        }
    }

    /// How many voters a write needs.
    public int needed() {
        return Quorum.of(voters);
    }

    /// Empty also where a loss is possible and not certain.
    public static Optional<QuorumLoss> of(ClusterState state) {
        var journal = state.kube().knownJournal();
        boolean wanted = state.kube()
                .knownSet()
                .filter(set -> set.ours() && !set.terminating() && set.replicas() > 0)
                .isPresent();
        if (!wanted || journal.filter(Journal::founded).isEmpty()) {
            return Optional.empty();
        }
        return state.kube()
                .pods()
                .optional()
                .flatMap(pods -> state.ring()
                        .optional()
                        .map(ring ->
                                led(ring) ? Optional.<QuorumLoss>empty() : answering(state, journal.get(), ring, pods))
                        .orElseGet(() -> silent(state, journal.get(), pods)));
    }

    /// Why what is left of the ring may not be ended, where `saved` is the saved data: it has its quorum
    /// back, or a member has more than that.
    public static Optional<String> notSaved(ClusterState state, Optional<SnapshotContents> saved) {
        var loss = of(state);
        if (loss.isEmpty()) {
            return Optional.of("the ring may still have a quorum");
        }
        if (loss.get().survivors().isEmpty() || saved.isEmpty()) {
            return Optional.of("no survivor answers, so whether its data is saved is unknown. To start from a"
                    + " backup anyway, name it in an EtcdRestore with inPlace");
        }
        long revision = saved.get().revision();
        return loss.get().survivors().stream()
                .filter(s -> s.at().revision() > revision)
                .findFirst()
                .map(s -> state.ref().podName(s.ordinal()) + " has revision " + s.at().revision()
                        + ", and the saved data ends at " + revision);
    }

    /// Whether any voter knows of a leader. Without a majority, a leader steps down by itself. A learner
    /// takes part in no election, and keeps naming its last leader.
    private static boolean led(RingState ring) {
        return ring.voters().stream()
                .flatMap(m -> m.status().optional().stream())
                .anyMatch(status -> status.leader().isPresent());
    }

    private static Optional<QuorumLoss> answering(
            ClusterState state, Journal journal, RingState ring, SortedMap<Integer, PodState> pods) {
        var survivors = new ArrayList<Survivor>();
        var missing = new TreeMap<Integer, Missing>();
        var gone = new TreeMap<Integer, Optional<EtcdId>>();
        for (var voter : ring.voters()) {
            var ordinal = voter.ordinal(state.ref());
            var status = voter.status().optional();
            if (ordinal.isEmpty()) {
                return Optional.empty();
            }
            if (status.isPresent()) {
                survivors.add(
                        new Survivor(ordinal.get(), voter.id(), status.get().at()));
            } else {
                var pod = Optional.ofNullable(pods.get(ordinal.get()));
                if (pod.filter(p -> p.ready() && !p.terminating()).isEmpty()) {
                    gone.put(ordinal.get(), Optional.of(voter.id()));
                }
                missing.put(ordinal.get(), missing(state, ordinal.get(), pod));
            }
        }
        return lost(journal, ring.voters().size(), gone, survivors, missing);
    }

    /// No member answers, not even one that runs: after a restart etcd does not serve before there is a
    /// quorum. So only pods that do not exist, are being deleted or do not run count as gone. The journal
    /// has the former members.
    ///
    /// It may be unknown whether a new member votes already. A running one is assumed to vote, and one that
    /// does not run is assumed not to, so that the loss is certain either way.
    private static Optional<QuorumLoss> silent(ClusterState state, Journal journal, SortedMap<Integer, PodState> pods) {
        var missing = new TreeMap<Integer, Missing>();
        var gone = new TreeMap<Integer, Optional<EtcdId>>();
        for (var member : journal.members().entrySet()) {
            int ordinal = member.getKey();
            var pod = Optional.ofNullable(pods.get(ordinal));
            boolean ends =
                    pod.filter(p -> !p.terminating() && (p.ready() || runs(p))).isEmpty();
            if (comes(journal, ordinal) && (ends || learns(state, journal, ordinal))) {
                continue;
            }
            if (ends) {
                gone.put(ordinal, member.getValue().id());
            }
            missing.put(ordinal, missing(state, ordinal, pod));
        }
        return lost(journal, missing.size(), gone, List.of(), missing);
    }

    /// Whether the new member at this ordinal certainly does not vote yet: it is sealed before it may, or it is the
    /// only new member, and the learner that answers.
    private static boolean learns(ClusterState state, Journal journal, int ordinal) {
        boolean unsealed = journal.applied().version().hasLearners()
                && state.kube()
                        .config(ordinal)
                        .filter(config -> !config.sealed())
                        .isPresent();
        return unsealed
                || (state.ring().isUnknownBecause(Observed.Cause.LEARNER_ALONE)
                        && journal.members().keySet().stream().allMatch(o -> o == ordinal || !comes(journal, o)));
    }

    /// Whether the member at this ordinal is joining, or replaces another one.
    private static boolean comes(Journal journal, int ordinal) {
        return intents(journal).anyMatch(intent -> intent.adds(ordinal, Optional.empty()));
    }

    private static Stream<Intent> intents(Journal journal) {
        return journal.intent().stream().flatMap(Intent::all);
    }

    private static boolean runs(PodState pod) {
        return pod.life().whereabouts().runs();
    }

    /// The rest of the member at this ordinal, with this pod.
    public static Missing missing(ClusterState state, int ordinal, Optional<PodState> pod) {
        var claim = state.kube().claim(ordinal);
        var former = state.kube()
                .knownJournal()
                .flatMap(j -> Optional.ofNullable(j.members().get(ordinal)))
                .flatMap(Journal.Member::claimUid);
        return new Missing(pod, claim, former);
    }

    /// Our own change restarts or adds one member at a time, and a ring of one or two has no quorum during
    /// that. That member is not missing as long as it may start; any other absent member is, whatever is
    /// under way.
    private static boolean onItsWay(Journal journal, int ordinal, Optional<EtcdId> id, Missing missing) {
        boolean mayStart = missing.mayComeBack()
                && missing.claim()
                        .flatMap(claim -> claim.volume().home())
                        .filter(Host::gone)
                        .isEmpty()
                && missing.pod().filter(p -> p.stranded() || Failing.silent(p)).isEmpty();
        return mayStart && intents(journal).anyMatch(intent -> starts(intent, ordinal, id));
    }

    private static boolean starts(Intent intent, int ordinal, Optional<EtcdId> id) {
        return switch (intent.kind()) {
            case ROLL, UNROLL, ADOPT -> true;
            case JOIN, REPLACE -> intent.adds(ordinal, id);
            case FOUND, RESTORE, LEAVE, RECREATE, DELETE, RETURN, RECOVER -> false;
        };
    }

    private static Optional<QuorumLoss> lost(
            Journal journal,
            int voters,
            SortedMap<Integer, Optional<EtcdId>> gone,
            List<Survivor> survivors,
            SortedMap<Integer, Missing> missing) {
        boolean spared = voters <= 2
                && gone.entrySet().stream()
                        .anyMatch(g -> onItsWay(
                                journal, g.getKey(), g.getValue(), Objects.requireNonNull(missing.get(g.getKey()))));
        int away = gone.size() - (spared ? 1 : 0);
        return voters > 0 && voters - away < Quorum.of(voters)
                ? Optional.of(new QuorumLoss(voters, survivors, missing))
                : Optional.empty();
    }
}
