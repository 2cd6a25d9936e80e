package io.github.etcdgitops.execute;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.EtcdGateway.KeyHash;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.backup.SnapshotContents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Compares the data of a restored member with what the backup's manifest says about the ring.
///
/// The manifest describes the moment right before the snapshot started, so the member has all of that and
/// may have more. Hashes are comparable only where both were compacted alike and etcd computes them alike;
/// not where the manifest's hash is from after the snapshot.
public final class Comparison {
    private final EtcdGateway etcd;
    private final MemberAccess.Route route;
    private final SnapshotContents contents;
    private final LongSupplier shown;
    private final List<String> alike = new ArrayList<>();

    public sealed interface Result {
        record Alike(String detail) implements Result {}

        record Differs(String reason) implements Result {}
    }

    /// `shown` gives the member's revision where it tells us nothing else, because its data has authentication
    /// enabled and we are no user there.
    public Comparison(EtcdGateway etcd, MemberAccess.Route route, SnapshotContents contents, LongSupplier shown) {
        this.etcd = etcd;
        this.route = route;
        this.contents = contents;
        this.shown = shown;
    }

    /// `version` is the serving version; `bump` is how much the revision was raised. Throws
    /// [GatewayException] where the member does not answer.
    public Result with(EtcdVersion version, long bump) {
        try {
            return compare(version, bump);
        } catch (GatewayException e) {
            if (e.kind() != GatewayException.Kind.UNAUTHORIZED) {
                throw e;
            }
            return early(shown.getAsLong(), bump)
                    .<Result>map(Result.Differs::new)
                    .orElseGet(this::ofUsers);
        }
    }

    private Result ofUsers() {
        alike.add("hash and keys not compared, because its data has users, and etcd gives them to these alone");
        return new Result.Alike(String.join(", ", alike));
    }

    private Result compare(EtcdVersion version, long bump) {
        var newest = etcd.hashKeys(route, 0, Hashes.HASHING);
        return early(newest.revision(), bump)
                .or(() -> differingHash(version, newest))
                .or(() -> differingKeys(newest, bump))
                .<Result>map(Result.Differs::new)
                .orElseGet(() -> new Result.Alike(String.join(", ", alike)));
    }

    private Optional<String> early(long revision, long bump) {
        long least = contents.revision() + bump;
        if (revision < least) {
            return Optional.of(
                    "the revision is " + revision + ", and the backup was of revision " + least + " at least");
        }
        alike.add("revision " + revision);
        return Optional.empty();
    }

    private Optional<String> differingHash(EtcdVersion version, KeyHash newest) {
        if (!version.isSameMinorAs(contents.version())) {
            alike.add("hash not comparable between etcd " + contents.version() + " and " + version);
            return Optional.empty();
        }
        for (var known : contents.hashes()) {
            boolean comparable =
                    known.compactRevision() == newest.compactRevision() && known.revision() <= newest.revision();
            if (comparable) {
                var own = etcd.hashKeys(route, known.revision(), Hashes.HASHING);
                if (own.compactRevision() == known.compactRevision()) {
                    alike.add("hash " + own.hash() + " at revision " + own.revision());
                    return own.hash() == known.hash()
                            ? Optional.empty()
                            : Optional.of("the hash at revision " + known.revision() + " is " + own.hash()
                                    + ", the manifest says " + known.hash());
                }
            }
        }
        alike.add("hash not comparable, because its revision has been compacted");
        return Optional.empty();
    }

    /// With a raised revision everything before it is compacted, and only its first revision shows the
    /// former data.
    private Optional<String> differingKeys(KeyHash newest, long bump) {
        long revision = contents.revision() + bump;
        var keys = contents.keys();
        if (keys.isEmpty() || revision < newest.compactRevision()) {
            alike.add("keys not comparable, because their revision has been compacted");
            return Optional.empty();
        }
        long counted = etcd.countKeys(route, revision, Hashes.HASHING);
        alike.add(counted + " keys");
        return counted == keys.getAsLong()
                ? Optional.empty()
                : Optional.of("there are " + counted + " keys at revision " + revision + ", the manifest says "
                        + keys.getAsLong());
    }
}
