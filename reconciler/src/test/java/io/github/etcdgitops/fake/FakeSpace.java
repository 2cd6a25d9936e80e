package io.github.etcdgitops.fake;

import static io.github.etcdgitops.gateway.GatewayException.Kind.REJECTED;
import static io.github.etcdgitops.gateway.GatewayException.Kind.TIMEOUT;

import io.github.etcdgitops.fake.Oracle.Harm;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.health.Space;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.state.member.MemberState;
import io.github.etcdgitops.state.member.StatusError;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// What the members' files hold, and what etcd does about their size. Bytes are those beyond a small
/// file.
final class FakeSpace {
    /// Of an empty file, with the little that each entry adds.
    static final long EMPTY = 20_480;

    private final FakeWorld world;

    FakeSpace(FakeWorld world) {
        this.world = world;
    }

    static MemberState.Status status(
            FakeMember self, EtcdVersion version, long applied, List<? extends StatusError> errors) {
        var cluster = self.cluster;
        long size = EMPTY + 64 * applied + self.dir.file;
        boolean led = self.led()
                || (!self.voter() && self.serving && cluster.lastLeader().isPresent());
        return new MemberState.Status(
                version,
                led ? cluster.lastLeader() : Optional.empty(),
                new MemberState.Position(cluster.term, applied, cluster.keys.revision()),
                size,
                version.hasLearners() ? EMPTY + self.dir.told : size,
                led ? List.copyOf(errors) : leaderless(version, errors),
                cluster.downgrade.toldBy(self));
    }

    /// Only later servers say so themselves, and only they know of alarms then.
    private static List<StatusError> leaderless(EtcdVersion version, List<? extends StatusError> errors) {
        return version.hasLearners()
                ? Stream.concat(errors.stream(), Stream.of(StatusError.Plain.NO_LEADER))
                        .toList()
                : List.of(StatusError.Plain.ALARMS_UNKNOWN);
    }

    /// Everybody forgets; who is asked has freed it when the call returns, the others some time.
    void compact(FakeMember asked, long revision) {
        leads(asked);
        var keys = asked.cluster.keys;
        if (revision > keys.revision()) {
            throw new GatewayException(
                    REJECTED,
                    false,
                    "etcd refuses: revision " + revision + ": the member does not have this revision yet");
        }
        if (revision > keys.compacted()) {
            keys.compact(revision);
        }
        asked.dir.used = asked.dir.live;
    }

    /// The member answers nobody meanwhile, and goes on where nobody waits.
    void defragment(FakeMember asked) {
        var cluster = asked.cluster;
        var voters = cluster.voters();
        // Who went a moment ago, and whoever leads by that, could not be known.
        var unseen = cluster.ring.sight.unseenFaults;
        long rest = voters.stream()
                .filter(v -> v != asked)
                .filter(v -> unseen.contains(v.ordinal) || (v.up() && v.dir.busyUntil <= world.ticks()))
                .count();
        if (voters.size() > 2 && rest < Quorum.of(voters.size())) {
            world.oracle().breach(Harm.QUORUM_LOST_BY_US, cluster.ring, "defragment " + asked.peerUrl);
        }
        if (cluster.leader == asked && voters.size() > 1 && unseen.isEmpty()) {
            world.oracle().breach(Harm.QUORUM_LOST_BY_US, cluster.ring, "defragment the leader " + asked.peerUrl);
        }
        if (!cluster.ring.brokenFiles.contains(asked.ordinal)) {
            asked.dir.file = asked.dir.used;
            asked.dir.told = asked.dir.used;
        }
        cluster.ring.rewritten.add(asked.ordinal);
        if (cluster.ring.defragmentTicks > 0) {
            asked.dir.busyUntil = world.ticks() + cluster.ring.defragmentTicks;
            throw new GatewayException(TIMEOUT, true, "no answer within the deadline");
        }
    }

    void disarm(FakeMember asked, Alarm alarm) {
        leads(asked);
        asked.cluster.alarms.remove(alarm);
        asked.cluster.agree(world.ticks());
    }

    /// Above the quota the asked member raises the alarm for all of them.
    void proveWrite(FakeMember asked) {
        leads(asked);
        var cluster = asked.cluster;
        long size = status(asked, asked.version, asked.log(), List.of()).dbSize();
        if (size >= quota(cluster.ring)) {
            cluster.alarms.add(new Alarm(Alarm.Kind.NOSPACE, asked.id));
        }
        if (cluster.alarms.stream().anyMatch(a -> a.kind() == Alarm.Kind.CORRUPT)) {
            throw new GatewayException(REJECTED, false, "etcd refuses: corrupt cluster");
        }
        if (cluster.alarms.stream().anyMatch(a -> a.kind() == Alarm.Kind.NOSPACE)) {
            throw new GatewayException(REJECTED, false, "etcd refuses: database space exceeded");
        }
    }

    /// All members that are reached have the entries when the call returns.
    void writeNothing(FakeMember asked, int count) {
        proveWrite(asked);
        var cluster = asked.cluster;
        for (int i = 0; i < count; i++) {
            cluster.append();
        }
        cluster.members.values().stream()
                .filter(m -> m.up() && m.dir != null)
                .forEach(m -> m.dir.log = Math.max(m.log(), cluster.leader.log()));
    }

    static boolean busy(FakeMember member, long ticks) {
        return member.dir != null && member.dir.busyUntil > ticks;
    }

    private static long quota(FakeRing ring) {
        return Space.quota(Optional.ofNullable(ring.journal)
                .map(KubeState.JournalState::journal)
                .map(journal -> journal.applied().options())
                .orElseGet(TreeMap::new));
    }

    private static void leads(FakeMember asked) {
        if (asked.learner) {
            throw new GatewayException(REJECTED, false, "rpc not supported for learner");
        }
        if (!asked.cluster.leads()) {
            throw new GatewayException(TIMEOUT, true, "etcd did not answer in time: no leader");
        }
    }
}
