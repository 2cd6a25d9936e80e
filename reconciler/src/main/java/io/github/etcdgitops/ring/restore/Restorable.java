package io.github.etcdgitops.ring.restore;

import io.github.etcdgitops.ring.RestoreOrder;
import io.github.etcdgitops.ring.RestoreOrder.Stored;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Quantity;
import io.github.etcdgitops.state.backup.Manifest;
import io.github.etcdgitops.state.underway.ReceivingVolume;
import java.math.BigDecimal;
import java.util.Optional;

/// Whether a ring can start from a snapshot as its document describes it. Checked before anything is
/// created, and no longer once the data is in the volume.
public final class Restorable {
    /// etcd's default when no quota is given.
    private static final long DEFAULT_QUOTA = 2L << 30;

    private Restorable() {}

    /// Why not, and what to change.
    public static Optional<String> refusal(EtcdClusterSpec spec, RestoreOrder order) {
        var version = spec.server().version();
        return learners(spec, version)
                .or(() -> bump(version, order))
                .or(() -> older(version, order))
                .or(() -> quota(spec, order))
                .or(() -> volume(spec, order));
    }

    private static Optional<String> learners(EtcdClusterSpec spec, EtcdVersion version) {
        return spec.size() == 1 || version.hasLearners()
                ? Optional.empty()
                : Optional.of("a restored ring starts with one member, and etcd " + version
                        + " has no learners, so a second voter would break its quorum. Restore with 3.4 or later");
    }

    private static Optional<String> bump(EtcdVersion version, RestoreOrder order) {
        return order.bumpRevision().isEmpty() || version.hasRevisionBump()
                ? Optional.empty()
                : Optional.of("etcd " + version + " cannot raise the revision during a restore. 3.4.27, 3.5.10 and"
                        + " all of 3.6 can. Leave bumpRevision out, or restore with a newer version");
    }

    private static Optional<String> older(EtcdVersion version, RestoreOrder order) {
        return switch (order.source()) {
            case Stored.Certified(var unused, var alsoUnused, Manifest manifest)
            when version.isOlderMinorThan(manifest.source().version()) ->
                Optional.of("etcd " + version + " cannot read backup " + manifest.id() + ", which comes from etcd "
                        + manifest.source().version() + ". Set spec.version to "
                        + manifest.source().version() + " or later");
            case Stored.Certified _, Stored.Bare _, RestoreOrder.Source.Loaded _ -> Optional.empty();
        };
    }

    /// A ring above its quota accepts no writes.
    private static Optional<String> quota(EtcdClusterSpec spec, RestoreOrder order) {
        long quota = spec.server().options().get("quotaBackendBytes") instanceof Number number
                ? number.longValue()
                : DEFAULT_QUOTA;
        long size = order.source().size();
        return size <= quota
                ? Optional.empty()
                : Optional.of("the database has " + size + " bytes, and the ring accepts no writes above " + quota
                        + ". Raise spec.etcd.quotaBackendBytes. The volume must be large enough for it");
    }

    /// The snapshot and the data made from it are on the volume together until that data is complete. etcd
    /// also allocates a whole WAL file at once.
    private static Optional<String> volume(EtcdClusterSpec spec, RestoreOrder order) {
        var needed = BigDecimal.valueOf(ReceivingVolume.needed(order.source().size()));
        return Quantity.parse(spec.storage().size())
                .filter(volume -> volume.value().compareTo(needed) < 0)
                .map(_ -> "the volumes of " + spec.storage().size()
                        + " are too small. The snapshot and the restored data temporarily need "
                        + needed.toPlainString() + " bytes. Raise spec.storage.size");
    }
}
