package io.github.etcdgitops.state.health;

import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.member.DataHashes;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Whose data differs from that of the others. etcd's alarm does not say it: from 3.4 on it names no
/// member, and on 3.3 it names a healthy member where the leader is the one that differs (seen on 3.3.25,
/// 3.4.23, 3.5.16 and 3.5.30). Only data that more than half of all voters share counts as right.
public sealed interface Divergence {
    /// All compared members have the same data, up to the newest common revision.
    record Alike(long revision) implements Divergence {}

    /// `odd` have other data than `alike` voters, which are a majority.
    record Differs(long revision, SortedSet<EtcdId> odd, int alike) implements Divergence {
        public Differs {
            odd = Collections.unmodifiableSortedSet(new TreeSet<>(odd));
        }
    }

    /// It cannot be decided.
    record Unclear(String why) implements Divergence {}

    /// Of the voters that answer, where their data was compared. A voter that does not answer counts
    /// against a majority.
    static Optional<Divergence> ofAnswering(ClusterRef ref, RingState ring) {
        var answering = ring.voters().stream().filter(MemberState::answers).toList();
        return ring.hashes().map(hashes -> of(ref, answering, ring.voters().size(), hashes));
    }

    /// Of the `compared` members of a ring of `voters`.
    static Divergence of(ClusterRef ref, List<MemberState> compared, int voters, DataHashes hashes) {
        var read = new TreeMap<EtcdId, DataHashes.Hash>();
        for (var member : compared) {
            var hash = hashes.read().getOrDefault(member.id(), Observed.unknown("it was not asked"));
            switch (hash) {
                case Observed.Known<DataHashes.Hash>(var known) -> read.put(member.id(), known);
                case Observed.Unknown<DataHashes.Hash>(String reason, var _) -> {
                    return new Unclear("the data of " + title(ref, member) + " could not be compared at revision "
                            + hashes.revision() + ": " + reason);
                }
            }
        }
        if (read.values().stream()
                        .map(DataHashes.Hash::compactRevision)
                        .distinct()
                        .count()
                > 1) {
            return new Unclear("the members are not compacted to the same revision yet, so their data cannot be"
                    + " compared at revision " + hashes.revision());
        }
        return judged(ref, compared, voters, hashes, read);
    }

    private static Divergence judged(
            ClusterRef ref,
            List<MemberState> compared,
            int voters,
            DataHashes hashes,
            Map<EtcdId, DataHashes.Hash> read) {
        long revision = hashes.revision();
        var copied = hashes.copied();
        var truth = majority(read, copied, voters)
                .or(() -> majority(read, Set.of(), voters).filter(hash -> shown(hashes, read, hash)));
        if (truth.isEmpty()) {
            return new Unclear(noWitness(ref, compared, copied) + "no majority of the " + voters
                    + " voters has the same data at revision " + revision + ": "
                    + said(
                            ref,
                            compared,
                            m -> Long.toHexString(
                                    Objects.requireNonNull(read.get(m.id())).hash())));
        }
        var odd = new TreeSet<EtcdId>();
        read.forEach((id, hash) -> {
            if (!hash.equals(truth.get())) {
                odd.add(id);
            }
        });
        return odd.isEmpty() ? alike(ref, compared, revision) : new Differs(revision, odd, read.size() - odd.size());
    }

    private static Optional<DataHashes.Hash> majority(
            Map<EtcdId, DataHashes.Hash> read, Set<EtcdId> without, int voters) {
        return read.entrySet().stream()
                .filter(one -> !without.contains(one.getKey()))
                .collect(Collectors.groupingBy(Map.Entry::getValue, Collectors.counting()))
                .entrySet()
                .stream()
                .filter(one -> one.getValue() * 2 > voters)
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /// Whether the members that differ from it are those whose data a volume has shown to be wrong.
    private static boolean shown(DataHashes hashes, Map<EtcdId, DataHashes.Hash> read, DataHashes.Hash truth) {
        return !hashes.shown().isEmpty()
                && read.entrySet().stream()
                        .allMatch(one ->
                                one.getValue().equals(truth) || hashes.shown().contains(one.getKey()));
    }

    private static String noWitness(ClusterRef ref, List<MemberState> compared, Set<EtcdId> copied) {
        var names = compared.stream()
                .filter(m -> copied.contains(m.id()))
                .map(m -> title(ref, m))
                .sorted()
                .toList();
        return names.isEmpty()
                ? ""
                : String.join(", ", names) + " may have a copy of the leader's data and does not count. Without it ";
    }

    /// Writes after the common revision are not in the hashes.
    private static Divergence alike(ClusterRef ref, List<MemberState> compared, long revision) {
        return compared.stream().allMatch(m -> newest(m) == revision)
                ? new Alike(revision)
                : new Unclear("the members have the same data up to revision " + revision
                        + ", but different newest revisions: "
                        + said(ref, compared, m -> Long.toString(newest(m))));
    }

    private static long newest(MemberState member) {
        return member.status().optional().map(s -> s.at().revision()).orElse(-1L);
    }

    private static String said(ClusterRef ref, List<MemberState> members, Function<MemberState, String> what) {
        var said = new ArrayList<String>();
        members.forEach(m -> said.add(title(ref, m) + " " + what.apply(m)));
        return String.join(", ", said.stream().sorted().toList());
    }

    private static String title(ClusterRef ref, MemberState member) {
        return member.ordinal(ref).map(ref::podName).orElseGet(() -> "member " + member.id());
    }
}
