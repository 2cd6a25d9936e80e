package io.github.etcdgitops.plan;

import io.github.etcdgitops.operation.Configuration;
import io.github.etcdgitops.operation.VolumeGrowth;
import io.github.etcdgitops.plan.Finding.Level;
import io.github.etcdgitops.spec.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Wishes for volumes that are not carried out, and what waits for them.
final class StorageFindings {
    private StorageFindings() {}

    static List<Finding> of(EtcdClusterSpec spec, ClusterState state) {
        var growth = VolumeGrowth.of(spec, state.kube(), state.classes());
        var findings = new ArrayList<Finding>();
        growth.refusals().forEach(r -> findings.add(new Finding(Level.ERROR, r.code(), r.message())));
        var quota = spec.server().options().get(Configuration.QUOTA);
        var has = state.kube().appliedOr(spec.server()).options().get(Configuration.QUOTA);
        if (!growth.feasible() && !Objects.equals(quota, has)) {
            findings.add(new Finding(
                    Level.NOTE,
                    "quota-waits",
                    "/spec/etcd/quotaBackendBytes stays as it is until the volumes are as large as the spec asks"));
        }
        return findings;
    }
}
