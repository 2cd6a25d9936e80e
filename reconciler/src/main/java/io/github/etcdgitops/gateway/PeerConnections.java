package io.github.etcdgitops.gateway;

import io.github.etcdgitops.state.value.EtcdId;
import java.util.Map;
import java.util.Set;

/// A member's connections with its peers, as it reports them. `active` are peers with live connections that
/// it could reach at its last attempt. `probes` counts, per peer, how often it has recorded the result of a
/// probe since its start. It probes each peer every few seconds, in the same way as it opens streams, and
/// records that in two places: every 30 seconds while the probes are answered, and every 5 while they are
/// not. The member itself is in neither.
///
/// Both are needed. etcd considers a peer lost forever where a message to the peer's former address failed
/// after its streams were back (seen on 3.5.16 and 3.5.30). The peer is then missing from `active`, and the
/// growth of `probes` still shows whether it can be reached. The number of sent bytes does not: etcd posts
/// to a peer what the peer cannot fetch by a stream.
public record PeerConnections(Set<EtcdId> active, Map<EtcdId, Long> probes) {
    public PeerConnections {
        active = Set.copyOf(active);
        probes = Map.copyOf(probes);
    }

    /// 0 for a peer without any record.
    public long probesOf(EtcdId peer) {
        return probes.getOrDefault(peer, 0L);
    }

    /// What a member has heard from its peers, as it reports it. `bytes` counts, per peer, what has arrived
    /// since the member's start. `leads` is whether it is the leader now, and `leaders` how often it has seen
    /// the leader change.
    ///
    /// A leader hears from each member that follows it with every heartbeat. `active` does not show that:
    /// from 3.5 on, etcd considers a peer connected for as long as the peer's machine keeps the connection,
    /// also while its process stands still (seen on 3.5.16 and 3.5.30).
    public record Heard(Map<EtcdId, Long> bytes, boolean leads, long leaders) {
        public Heard {
            bytes = Map.copyOf(bytes);
        }

        /// Whether the member has led since an earlier reading, and has heard others meanwhile, but nothing
        /// from this peer. If it has heard nobody, it may not count at all what it hears.
        public boolean misses(EtcdId peer, Heard before) {
            return ledSince(before)
                    && !heardFrom(peer, before)
                    && bytes.keySet().stream().anyMatch(other -> heardFrom(other, before));
        }

        /// Whether anything has come from this peer since an earlier reading.
        public boolean heardFrom(EtcdId peer, Heard before) {
            return from(peer) != before.from(peer);
        }

        /// Whether the member leads, and has led at the time of an earlier reading and between the two.
        public boolean ledSince(Heard before) {
            return leads && before.leads && leaders == before.leaders;
        }

        private long from(EtcdId peer) {
            return bytes.getOrDefault(peer, 0L);
        }
    }
}
