package io.github.etcdgitops.gateway;

import io.github.etcdgitops.state.value.EtcdId;
import java.util.Map;
import java.util.Set;

/// A member's connections with its peers, in its own words. `active` are those that it has live
/// connections with and could last dial. `probes` is how often it has noted, since it started, what came
/// of calling a peer: it calls each every few seconds, as it calls for streams, and notes that in two
/// places, every 30 seconds while the calls are answered and every 5 while they are not. Itself is in
/// neither.
///
/// Both are needed. etcd takes a peer for lost for ever where a message to the peer's former address came
/// to nothing after its streams were back (seen on 3.5.16 and 3.5.30): it is missing from `active` then,
/// and how often `probes` grows still tells whether it can be called. The bytes that were sent do not:
/// what a peer cannot fetch by a stream is posted to it.
public record PeerConnections(Set<EtcdId> active, Map<EtcdId, Long> probes) {
    public PeerConnections {
        active = Set.copyOf(active);
        probes = Map.copyOf(probes);
    }

    /// 0 for a peer of which nothing was noted yet.
    public long probesOf(EtcdId peer) {
        return probes.getOrDefault(peer, 0L);
    }
}
