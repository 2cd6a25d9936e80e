package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.EtcdGateway.Manner;
import io.github.etcdgitops.gateway.MemberAccess.Door;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.List;
import java.util.Optional;

/// One entry of a member list, and the process behind it if one runs.
final class FakeMember {
    final FakeCluster cluster;
    final EtcdId id;
    /// The one it was added with. What it is listed with is `peerUrls`.
    final String peerUrl;
    List<String> peerUrls;
    /// The ordinal that its first peer URL names; -1 for a foreign member, which always runs.
    final int ordinal;

    String name = "";
    boolean learner;
    /// Its client URLs are published, which happens once it has run with a leader.
    boolean published;
    /// The data that it last ran on; null when that disk is gone or it never ran.
    FakeRing.DataDir dir;

    /// As its file said when it was started.
    Transport transport = Transport.PLAIN;

    /// What its file said when it was started; empty where the world was built with it.
    Optional<MemberSettings> file = Optional.empty();

    /// The CAs that it was started with.
    byte[] trusts = new byte[0];

    boolean running;
    /// It has had a leader since it was started. Before that etcd serves nobody.
    boolean serving;
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
        this.peerUrls = List.of(peerUrl);
        this.ordinal = cluster.ring.ordinalOfUrl(peerUrl);
    }

    boolean serves(Door door, Manner manner) {
        return switch (door) {
            case METRICS -> manner == Manner.PLAIN;
            case CLIENT, CLIENT_TLS -> serves(transport.client(), manner);
            case PEER -> manner == Manner.PLAIN && transport.peer().plain();
            case PEER_TLS -> manner == Manner.TLS && transport.peer().secured();
        };
    }

    private static boolean serves(Transport.Mode mode, Manner manner) {
        return switch (manner) {
            case PLAIN -> mode.plain();
            case TLS -> mode.secured();
            case TLS_WITHOUT_CERTIFICATE -> false;
        };
    }

    /// Whether it finds the other at one of the URLs that are listed for that.
    boolean finds(FakeMember other) {
        return other.peerUrls.stream()
                .anyMatch(url -> url.startsWith("https:")
                        ? other.transport.peer().secured() && transport.peer().secured()
                        : other.transport.peer().plain());
    }

    boolean voter() {
        return !learner;
    }

    /// Running, and its peers reach it.
    boolean up() {
        return running && !cluster.ring.cutOff.contains(ordinal);
    }

    /// As far as it knows itself: whoever is cut off knows of none.
    boolean led() {
        return up() && cluster.leads();
    }

    long log() {
        return dir == null ? 0 : dir.log;
    }
}
