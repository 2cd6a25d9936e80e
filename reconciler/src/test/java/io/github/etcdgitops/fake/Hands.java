package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.EtcdGateway;
import io.github.etcdgitops.gateway.KubernetesGateway;
import io.github.etcdgitops.gateway.MemberAccess;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;

/// Someone who works on one ring through the gateways alone, step by step, without any of the product's
/// care.
final class Hands {
    static final Duration DEADLINE = Duration.ofSeconds(2);

    final FakeWorld world;
    final ClusterRef ref;
    final KubernetesGateway kubernetes;
    final EtcdGateway etcd;
    final RingProbe ring;
    final Faults faults;

    Hands(FakeWorld world, ClusterRef ref) {
        this.world = world;
        this.ref = ref;
        this.kubernetes = world.kubernetes();
        this.etcd = world.etcd();
        this.ring = world.look(ref);
        this.faults = world.faults(ref);
    }

    KubeState read() {
        return kubernetes.read(ref, 9);
    }

    KubeState.StatefulSetState statefulSet() {
        return read().statefulSet().optional().orElseThrow().orElseThrow();
    }

    KubeState.PodState pod(int ordinal) {
        return read().pods().optional().orElseThrow().get(ordinal);
    }

    MemberAccess.Route route(int ordinal) {
        var pod = pod(ordinal);
        return world.access().open(ref, ordinal, pod.ip().orElse("none"), MemberAccess.Door.CLIENT);
    }

    EtcdGateway.View probe(int ordinal) {
        return etcd.probe(route(ordinal), DEADLINE);
    }

    String url(int ordinal) {
        return "http://" + ref.memberHost(ordinal) + ":2380";
    }

    EtcdId id(int ordinal) {
        return ring.memberId(ordinal).orElseThrow();
    }

    EtcdId addLearner(int ordinal) {
        return etcd.addLearner(route(0), url(ordinal), DEADLINE);
    }

    EtcdId addVoter(int ordinal) {
        return etcd.addVoter(route(0), url(ordinal), DEADLINE);
    }

    boolean promote(int ordinal) {
        return etcd.promote(route(0), id(ordinal), DEADLINE);
    }

    void remove(int ordinal) {
        etcd.removeMember(route(0), id(ordinal), DEADLINE);
    }

    private int voters() {
        return ring.voters().isEmpty() ? 3 : ring.voters().size();
    }

    RingObjects objects(int minAvailable) {
        var applied = ring.journal()
                .map(Journal::applied)
                .orElseGet(() ->
                        new MemberSettings(Given.spec(ref, 3, "3.5.16").server().version(), new TreeMap<>()));
        return new RingObjects(Given.spec(ref, 3, "3.5.16"), applied, voters(), minAvailable, 5);
    }

    void budget(int minAvailable) {
        kubernetes.apply(ManagedObject.BUDGET, objects(minAvailable));
        world.tick();
    }

    void config(int ordinal, MemberConfig config) {
        kubernetes.writeMemberConfig(objects(2), ordinal, Optional.of(config));
    }

    void seal(int ordinal, String incarnation) {
        config(ordinal, new MemberConfig.Sealed(incarnation));
    }

    MemberConfig.Joining joining(String incarnation, int... ordinals) {
        var peers = new TreeMap<Integer, String>();
        for (int ordinal : ordinals) {
            peers.put(ordinal, url(ordinal));
        }
        return new MemberConfig.Joining(incarnation, peers);
    }

    void scale(int replicas) {
        kubernetes.setReplicas(ref, statefulSet(), replicas, 5);
    }

    /// The whole of one member joining, as it should be done.
    void join(int ordinal) {
        addLearner(ordinal);
        var peers = new TreeMap<Integer, String>();
        ring.voters().forEach(o -> peers.put(o, url(o)));
        peers.put(ordinal, url(ordinal));
        config(ordinal, new MemberConfig.Joining("hands-" + ordinal, peers));
        scale(ordinal + 1);
        do {
            world.tick();
        } while (!ring.up().contains(ordinal));
        seal(ordinal, "hands-" + ordinal);
        budget((ordinal + 1) / 2 + 1);
        while (!promote(ordinal)) {
            world.tick();
        }
        world.tick(FakeCluster.CONNECTED_AFTER);
    }
}
