package io.github.etcdgitops.state;

import io.github.etcdgitops.spec.EtcdVersion;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The ring's own memory, in the ConfigMap `NAME-journal`. It says what is under way and what was made by us;
/// it is never believed over what etcd and Kubernetes show.
///
/// `epoch` is the fencing number of the last writer: a lower one must not write. `clusterId` is set once the
/// ring has come up,
/// and from then on no member ever starts as a founder again. `applied` is what the running members were
/// configured with. `origin` is the snapshot that a restored ring began with, and stays.
public record Journal(
        long epoch,
        String token,
        Optional<EtcdId> clusterId,
        Applied applied,
        SortedMap<Integer, Member> members,
        Optional<Intent> intent,
        Optional<Origin> origin) {
    public Journal {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }

    /// A ring that began empty.
    public Journal(
            long epoch,
            String token,
            Optional<EtcdId> clusterId,
            Applied applied,
            SortedMap<Integer, Member> members,
            Optional<Intent> intent) {
        this(epoch, token, clusterId, applied, members, intent, Optional.empty());
    }

    /// Version and etcd options that the members' files carry, so that a member joining later is like its
    /// siblings.
    public record Applied(EtcdVersion version, SortedMap<String, Object> options) {
        public Applied {
            var normal = new TreeMap<String, Object>();
            options.forEach((name, value) -> normal.put(name, wide(value)));
            options = Collections.unmodifiableSortedMap(normal);
        }
    }

    /// Numbers are compared by value: what was read back from JSON may be of another width than what was written.
    private static Object wide(Object value) {
        return switch (value) {
            case Integer number -> number.longValue();
            case Map<?, ?> map -> {
                var wide = new TreeMap<String, Object>();
                map.forEach((k, v) -> wide.put(String.valueOf(k), wide(v)));
                yield wide;
            }
            default -> value;
        };
    }

    /// `id` is empty until the member was added; `claimUid` until the claim was seen.
    public record Member(String incarnation, Optional<EtcdId> id, Optional<String> claimUid) {}

    /// What a run is about to do or was doing. `call` is set while a call to etcd may be in flight that cannot
    /// be fenced.
    public record Intent(Kind kind, int ordinal, String operationId, long epoch) {}

    /// `request` names who asked for it, `from` the object, `backup` its id where it is one of ours. `size` and
    /// `sha256` are those of the snapshot as it is restored; it was verified before the journal was opened.
    /// `contents` is what must come out of it, where there was a manifest: whatever becomes of that, it is
    /// compared.
    public record Origin(
            String request,
            String from,
            Optional<String> backup,
            long size,
            String sha256,
            Optional<Long> bumpRevision,
            Optional<SnapshotContents> contents) {}

    /// FOUND and RESTORE cover the whole ring, their ordinal is 0.
    public enum Kind {
        FOUND,
        RESTORE,
        JOIN,
        LEAVE
    }

    public boolean isUnderWay(Kind kind) {
        return intent.filter(i -> i.kind() == kind).isPresent();
    }

    public boolean founded() {
        return clusterId.isPresent();
    }

    public Journal withEpoch(long newEpoch) {
        return new Journal(newEpoch, token, clusterId, applied, members, intent, origin);
    }

    public Journal withIntent(Optional<Intent> newIntent) {
        return new Journal(epoch, token, clusterId, applied, members, newIntent, origin);
    }

    public Journal withClusterId(EtcdId id) {
        return new Journal(epoch, token, Optional.of(id), applied, members, intent, origin);
    }

    public Journal withMember(int ordinal, Member member) {
        var changed = new TreeMap<>(members);
        changed.put(ordinal, member);
        return new Journal(epoch, token, clusterId, applied, changed, intent, origin);
    }

    public Journal withoutMember(int ordinal) {
        var changed = new TreeMap<>(members);
        changed.remove(ordinal);
        return new Journal(epoch, token, clusterId, applied, changed, intent, origin);
    }
}
