package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.FeatureChange;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Features;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.Arrays;
import java.util.List;

/// What the feature gates of a ring require of its members.
public record Gates(Features features) {
    /// The gates for etcd's own options whose value differs in `target`.
    public List<FeatureChange> ofMembers(MemberSettings former, MemberSettings target) {
        return Arrays.stream(FeatureGate.values())
                .filter(gate ->
                        former.features().contains(gate) != target.features().contains(gate))
                .map(gate -> new FeatureChange(gate, target.features().contains(gate), features.provenance(gate)))
                .toList();
    }

    /// The gate that asks for another transport between the members, if one does.
    public List<FeatureChange> ofTransport(Roll roll) {
        boolean peers =
                roll.former().transport().peer() != roll.target().transport().peer();
        return peers && features.on(FeatureGate.PEER_TLS)
                ? List.of(new FeatureChange(FeatureGate.PEER_TLS, true, features.provenance(FeatureGate.PEER_TLS)))
                : List.of();
    }

    /// Gates that are on and cannot take effect yet in a ring of the version `runs`.
    public static List<Finding> findings(EtcdClusterSpec spec, EtcdVersion runs) {
        var features = spec.server().features();
        return Arrays.stream(FeatureGate.values())
                .filter(gate -> features.on(gate) && !gate.isIn(runs))
                .map(gate -> finding(gate, features, spec.server().version(), runs))
                .toList();
    }

    private static Finding finding(FeatureGate gate, Features features, EtcdVersion wanted, EtcdVersion runs) {
        String is = "feature gate " + gate + " is " + features.provenance(gate) + "; ";
        return gate.isIn(wanted)
                ? new Finding(
                        Level.NOTE,
                        FindingCode.FEATURE_AFTER_UPGRADE,
                        is + "etcd " + runs + " does not have it. The members get it when all of them run etcd "
                                + wanted)
                : new Finding(
                        Level.WARNING,
                        FindingCode.FEATURE_NEEDS_NEWER_ETCD,
                        is + "it needs etcd " + gate.since() + ", and the ring is on " + wanted
                                + ". Its members run without the gate. Upgrade the ring, or set the gate to false"
                                + " in its document");
    }
}
