package io.github.etcdgitops.fake;

import io.github.etcdgitops.spec.EtcdVersion;
import io.github.etcdgitops.state.EtcdId;

/// One entry of a member list, and the process behind it if one runs.
final class FakeMember {
    final FakeCluster cluster;
    final EtcdId id;
    final String peerUrl;
    /// The ordinal that the peer URL names; -1 for a foreign member, which always runs.
    final int ordinal;

    String name = "";
    boolean learner;
    /// Its client URLs are published, which happens once it has run with a leader.
    boolean published;
    /// The data that it last ran on; null when that disk is gone or it never ran.
    FakeRing.DataDir dir;

    boolean running;
    /// It has run before, so it may have acknowledged something.
    boolean ran;
    /// It was up and the code under test took it down.
    boolean downByUs;
    long upSince;
    EtcdVersion version;
    /// The leader's record that a learner has caught up. It outlives the learner's process, as in etcd.
    boolean matched;

    FakeMember(FakeCluster cluster, EtcdId id, String peerUrl) {
        this.cluster = cluster;
        this.id = id;
        this.peerUrl = peerUrl;
        this.ordinal = cluster.ring.ordinalOfUrl(peerUrl);
    }

    boolean voter() {
        return !learner;
    }

    /// Running, and its peers reach it.
    boolean up() {
        return running && !cluster.ring.cutOff.contains(ordinal);
    }

    long log() {
        return dir == null ? 0 : dir.log;
    }
}
