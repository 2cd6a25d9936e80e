package io.github.etcdgitops.state;

import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/// What each member's data comes to at one `revision`: etcd's own hash over all its keys. Read of the voters
/// while an alarm says that data differs.
public record DataHashes(long revision, SortedMap<EtcdId, Observed<Hash>> read) {
    /// Comparable where `compactRevision` is the same.
    public record Hash(long compactRevision, long hash) {}

    public DataHashes {
        read = Collections.unmodifiableSortedMap(new TreeMap<>(read));
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
