package io.github.etcdgitops.plan.begin;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.ring.roll.Gates;
import io.github.etcdgitops.ring.storage.QuotaFindings;
import io.github.etcdgitops.ring.storage.StorageFindings;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.ClusterState;
import java.util.ArrayList;
import java.util.List;

/// Settings of a spec that no operation carries out yet. They are reported, so that they are not taken for
/// done.
public final class NotYet {
    private NotYet() {}

    public static List<Finding> findings(EtcdClusterSpec spec, ClusterState state) {
        var findings = new ArrayList<Finding>();
        spec.declaration().notYet().forEach(n -> findings.add(notYet(n.pointer() + ": " + n.what())));
        // For a ring that is being adopted, they are part of the proof.
        if (!Adopting.concerns(state)) {
            findings.addAll(StorageFindings.of(spec, state));
            StorageFindings.missingClass(spec, state).ifPresent(findings::add);
            findings.addAll(QuotaFindings.of(spec, state));
        }
        findings.addAll(
                Gates.findings(spec, state.kube().appliedOr(spec.server()).version()));
        return findings;
    }

    private static Finding notYet(String what) {
        return new Finding(Level.NOTE, FindingCode.NOT_CARRIED_OUT_YET, what + " is not supported by this version");
    }
}
