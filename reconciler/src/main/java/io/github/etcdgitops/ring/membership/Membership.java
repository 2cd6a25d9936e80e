package io.github.etcdgitops.ring.membership;

import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState.StatefulSetState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/// The state of the ring's membership: no change under way, or one change that the journal knows of. Any
/// other state is not ours to touch.
public sealed interface Membership {
    /// Members 0 to `members`-1 are voters and nothing is under way.
    record Steady(int members) implements Membership {}

    /// The join of this ordinal has started; the ring shows how far it is. `missing` are members below it
    /// that were removed by hand.
    record Joining(int ordinal, SortedMap<Integer, EtcdId> missing) implements Membership {
        public Joining {
            missing = Collections.unmodifiableSortedMap(new TreeMap<>(missing));
        }
    }

    /// The removal of this ordinal has started; `votes` until it is removed, and never where it is a learner.
    /// `missing` as above.
    record Leaving(int ordinal, boolean votes, SortedMap<Integer, EtcdId> missing) implements Membership {
        public Leaving {
            missing = Collections.unmodifiableSortedMap(new TreeMap<>(missing));
        }
    }

    /// New members replace some members; the ring shows how far that is. All others of the members 0 to
    /// `members`-1 are voters, except for those removed by hand.
    record Replacing(int members, Intent.Replacement replacement, SortedMap<Integer, EtcdId> missing)
            implements Membership {
        public Replacing {
            missing = Collections.unmodifiableSortedMap(new TreeMap<>(missing));
        }
    }

    /// A roll of the members 0 to `members`-1 has started, or is being rolled back; they are all voters.
    record Rolled(int members, Intent.Roll roll) implements Membership {}

    /// Of the members 0 to `members`-1, which all have pods, these were removed from the ring by hand. The
    /// journal knows their IDs, and no change is under way. All others are voters.
    record Gap(int members, SortedMap<Integer, EtcdId> missing) implements Membership {
        public Gap {
            missing = Collections.unmodifiableSortedMap(new TreeMap<>(missing));
        }
    }

    record Broken(FindingCode code, String reason) implements Membership {}

    static Membership of(ClusterRef ref, RingState ring, StatefulSetState set, Journal journal) {
        var identity = wrongIdentity(ref, ring, journal);
        if (identity.isPresent()) {
            return identity.get();
        }
        var all = new TreeSet<>(ring.voterOrdinals(ref));
        all.addAll(ring.learnerOrdinals(ref));
        var replaced = journal.intent().filter(i -> i.kind() == Intent.Kind.REPLACE);
        if (replaced.isPresent()) {
            return replacing(ref, ring, set, journal, all);
        }
        var changed = journal.intent().filter(i -> i.kind() == Intent.Kind.JOIN || i.kind() == Intent.Kind.LEAVE);
        if (changed.isPresent()) {
            return underWay(ref, ring, set, journal, changed.get(), all);
        }
        if (!contiguous(all)) {
            return gap(ref, ring, set, journal, all);
        }
        return journal.intent()
                .map(intent -> switch (intent.kind()) {
                    case ROLL, UNROLL -> rolling(ref, ring, set, journal, all);
                    case RECREATE, DELETE, RETURN, RECOVER -> atRest(ref, ring, all);
                    case FOUND, RESTORE, ADOPT, JOIN, LEAVE, REPLACE -> begun(ref, ring, set, all);
                })
                .orElseGet(() -> atRest(ref, ring, all));
    }

    private static Optional<Membership> wrongIdentity(ClusterRef ref, RingState ring, Journal journal) {
        if (journal.clusterId().filter(id -> !id.equals(ring.clusterId())).isPresent()) {
            return Optional.of(new Broken(
                    FindingCode.CLUSTER_ID_CHANGED,
                    "the members report the cluster ID " + ring.clusterId() + ", and the journal has "
                            + journal.clusterId().get()));
        }
        for (MemberState member : ring.members()) {
            var ordinal = member.ordinal(ref);
            if (ordinal.isEmpty()) {
                return Optional.of(new Broken(
                        FindingCode.FOREIGN_MEMBER,
                        "member " + member.id() + " at " + String.join(",", member.peerUrls())
                                + " is no pod of this ring, so it was added by hand. If it is not needed, remove"
                                + " it: etcdctl member remove " + member.id()));
            }
            var known =
                    Optional.ofNullable(journal.members().get(ordinal.get())).flatMap(Journal.Member::id);
            if (known.filter(id -> !id.equals(member.id())).isPresent() && !comes(journal, ordinal.get())) {
                return Optional.of(new Broken(
                        FindingCode.MEMBER_ID_CHANGED,
                        ref.podName(ordinal.get()) + " is member " + member.id() + ", and the journal has "
                                + known.get()));
            }
        }
        return ring.byOrdinal(ref).size() == ring.members().size()
                ? Optional.empty()
                : Optional.of(new Broken(FindingCode.MEMBER_TWICE, "two members claim the same pod"));
    }

    /// Whether a new member takes this place: if one was removed by hand before it voted, another one
    /// follows.
    private static boolean comes(Journal journal, int ordinal) {
        return journal.replacement()
                .filter(r -> r.formers().containsKey(ordinal))
                .isPresent();
    }

    private static boolean contiguous(SortedSet<Integer> ordinals) {
        return !ordinals.isEmpty() && ordinals.getFirst() == 0 && ordinals.getLast() == ordinals.size() - 1;
    }

    private static Membership gap(
            ClusterRef ref, RingState ring, StatefulSetState set, Journal journal, SortedSet<Integer> all) {
        var missing = missing(journal, all, set.replicas());
        boolean known = all.size() + missing.size() == set.replicas()
                && all.stream().allMatch(ordinal -> ordinal < set.replicas());
        return known
                        && !all.isEmpty()
                        && journal.intent()
                                .filter(i -> !EnumSet.of(Intent.Kind.ROLL, Intent.Kind.UNROLL, Intent.Kind.RECREATE)
                                        .contains(i.kind()))
                                .isEmpty()
                        && ring.learnerOrdinals(ref).isEmpty()
                ? new Gap(set.replicas(), missing)
                : new Broken(
                        FindingCode.MEMBER_GAP, "the members have the ordinals " + all + ", which is not 0 to N-1");
    }

    /// Those of the first `members` that are no longer in the ring and whose IDs the journal knows.
    private static SortedMap<Integer, EtcdId> missing(Journal journal, SortedSet<Integer> all, int members) {
        var missing = new TreeMap<Integer, EtcdId>();
        IntStream.range(0, members)
                .filter(ordinal -> !all.contains(ordinal))
                .forEach(ordinal -> Optional.ofNullable(journal.members().get(ordinal))
                        .flatMap(Journal.Member::id)
                        .ifPresent(id -> missing.put(ordinal, id)));
        return missing;
    }

    /// A journal that says that a creation is under way fits a ring of one member only. With more, the
    /// state is broken.
    private static Membership begun(ClusterRef ref, RingState ring, StatefulSetState set, SortedSet<Integer> all) {
        return all.size() == 1 && set.replicas() <= 1
                ? atRest(ref, ring, all)
                : new Broken(
                        FindingCode.UNEXPECTED_MEMBERS,
                        "the journal says that the ring is being created, but it has the members " + all
                                + " and the StatefulSet " + set.replicas() + " replicas");
    }

    private static Membership atRest(ClusterRef ref, RingState ring, SortedSet<Integer> all) {
        var learners = ring.learnerOrdinals(ref);
        return learners.isEmpty()
                ? new Steady(all.size())
                : new Broken(
                        FindingCode.FOREIGN_LEARNER,
                        ref.podName(learners.getFirst())
                                + " is a learner, and no change is under way, so it was added by hand");
    }

    private static Membership replacing(
            ClusterRef ref, RingState ring, StatefulSetState set, Journal journal, SortedSet<Integer> all) {
        var replacement = journal.replacement().orElseThrow();
        var replaced = replacement.formers().keySet();
        int members = set.replicas();
        var missing = missing(journal, all, members);
        missing.keySet().removeAll(replaced);
        boolean complete = IntStream.range(0, members)
                .allMatch(o -> replaced.contains(o) || all.contains(o) || missing.containsKey(o));
        boolean noMore = all.isEmpty() || all.getLast() < members;
        boolean othersVote = replaced.containsAll(ring.learnerOrdinals(ref));
        return complete && noMore && othersVote
                ? new Replacing(members, replacement, missing)
                : new Broken(
                        FindingCode.UNEXPECTED_MEMBERS,
                        "the journal says that these members are being replaced: " + replaced
                                + ". But the ring has the members " + all + " and the StatefulSet " + members
                                + " replicas");
    }

    private static Membership rolling(
            ClusterRef ref, RingState ring, StatefulSetState set, Journal journal, SortedSet<Integer> all) {
        var intent = journal.intent().orElseThrow();
        if (ring.learnerOrdinals(ref).isEmpty() && set.replicas() == all.size()) {
            return new Rolled(all.size(), intent.roll().orElseThrow());
        }
        return gap(ref, ring, set, journal, all) instanceof Gap gap
                ? gap
                : new Broken(
                        FindingCode.UNEXPECTED_MEMBERS,
                        "the journal says that the members are being restarted, but the ring has the members " + all
                                + " and the StatefulSet " + set.replicas() + " replicas");
    }

    private static Membership underWay(
            ClusterRef ref,
            RingState ring,
            StatefulSetState set,
            Journal journal,
            Intent intent,
            SortedSet<Integer> all) {
        int ordinal = intent.ordinal();
        var missing = missing(journal, all, ordinal);
        boolean othersKnown = IntStream.range(0, ordinal).allMatch(o -> all.contains(o) || missing.containsKey(o));
        boolean noMore = !all.isEmpty() && all.getLast() <= ordinal;
        boolean replicasFit = set.replicas() == ordinal || set.replicas() == ordinal + 1;
        boolean learnersFit = ring.learnerOrdinals(ref).stream().allMatch(o -> o == ordinal);
        if (!othersKnown || !noMore || !replicasFit || !learnersFit) {
            return new Broken(
                    FindingCode.UNEXPECTED_MEMBERS,
                    "the journal says that " + ref.podName(ordinal) + " "
                            + (intent.kind() == Intent.Kind.LEAVE ? "leaves" : "joins")
                            + ", but the ring has the members "
                            + all + " and the StatefulSet " + set.replicas() + " replicas");
        }
        return intent.kind() == Intent.Kind.JOIN
                ? new Joining(ordinal, missing)
                : new Leaving(ordinal, ring.voterOrdinals(ref).contains(ordinal), missing);
    }
}
