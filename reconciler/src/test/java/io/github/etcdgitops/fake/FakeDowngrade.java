package io.github.etcdgitops.fake;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Optional;

/// A downgrade of a whole ring, as etcd 3.6 and later do it (tried on 3.5.30, 3.6.14 and 3.7.1).
///
/// It is announced; the leader's monitor lowers the cluster version; each member's own monitor rewrites its data
/// for that; the leader ends it when all members run the earlier line. A leader of 3.5 ends it at once. It
/// does not raise the cluster version again while a member of the earlier line runs.
final class FakeDowngrade {
    /// Monitors look every few ticks.
    private static final int ROUND = 4;

    private final FakeCluster cluster;
    /// Null while none is announced.
    EtcdVersion target;

    private int rounds;

    FakeDowngrade(FakeCluster cluster) {
        this.cluster = cluster;
    }

    void announce(EtcdVersion wanted, FakeMember asked) {
        if (!asked.version.hasDowngrade()) {
            throw FakeCluster.refused("etcd " + asked.version + " cannot be downgraded");
        }
        cluster.requireLeader(asked);
        var version = cluster.version;
        if (version == null) {
            throw FakeCluster.refused("the members have not agreed on a version yet");
        }
        if (!wanted.line().equals(new EtcdVersion(version.major(), version.minor() - 1, 0))) {
            throw FakeCluster.refused("invalid downgrade target version");
        }
        if (target != null) {
            throw FakeCluster.refused("a downgrade is already announced");
        }
        cluster.append();
        target = wanted.line();
        rounds = 0;
    }

    /// As a person does it, with etcdctl.
    void announce(EtcdVersion wanted) {
        announce(wanted, cluster.leader);
    }

    void cancel(FakeMember asked) {
        cluster.requireLeader(asked);
        cluster.append();
        target = null;
    }

    /// As a person does it, with etcdctl.
    void cancel() {
        target = null;
    }

    /// While the ring has a leader.
    void tick() {
        boolean all = cluster.members.values().stream().allMatch(FakeMember::up);
        boolean turn = ++rounds % ROUND == 0;
        for (var member : cluster.members.values()) {
            if (member.up() && member.dir != null) {
                rewrite(member, turn);
            }
        }
        if (target == null) {
            return;
        }
        if (all && turn) {
            cluster.version = target;
        }
        boolean over = all && cluster.members.values().stream().allMatch(m -> m.version.isSameMinorAs(target));
        if (!cluster.leader.version.hasDowngrade() || (over && turn)) {
            target = null;
        }
    }

    /// A server of before 3.6 knows no such mark and leaves it alone.
    private void rewrite(FakeMember member, boolean turn) {
        if (!member.version.hasDowngrade()) {
            member.dir.storage = null;
        } else if (member.dir.storage == null) {
            member.dir.storage = cluster.version == null ? member.version.line() : cluster.version;
        } else if (turn && cluster.version != null) {
            member.dir.storage = cluster.version;
        }
    }

    MemberState.Storage toldBy(FakeMember self) {
        return self.version.hasDowngrade()
                ? new MemberState.Storage(
                        Optional.ofNullable(self.dir.storage),
                        Optional.ofNullable(target),
                        FakeSettings.told(self).quota())
                : MemberState.Storage.UNTOLD;
    }
}
