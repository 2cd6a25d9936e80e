package io.github.etcdgitops.fake;

import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.KubeState;
import java.util.Optional;

/// What is left in a ring of the time when members ran 3.4 or earlier, as in etcd (tried on 3.4.23, 3.5.33 and
/// 3.6.14).
///
/// Whoever asks such a member for `/health` has it write a record. A process of 3.6 reads its log from its
/// newest snapshot on, and ends at such a record; and at keys of the v2 API, which every snapshot has.
final class FakeOldRecords {
    private static final long USUAL_COUNT = 100_000;

    private final FakeCluster cluster;
    /// The entry of the newest record.
    private long newest;
    boolean keys;
    /// Of clients, through the v2 API.
    long writes;
    /// Whether members answer when they are asked for keys.
    boolean told = true;

    FakeOldRecords(FakeCluster cluster) {
        this.cluster = cluster;
    }

    /// While the ring has a leader.
    void tick() {
        if (cluster.members.values().stream().anyMatch(m -> m.up() && !m.version.atLeast(3, 5, 0))) {
            newest = cluster.leader.log();
        }
        for (var member : cluster.members.values()) {
            if (member.up() && member.dir != null && member.log() - member.dir.snapshot > count()) {
                member.dir.snapshot = member.log();
            }
        }
    }

    boolean end(EtcdVersion process, FakeRing.DataDir data) {
        return process.atLeast(3, 6, 0) && data != null && (keys || data.snapshot < newest);
    }

    private long count() {
        return Optional.ofNullable(cluster.ring.journal)
                .map(KubeState.JournalState::journal)
                .map(journal -> journal.applied().options().get("snapshotCount"))
                .map(count -> ((Number) count).longValue())
                .orElse(USUAL_COUNT);
    }
}
