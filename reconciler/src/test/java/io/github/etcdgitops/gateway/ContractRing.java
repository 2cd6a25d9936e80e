package io.github.etcdgitops.gateway;

import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.validation.Location;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The small ring that contract tests are about.
public final class ContractRing {
    private static final EtcdVersion VERSION = new EtcdVersion(3, 5, 16);

    private ContractRing() {}

    public static RingObjects of(ClusterRef ref, int minAvailable, long epoch) {
        var spec = new EtcdClusterSpec(
                ref,
                1,
                new EtcdClusterSpec.Server(
                        VERSION,
                        new EtcdClusterSpec.Image(
                                "gcr.io/etcd-development/etcd", Optional.empty(), Optional.of("IfNotPresent")),
                        new TreeMap<>()),
                new EtcdClusterSpec.Storage("64Mi", Optional.empty()),
                new EtcdClusterSpec.PodTemplate(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()),
                new EtcdClusterSpec.NetworkAccess(Optional.empty(), Optional.empty()),
                new EtcdClusterSpec.Declaration(
                        Location.ofFile("clusters/db.yaml"),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        new TreeMap<>(),
                        Releases.ROLLOUT));
        return new RingObjects(spec, applied(), 1, minAvailable, epoch);
    }

    public static MemberSettings applied() {
        return new MemberSettings(VERSION, new TreeMap<>());
    }

    public static Journal journal(long epoch) {
        return new Journal(epoch, "token", Optional.empty(), applied(), new TreeMap<>(), Optional.empty());
    }

    public static SortedMap<Integer, String> peers(ClusterRef ref, int members) {
        var peers = new TreeMap<Integer, String>();
        for (int ordinal = 0; ordinal < members; ordinal++) {
            peers.put(ordinal, "http://" + ref.memberHost(ordinal) + ":2380");
        }
        return peers;
    }
}
