package io.github.etcdgitops.state.member;

import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.state.value.Observed;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// etcd's own hash over all keys of each member at one `revision`. Read from the voters that answer, while
/// something says that data may differ. Members in `copied` are joining, or were started without etcd's own
/// comparison: the leader at that time may have sent them its data, so their data proves nothing (seen on
/// 3.4.23, 3.5.16 and 3.5.30). `shown` are members whose data one of those had shown to be wrong before it was started.
public record DataHashes(long revision, SortedMap<EtcdId, Observed<Hash>> read, Set<EtcdId> copied, Set<EtcdId> shown) {
    /// Comparable where `compactRevision` is the same.
    public record Hash(long compactRevision, long hash) {}

    public DataHashes {
        read = Collections.unmodifiableSortedMap(new TreeMap<>(read));
        copied = Set.copyOf(copied);
        shown = Set.copyOf(shown);
    }

    public DataHashes(long revision, SortedMap<EtcdId, Observed<Hash>> read, Set<EtcdId> copied) {
        this(revision, read, copied, Set.of());
    }

    public DataHashes(long revision, SortedMap<EtcdId, Observed<Hash>> read) {
        this(revision, read, Set.of());
    }

    /// The same, where another source says whose data is right.
    public DataHashes vouchedFor() {
        return new DataHashes(revision, read);
    }

    /// Whether two members certainly have different data.
    public boolean differ() {
        return known().stream()
                .collect(Collectors.groupingBy(
                        Hash::compactRevision, Collectors.mapping(Hash::hash, Collectors.toSet())))
                .values()
                .stream()
                .anyMatch(hashes -> hashes.size() > 1);
    }

    /// Whether all members that were asked certainly have the same data at the revision.
    public boolean same() {
        return known().size() == read.size() && known().stream().distinct().count() == 1;
    }

    /// Whether there are such members, and all of them certainly have the same data at the revision.
    public boolean same(Collection<EtcdId> members) {
        var hashes = members.stream()
                .map(id -> read.getOrDefault(id, Observed.unknown("it was not asked"))
                        .optional())
                .distinct()
                .toList();
        return hashes.size() == 1 && hashes.getFirst().isPresent();
    }

    private List<Hash> known() {
        return read.values().stream().flatMap(hash -> hash.optional().stream()).toList();
    }

    /// The newest revision that every one of these members has; empty where one of them does not report it.
    public static OptionalLong revision(List<MemberState> members) {
        return members.stream().allMatch(MemberState::answers)
                ? members.stream()
                        .flatMap(m -> m.status().optional().stream())
                        .mapToLong(status -> status.at().revision())
                        .min()
                : OptionalLong.empty();
    }
}
