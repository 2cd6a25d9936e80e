package io.github.etcdgitops.execute.backup;

import io.github.etcdgitops.backup.SnapshotWriter;
import io.github.etcdgitops.gateway.EtcdGateway.KeyHash;
import io.github.etcdgitops.ring.BackupOrder;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.backup.BackupKey;
import io.github.etcdgitops.state.backup.Manifest.RingRevision;
import io.github.etcdgitops.state.member.MemberState;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/// What the save step hands to the certification of a backup. `before` was asked of `member` before the
/// stream started, and `keys` counted at its revision.
record SavedSnapshot(
        BackupKey key,
        MemberState member,
        KeyHash before,
        OptionalLong keys,
        Optional<RingRevision> ring,
        Times times,
        SnapshotWriter.Written written) {
    private static final double MIB = 1 << 20;

    record Times(Instant began, Instant ended) {}

    boolean isFor(BackupOrder order) {
        return key.environment().equals(order.environment()) && key.id().endsWith(order.suffix());
    }

    /// `812.4 MiB of orders-1, revision 1203443, 151 MiB/s`.
    String title(ClusterRef ref) {
        double mib = written.snapshot().size() / MIB;
        double seconds =
                Math.max(0.001, Duration.between(times.began(), times.ended()).toMillis() / 1000.0);
        return String.format(
                Locale.ROOT,
                "%.2f MiB of %s, revision %d%s, %.1f MiB/s",
                mib,
                member.ordinal(ref).map(ref::podName).orElse(member.name()),
                before.revision(),
                ring.filter(r -> r.behind() > 0)
                        .map(r -> " (at the start " + r.behind() + " revisions behind the ring)")
                        .orElse(""),
                mib / seconds);
    }
}
