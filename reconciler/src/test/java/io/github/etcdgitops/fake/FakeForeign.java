package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ClaimPhase;
import io.github.etcdgitops.state.Foreign;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A StatefulSet of plain etcd pods as somebody makes it without us: flags in args, a headless Service
/// and a claim template of its own, data at the root of the volume.
public final class FakeForeign {
    public static final String CLAIMS = "datadir";
    public static final String DIRECTORY = ".";
    private static final String SERVICE = "-headless";

    private FakeForeign() {}

    /// What was founded as a ring of ours becomes one that nobody of us has ever seen.
    static void make(FakeRing ring) {
        var set = ring.statefulSet;
        set.ours = false;
        set.labels = Map.of("app", "etcd");
        set.partition = 0;
        set.epoch = 0;
        var former = ring.templates.get(set.currentRevision);
        ring.templates.clear();
        set.currentRevision = "foreign-1";
        set.updateRevision = "foreign-1";
        ring.templates.put("foreign-1", new FakeRing.Template("", former.version(), true));
        ring.claimTemplate = CLAIMS;
        ring.journal = null;
        ring.lease = null;
        ring.configs = Collections.emptySortedMap();
        ring.files = Collections.emptySortedMap();
        ring.objects.clear();
        ring.claims.values().forEach(claim -> {
            claim.ours = false;
            var data = claim.dirs.values().iterator().next();
            claim.dirs.clear();
            claim.dirs.put(DIRECTORY, data);
        });
        var pods = new TreeMap<>(ring.pods);
        pods.forEach((ordinal, old) -> {
            var pod = new FakeRing.Pod(old.uid, "foreign-1", old.created);
            pod.ours = false;
            pod.controller = set.uid;
            pod.labels.clear();
            pod.labels.put("app", "etcd");
            pod.ip = old.ip;
            pod.ready = old.ready;
            pod.process = old.process;
            pod.mounted = old.mounted;
            ring.pods.put(ordinal, pod);
        });
        ring.current.members.values().forEach(m -> m.peerUrls = List.of(url(ring, m.ordinal)));
    }

    /// A member that is not well is exchanged for another one that has all the data.
    static void repaired(FakeWorld world, FakeRing ring) {
        ring.gone.clear();
        ring.current.alarms.clear();
        for (int ordinal = 0; ordinal < ring.statefulSet.replicas; ordinal++) {
            if (!well(ring, ordinal)) {
                exchanged(world, ring, ordinal);
            }
        }
    }

    private static boolean well(FakeRing ring, int ordinal) {
        var claim = ring.claims.get(ordinal);
        return claim != null
                && !claim.lost
                && !claim.terminating
                && ring.current
                        .byOrdinal(ordinal)
                        .map(m -> m.dir)
                        .filter(dir -> dir == claim.dirs.get(DIRECTORY) && !dir.spoilt && !dir.corrupt)
                        .isPresent();
    }

    private static void exchanged(FakeWorld world, FakeRing ring, int ordinal) {
        var cluster = ring.current;
        cluster.byOrdinal(ordinal).ifPresent(m -> cluster.members.remove(m.id));
        var member = cluster.add(world.nextId(), ring.peerUrl(ordinal));
        member.peerUrls = List.of(url(ring, ordinal));
        member.ran = true;
        member.name = ring.ref.podName(ordinal);
        member.dir = new FakeRing.DataDir(cluster, member.id);
        member.dir.log = cluster.acknowledged;
        var claim = new FakeRing.Claim(world.nextUid(), ring.statefulSet.storage);
        claim.ours = false;
        claim.dirs.put(DIRECTORY, member.dir);
        ring.claims.put(ordinal, claim);
        Optional.ofNullable(ring.pods.get(ordinal)).ifPresent(pod -> FakeController.end(ring, pod));
    }

    static FakeRing.StatefulSet foreign(FakeRing ring, String uid) {
        var set = ring.statefulSet;
        if (set == null || !set.uid.equals(uid) || set.ours) {
            throw new GatewayException(GatewayException.Kind.CONFLICT, false, "the StatefulSet that was read is gone");
        }
        return set;
    }

    static FakeRing.Claim claim(FakeRing ring, String name) {
        return ring.claims.entrySet().stream()
                .filter(c -> (ring.claimTemplate + "-" + ring.ref.podName(c.getKey())).equals(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    static void orphan(FakeRing ring) {
        var set = ring.statefulSet;
        ring.former = ring.templates.get(set.currentRevision);
        ring.pods.values().forEach(pod -> {
            pod.controller = null;
        });
        ring.statefulSet = null;
    }

    static void again(FakeWorld world, FakeRing ring) {
        var set = new FakeRing.StatefulSet();
        set.uid = world.nextUid();
        set.resourceVersion = world.nextVersion();
        set.ours = false;
        set.replicas = ring.pods.size();
        set.storage = FakeVolumes.state(ring.claims.firstEntry().getValue()).asked();
        ring.templates.put("foreign-1", ring.former);
        set.currentRevision = "foreign-1";
        set.updateRevision = "foreign-1";
        ring.statefulSet = set;
    }

    /// Ours, with the template that the pods have.
    static void recreated(FakeRing ring) {
        var set = ring.statefulSet;
        ring.templates.put("adopted-1", new FakeRing.Template("adopted=1", ring.former.version(), true));
        set.currentRevision = "adopted-1";
        set.updateRevision = "adopted-1";
    }

    public static String url(FakeRing ring, int ordinal) {
        return "http://" + ring.ref.podName(ordinal) + "." + ring.ref.name() + SERVICE + "." + ring.ref.namespace()
                + ".svc.cluster.local:2380";
    }

    static Foreign view(FakeRing ring) {
        var set = ring.statefulSet;
        var pods = new TreeMap<Integer, Foreign.Pod>();
        FakeViews.pods(ring, false).forEach((ordinal, state) -> {
            var pod = ring.pods.get(ordinal);
            pods.put(
                    ordinal,
                    new Foreign.Pod(
                            state.name(),
                            state.ip(),
                            pod.labels,
                            Optional.ofNullable(pod.controller),
                            Map.of(ring.claimTemplate, ring.claimTemplate + "-" + state.name()),
                            state));
        });
        var claims = new TreeMap<Integer, Foreign.Claim>();
        ring.claims.forEach((ordinal, claim) -> claims.put(
                ordinal,
                new Foreign.Claim(
                        ring.claimTemplate + "-" + ring.ref.podName(ordinal),
                        claim.uid,
                        claim.lost ? ClaimPhase.LOST : ClaimPhase.BOUND,
                        FakeVolumes.state(claim).asked())));
        return new Foreign(
                new Foreign.Workload(
                        set.uid,
                        set.replicas,
                        ring.ref.name() + SERVICE,
                        "RollingUpdate",
                        set.settled && set.currentRevision.equals(set.updateRevision),
                        new TreeMap<>(Map.of(ring.claimTemplate, set.storage))),
                template(ring, ring.templates.get(set.updateRevision).version()),
                pods,
                claims,
                ring.objects.entrySet().stream()
                        .filter(o -> !o.getValue().ours())
                        .map(o -> o.getKey().title())
                        .toList());
    }

    private static Foreign.Template template(FakeRing ring, EtcdVersion version) {
        var container = new Foreign.Container(
                "registry.example/etcd:v" + version,
                List.of("/usr/local/bin/etcd"),
                List.of(
                        "--name=$(POD_NAME)",
                        "--data-dir=/var/lib/etcd",
                        "--listen-peer-urls=http://0.0.0.0:2380",
                        "--listen-client-urls=http://0.0.0.0:2379",
                        "--advertise-client-urls=http://$(POD_NAME)." + ring.ref.name() + SERVICE + ":2379",
                        "--initial-cluster-token=old",
                        "--initial-cluster-state=new"),
                List.of(new Foreign.Variable("POD_NAME", Optional.empty(), Optional.of("metadata.name"))),
                false,
                List.of(new Foreign.Mount(ring.claimTemplate, "/var/lib/etcd", "")),
                new TreeMap<>());
        return new Foreign.Template(new TreeMap<>(Map.of("app", "etcd")), List.of(container), 0, new TreeMap<>());
    }

    public static SortedMap<Integer, Foreign.Pod> labelled(
            SortedMap<Integer, Foreign.Pod> pods, String key, String value) {
        var changed = new TreeMap<Integer, Foreign.Pod>();
        pods.forEach((ordinal, pod) -> {
            var labels = new TreeMap<>(pod.labels());
            labels.put(key, value);
            changed.put(
                    ordinal,
                    new Foreign.Pod(pod.name(), pod.ip(), labels, pod.controller(), pod.mounted(), pod.state()));
        });
        return changed;
    }

    /// The document that asks for the ring to be taken over.
    public static EtcdClusterSpec adopting(EtcdClusterSpec spec, String clusterId) {
        var d = spec.declaration();
        var wish = new EtcdClusterSpec.Handling(
                d.suspend(),
                Optional.of(
                        new io.github.etcdgitops.spec.ring.Adoption(spec.ref().name(), clusterId)),
                d.handling().repairs(),
                d.handling().maintenance());
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                spec.server(),
                spec.storage(),
                spec.podTemplate(),
                spec.access(),
                new EtcdClusterSpec.Declaration(
                        d.source(), d.environment(), wish, d.notYet(), d.backupPolicy(), d.labels(), d.rollout()));
    }
}
