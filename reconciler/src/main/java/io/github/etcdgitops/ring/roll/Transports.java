package io.github.etcdgitops.ring.roll;

import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.ring.Finding.Level;
import io.github.etcdgitops.ring.FindingCode;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.FeatureGate;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which transport a ring may use, which part of the spec cannot be met, and who is cut off.
public final class Transports {
    private final EtcdClusterSpec spec;
    private final Journal journal;

    public Transports(EtcdClusterSpec spec, Journal journal) {
        this.spec = spec;
        this.journal = journal;
    }

    /// The transport that members configured like `has` can move to. Plain-text clients and TLS clients
    /// must both find the ring during the move. Where the version cannot serve both, the clients' transport
    /// waits until another version runs.
    public Transport feasible(MemberSettings has) {
        var wanted = wanted();
        boolean moves = !has.transport().client().secured() && wanted.client().secured();
        return moves && !has.version().servesClientsBothWays()
                ? new Transport(wanted.peer(), has.transport().client())
                : wanted;
    }

    private Transport wanted() {
        var has = journal.applied().transport();
        var tls = spec.server().tls();
        return has.reopens(tls.transport()) ? has : tls.transport();
    }

    /// `end` is the members' configuration after everything planned. `halted` is set where something other
    /// than the version blocks further changes.
    public List<Finding> findings(MemberSettings end, boolean halted) {
        var has = journal.applied().transport();
        var findings = new ArrayList<Finding>();
        if (has.reopens(spec.server().tls().transport())) {
            findings.add(off(has));
        }
        if (has.cutsOffPlainClients(end.transport())) {
            findings.add(new Finding(
                    Level.WARNING,
                    FindingCode.PLAIN_CLIENTS_CUT_OFF,
                    "with this commit clients without a certificate lose access. To let them move first, set"
                            + " spec.tls.client to mixed, and to mutual when no client uses plain text any more"));
        }
        if (!halted && !feasible(end).equals(wanted())) {
            findings.add(new Finding(
                    Level.ERROR,
                    FindingCode.TLS_NEEDS_NEWER_ETCD,
                    "/spec/tls/client: etcd " + end.version() + " cannot reliably serve plain and TLS clients on"
                            + " one port, so clients could not move. Upgrade to 3.4.25, 3.5.8 or later first. A"
                            + " new ring can have mutual TLS on any version"));
        }
        return findings;
    }

    private Finding off(Transport has) {
        return new Finding(
                Level.ERROR,
                FindingCode.TLS_OFF,
                "/spec/tls asks for " + spec.server().tls().transport().describe() + ", and the ring has "
                        + has.describe()
                        + ". TLS is not turned off, because clients rely on it. Set spec.tls to what the ring has,"
                        + " or create another ring without TLS from a backup of this one"
                        + gate(has));
    }

    /// Where no document asks for the peers' transport any more, a gate that is now off may be the reason.
    private String gate(Transport has) {
        var features = spec.server().features();
        boolean silent = !features.overruled().contains(FeatureGate.PEER_TLS);
        return silent && !has.peer().plain() && !features.on(FeatureGate.PEER_TLS)
                ? ". Feature gate " + FeatureGate.PEER_TLS + " is " + features.provenance(FeatureGate.PEER_TLS)
                        + ", and cannot be turned off again. Where this gate turned on TLS among the members, set"
                        + " it to true there, or set spec.tls.peer to mutual"
                : "";
    }

    /// Why a ring with both kinds of clients does not move to the version that `next` names.
    public static Optional<Finding> divided(MemberSettings next) {
        return next.transport().client() == Transport.Mode.MIXED
                        && !next.version().servesClientsBothWays()
                ? Optional.of(new Finding(
                        Level.ERROR,
                        FindingCode.TLS_NEEDS_NEWER_ETCD,
                        "etcd " + next.version() + " cannot reliably serve plain and TLS clients on one port, and"
                                + " this ring serves both. Set spec.tls.client to mutual first, or name 3.4.25,"
                                + " 3.5.8 or a later release in spec.rollout.via"))
                : Optional.empty();
    }
}
