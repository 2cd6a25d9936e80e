package io.github.etcdgitops.state.health;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.RingState;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/// The room that the members of a ring have for data. etcd compares the size of a member's file, free space
/// included, with the quota. Above it, the whole ring accepts no writes until the alarm is disarmed by
/// hand, even if the file has become smaller since.
public final class Space {
    public static final String OPTION = "quotaBackendBytes";

    /// etcd's default when no quota is given.
    private static final long ETCD_DEFAULT = 2L << 30;

    /// A ring becomes writable again only when no file is larger than this part of the quota: otherwise it
    /// would be out of space again in a moment.
    private static final int HEADROOM_PERCENT = 80;

    /// Free space that is not worth a defragmentation: bbolt always has some.
    private static final double HARDLY_FREE = 0.05;

    private Space() {}

    /// The quota that members are configured with, in bytes.
    public static long quota(SortedMap<String, Object> options) {
        return options.get(OPTION) instanceof Number given ? given.longValue() : ETCD_DEFAULT;
    }

    /// Whether members are being restarted with a larger quota. Then being out of space does not block the
    /// restart: the restart is what ends it.
    static boolean beingRaised(ClusterState state) {
        return state.kube()
                .knownJournal()
                .filter(journal -> journal.isUnderWay(Intent.Kind.ROLL)
                        && journal.roll()
                                .filter(roll -> quota(roll.target().options())
                                        > quota(journal.applied().options()))
                                .isPresent())
                .isPresent();
    }

    /// Whether a file of this size leaves room.
    public static boolean roomy(long dbSize, long quota) {
        return dbSize < quota / 100 * HEADROOM_PERCENT;
    }

    /// Servers before 3.4 do not report how much of their file is in use.
    public static boolean tellsUse(MemberState.Status status) {
        return status.version().hasLearners();
    }

    /// Whether hardly any of the file is free, as far as the member reports it.
    public static boolean packed(MemberState.Status status) {
        return tellsUse(status) && status.dbSize() - status.dbSizeInUse() < HARDLY_FREE * status.dbSize();
    }

    /// The voter with the largest file.
    public static Optional<MemberState> fullest(RingState ring) {
        return ring.voters().stream()
                .filter(MemberState::answers)
                .max(Comparator.comparingLong(m ->
                        m.status().optional().map(MemberState.Status::dbSize).orElse(0L)));
    }

    /// The same ring as if it had room: this shows its other problems.
    public static ClusterState ignored(ClusterState state) {
        return without(state, Set.of(Alarm.Kind.NOSPACE));
    }

    /// The same ring without the alarms that can be disarmed here. An alarm that is not known stays.
    static ClusterState unalarmed(ClusterState state) {
        return without(state, Set.of(Alarm.Kind.NOSPACE, Alarm.Kind.CORRUPT));
    }

    private static ClusterState without(ClusterState state, Set<Alarm.Kind> kinds) {
        var ring = state.ring()
                .map(r -> new RingState(
                        r.clusterId(),
                        r.members().stream().map(m -> without(m, kinds)).toList(),
                        r.alarms().stream()
                                .filter(alarm -> !kinds.contains(alarm.kind()))
                                .toList(),
                        r.hashes(),
                        r.version(),
                        r.v2(),
                        r.access()));
        return new ClusterState(
                state.ref(),
                state.kube(),
                ring,
                state.drift(),
                state.templateWanted(),
                state.supply(),
                state.foreign());
    }

    private static MemberState without(MemberState member, Set<Alarm.Kind> kinds) {
        var status = member.status()
                .map(s -> new MemberState.Status(
                        s.version(),
                        s.leader(),
                        s.at(),
                        s.dbSize(),
                        s.dbSizeInUse(),
                        s.errors().stream()
                                .filter(e -> !(e instanceof Alarm alarm && kinds.contains(alarm.kind())))
                                .toList(),
                        s.storage()));
        return new MemberState(
                member.id(),
                member.name(),
                member.peerUrls(),
                member.clientUrls(),
                member.learner(),
                status,
                member.seat());
    }

    /// For people: `14.2 MiB`.
    public static String mebibytes(long bytes) {
        long tenths = Math.round(bytes * 10.0 / (1 << 20));
        return tenths / 10 + "." + tenths % 10 + " MiB";
    }
}
