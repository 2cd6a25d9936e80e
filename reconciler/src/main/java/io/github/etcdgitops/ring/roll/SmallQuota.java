package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.member.MemberState;
import java.util.Optional;

/// etcd raises NOSPACE for the whole ring at the first write of a member whose data exceeds its quota.
public final class SmallQuota {
    private SmallQuota() {}

    public static Optional<String> of(ClusterState state, MemberSettings wanted) {
        long data = state.ring().optional().stream()
                .flatMap(ring -> ring.voters().stream())
                .flatMap(member -> member.status().optional().stream())
                .mapToLong(MemberState.Status::dbSize)
                .max()
                .orElse(0);
        return wanted.options().get(Configuration.QUOTA) instanceof Number quota && quota.longValue() <= data
                ? Optional.of("/spec/etcd/quotaBackendBytes is " + quota + ", and the database of a member has " + data
                        + " bytes. With this quota the ring would accept no writes. Set a larger one")
                : Optional.empty();
    }
}
