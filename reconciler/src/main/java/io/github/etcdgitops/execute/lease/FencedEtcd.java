package io.github.etcdgitops.execute.lease;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.PeerConnections;
import io.github.etcdgitops.gateway.PeerConnections.Heard;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingUsers;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.member.SettingsInUse;
import io.github.etcdgitops.state.value.EtcdId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// etcd for the holder of a ring's Lease. etcd does not know Leases, so right before each call that changes
/// something, the API server must confirm that the Lease is still ours, whatever our clock says. A process
/// that was suspended in between finds out here.
public record FencedEtcd(EtcdGateway etcd, ClusterLease lease) implements EtcdGateway {
    private EtcdGateway proven() {
        lease.prove();
        return etcd;
    }

    private EtcdGateway kept() {
        lease.keep();
        return etcd;
    }

    // --- calls that change something

    @Override
    public EtcdId addLearner(MemberAccess.Route route, String peerUrl, Duration deadline) {
        return proven().addLearner(route, peerUrl, deadline);
    }

    @Override
    public EtcdId addVoter(MemberAccess.Route route, String peerUrl, Duration deadline) {
        return proven().addVoter(route, peerUrl, deadline);
    }

    @Override
    public boolean promote(MemberAccess.Route route, EtcdId learner, Duration deadline) {
        return proven().promote(route, learner, deadline);
    }

    @Override
    public void removeMember(MemberAccess.Route route, EtcdId member, Duration deadline) {
        proven().removeMember(route, member, deadline);
    }

    @Override
    public void updatePeerUrls(MemberAccess.Route route, EtcdId member, List<String> urls, Duration deadline) {
        proven().updatePeerUrls(route, member, urls, deadline);
    }

    @Override
    public void moveLeader(MemberAccess.Route leader, EtcdId target, Duration deadline) {
        proven().moveLeader(leader, target, deadline);
    }

    @Override
    public void compact(MemberAccess.Route route, long revision, Duration deadline) {
        proven().compact(route, revision, deadline);
    }

    @Override
    public void defragment(MemberAccess.Route route, Duration deadline) {
        proven().defragment(route, deadline);
    }

    @Override
    public void disarmNoSpace(MemberAccess.Route route, EtcdId member, Duration deadline) {
        proven().disarmNoSpace(route, member, deadline);
    }

    @Override
    public void disarmCorrupt(MemberAccess.Route route, EtcdId member, Duration deadline) {
        proven().disarmCorrupt(route, member, deadline);
    }

    @Override
    public void startDowngrade(MemberAccess.Route route, EtcdVersion target, Duration deadline) {
        proven().startDowngrade(route, target, deadline);
    }

    @Override
    public void cancelDowngrade(MemberAccess.Route route, Duration deadline) {
        proven().cancelDowngrade(route, deadline);
    }

    // --- calls that only read

    @Override
    public View probe(MemberAccess.Route route, Duration deadline) {
        return kept().probe(route, deadline);
    }

    @Override
    public void snapshot(MemberAccess.Route route, Duration stall, SnapshotSink sink) throws IOException {
        kept().snapshot(route, stall, sink);
    }

    @Override
    public KeyHash hashKeys(MemberAccess.Route route, long revision, Duration deadline) {
        return kept().hashKeys(route, revision, deadline);
    }

    @Override
    public EtcdVersion clusterVersion(MemberAccess.Route metrics, Duration deadline) {
        return kept().clusterVersion(metrics, deadline);
    }

    @Override
    public Optional<PeerConnections> connections(MemberAccess.Route metrics, Duration deadline) {
        return kept().connections(metrics, deadline);
    }

    @Override
    public Heard heard(MemberAccess.Route metrics, Duration deadline) {
        return kept().heard(metrics, deadline);
    }

    @Override
    public SettingsInUse settings(MemberAccess.Route metrics, Duration deadline) {
        return kept().settings(metrics, deadline);
    }

    @Override
    public Answer knock(MemberAccess.Route route, Manner manner, Duration deadline) {
        return kept().knock(route, manner, deadline);
    }

    @Override
    public Answer knock(MemberAccess.Route route, RingSecrets.Content shown, Duration deadline) {
        return kept().knock(route, shown, deadline);
    }

    @Override
    public long revision(MemberAccess.Route route, Duration deadline) {
        return kept().revision(route, deadline);
    }

    @Override
    public long shownRevision(MemberAccess.Route route, Duration deadline) {
        return kept().shownRevision(route, deadline);
    }

    @Override
    public long ringRevision(MemberAccess.Route route, Duration deadline) {
        return kept().ringRevision(route, deadline);
    }

    @Override
    public void proveWrite(MemberAccess.Route route, Duration deadline) {
        kept().proveWrite(route, deadline);
    }

    @Override
    public void writeNothing(MemberAccess.Route route, int count, Duration deadline) {
        kept().writeNothing(route, count, deadline);
    }

    @Override
    public boolean hasV2Keys(MemberAccess.Route route, Duration deadline) {
        return kept().hasV2Keys(route, deadline);
    }

    @Override
    public long v2Writes(MemberAccess.Route metrics, Duration deadline) {
        return kept().v2Writes(metrics, deadline);
    }

    @Override
    public long countKeys(MemberAccess.Route route, long revision, Duration deadline) {
        return kept().countKeys(route, revision, deadline);
    }

    /// The gateway's owner closes it.
    @Override
    public RingUsers users() {
        return new FencedUsers(etcd.users(), lease);
    }

    @Override
    public void close() {}
}
