package io.github.etcdgitops.state;

import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What each member's data comes to at one `revision`: etcd's own hash over all its keys. Read of the voters
/// that answer, while something says that data may differ.
public record DataHashes(long revision, SortedMap<EtcdId, Observed<Hash>> read) {
    /// Comparable where `compactRevision` is the same.
    public record Hash(long compactRevision, long hash) {}

    public DataHashes {
        read = Collections.unmodifiableSortedMap(new TreeMap<>(read));
    }

    /// Whether two members are certain to have different data.
    public boolean differ() {
        return known().stream()
                .collect(Collectors.groupingBy(
                        Hash::compactRevision, Collectors.mapping(Hash::hash, Collectors.toSet())))
                .values()
                .stream()
                .anyMatch(hashes -> hashes.size() > 1);
    }

    /// Whether all that were asked are certain to have the same data at the revision.
    public boolean same() {
        return known().size() == read.size() && known().stream().distinct().count() == 1;
    }

    private List<Hash> known() {
        return read.values().stream().flatMap(hash -> hash.optional().stream()).toList();
    }

    /// The newest revision that every one of these members has; empty where one of them does not say.
    public static OptionalLong revision(List<MemberState> members) {
        return members.stream().allMatch(MemberState::answers)
                ? members.stream()
                        .flatMap(m -> m.status().optional().stream())
                        .mapToLong(status -> status.at().revision())
                        .min()
                : OptionalLong.empty();
    }
}
