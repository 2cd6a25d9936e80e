package io.github.etcdgitops.gateway;

import io.github.etcdgitops.state.value.EtcdId;
import java.util.Map;

/// What a member has heard from its peers, as it reports it. `bytes` counts, per peer, what has arrived since the
/// member's start. `leads` is whether it is the leader now, and `leaders` how often it has seen the leader change.
///
/// A leader hears from each member that follows it with every heartbeat. Whether a connection exists does not show
/// that: from 3.5 on, etcd considers a peer connected for as long as the peer's machine keeps the connection, also
/// while
/// its process stands still or nothing passes the network (seen on 3.5.16 and 3.5.30).
public record Heard(Map<EtcdId, Long> bytes, boolean leads, long leaders) {
    public Heard {
        bytes = Map.copyOf(bytes);
    }

    /// Whether the member has led since an earlier reading and has heard nothing from this peer meanwhile.
    public boolean nothingFrom(EtcdId peer, Heard before) {
        return ledSince(before) && from(peer) == before.from(peer);
    }

    /// Whether the member leads, and has led at the time of an earlier reading and between the two.
    public boolean ledSince(Heard before) {
        return leads && before.leads && leaders == before.leaders;
    }

    private long from(EtcdId peer) {
        return bytes.getOrDefault(peer, 0L);
    }
}
