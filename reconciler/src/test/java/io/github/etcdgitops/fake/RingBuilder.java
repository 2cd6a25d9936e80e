package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.state.KubeState;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.MemberConfig;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.journal.Intent;
import io.github.etcdgitops.state.journal.Journal;
import io.github.etcdgitops.state.journal.MemberSettings;
import io.github.etcdgitops.state.value.EtcdId;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Brings a ring to where an operation would have brought it, without the code under test.
final class RingBuilder {
    private static final long EPOCH = 1;
    /// Long enough for pods to be ready and for etcd to count everybody as connected.
    private static final int SETTLE = FakeCluster.CONNECTED_AFTER + 3;

    private final FakeWorld world;
    private final FakeRing ring;
    private final EtcdClusterSpec spec;
    private final String operationId;

    RingBuilder(FakeWorld world, EtcdClusterSpec spec, String operationId) {
        this.world = world;
        this.ring = world.ring(spec.ref());
        this.spec = spec;
        this.operationId = operationId;
    }

    void found(Stage.Found stage) {
        int size = spec.size();
        var members = new TreeMap<Integer, Journal.Member>();
        IntStream.range(0, size).forEach(o -> members.put(o, member("first-" + o, Optional.empty())));
        var applied = new MemberSettings(spec.server().version(), spec.server().options());
        var intent = new Intent(Intent.Kind.FOUND, 0, operationId, EPOCH);
        var token = "token-" + spec.ref();
        write(new Journal(EPOCH, token, Optional.empty(), applied, members, Optional.of(intent)));
        if (reached(stage, Stage.Found.OBJECTS)) {
            apply(ManagedObject.PEER_SERVICE, 0);
            apply(ManagedObject.NETWORK_POLICY, 0);
            budget(restingBudget(size));
        }
        if (reached(stage, Stage.Found.CONFIGURED)) {
            var peers = new TreeMap<Integer, String>();
            members.keySet().forEach(o -> peers.put(o, ring.peerUrl(o)));
            members.forEach(
                    (o, m) -> ring.setConfig(o, Optional.of(new MemberConfig.Founding(m.incarnation(), token, peers))));
        }
        if (reached(stage, Stage.Found.CREATED)) {
            ring.statefulSet = FakePreconditions.newStatefulSet(world, objects(0), size);
        }
        if (reached(stage, Stage.Found.RUNNING)) {
            world.tick(SETTLE);
        }
        if (reached(stage, Stage.Found.RECORDED)) {
            write(journal().withClusterId(ring.current.id));
            members.keySet().forEach(this::record);
        }
        if (reached(stage, Stage.Found.HALF_SEALED)) {
            seal(0);
        }
        if (reached(stage, Stage.Found.SEALED)) {
            members.keySet().forEach(this::seal);
        }
        if (reached(stage, Stage.Found.FINISHED)) {
            apply(ManagedObject.CLIENT_SERVICE, 0);
            apply(ManagedObject.CONNECTION, 0);
            write(journal().withIntent(Optional.empty()));
            world.tick();
        }
    }

    void join(Stage.Join stage) {
        int ordinal = ring.current.members.size();
        boolean learner = spec.server().version().hasLearners();
        String incarnation = "joined-" + ordinal;
        begin(Intent.Kind.JOIN, ordinal);
        write(journal().withMember(ordinal, member(incarnation, Optional.empty())));
        var cluster = ring.current;
        if (reached(stage, Stage.Join.ADDED)) {
            cluster.addMember(world.nextId(), ring.peerUrl(ordinal), learner, cluster.leader, world.ticks());
        }
        if (reached(stage, Stage.Join.RECORDED)) {
            record(ordinal);
            begin(Intent.Kind.JOIN, ordinal);
        }
        if (reached(stage, Stage.Join.CONFIGURED)) {
            var peers = new TreeMap<Integer, String>();
            cluster.members.values().forEach(m -> peers.put(m.ordinal, m.peerUrl));
            ring.setConfig(ordinal, Optional.of(new MemberConfig.Joining(incarnation, peers)));
        }
        if (reached(stage, Stage.Join.SCALED)) {
            scale(ordinal + 1);
        }
        if (reached(stage, Stage.Join.STARTED)) {
            world.tick(SETTLE + ring.catchUpTicks);
            ring.pods.get(ordinal).labels.put(Labels.CLIENTS, "no");
            record(ordinal);
        }
        if (reached(stage, Stage.Join.SEALED)) {
            seal(ordinal);
        }
        if (reached(stage, Stage.Join.BUDGETED)) {
            budget(restingBudget(ordinal + 1));
            world.tick();
        }
        if (reached(stage, Stage.Join.PROMOTED) && learner) {
            cluster.promote(cluster.byOrdinal(ordinal).orElseThrow().id, cluster.leader);
            world.tick(SETTLE);
        }
        if (reached(stage, Stage.Join.ADMITTED)) {
            ring.pods.get(ordinal).labels.put(Labels.CLIENTS, "yes");
        }
    }

    void leave(Stage.Leave stage) {
        var cluster = ring.current;
        int ordinal = cluster.members.size() - 1;
        if (cluster.leader.ordinal == ordinal) {
            lead(0);
        }
        begin(Intent.Kind.LEAVE, ordinal);
        if (reached(stage, Stage.Leave.BLOCKED)) {
            budget(ordinal + 1);
            world.tick();
        }
        if (reached(stage, Stage.Leave.REMOVED)) {
            cluster.remove(cluster.byOrdinal(ordinal).orElseThrow().id, cluster.leader, world.ticks());
            world.tick();
        }
        if (reached(stage, Stage.Leave.SHRUNK)) {
            scale(ordinal);
        }
        if (reached(stage, Stage.Leave.GONE)) {
            world.tick(3);
        }
        if (reached(stage, Stage.Leave.RELEASED)) {
            ring.setConfig(ordinal, Optional.empty());
            ring.claims.get(ordinal).released = true;
            write(journal().withoutMember(ordinal));
        }
        if (reached(stage, Stage.Leave.BUDGETED)) {
            budget(restingBudget(ordinal));
            world.tick();
        }
    }

    void lead(int ordinal) {
        var cluster = ring.current;
        cluster.moveLeader(cluster.byOrdinal(ordinal).orElseThrow().id, cluster.leader);
    }

    /// Founds, lets clients write, and takes away everything but the disks.
    void onlyClaims() {
        found(Stage.Found.FINISHED);
        ring.pods.values().forEach(ring::stopProcess);
        ring.pods.clear();
        ring.statefulSet = null;
        ring.journal = null;
        ring.configs = new TreeMap<>();
        ring.objects.clear();
        world.tick();
    }

    void settle() {
        world.tick(SETTLE);
    }

    private static <E extends Enum<E>> boolean reached(E stage, E point) {
        return stage.compareTo(point) >= 0;
    }

    private static int restingBudget(int voters) {
        return voters <= 1 ? 0 : Quorum.of(voters);
    }

    private void begin(Intent.Kind kind, int ordinal) {
        write(journal().withIntent(Optional.of(new Intent(kind, ordinal, operationId, EPOCH))));
    }

    private void scale(int replicas) {
        ring.statefulSet.replicas = replicas;
        ring.statefulSet.partition = replicas;
        ring.statefulSet.settled = false;
        ring.statefulSet.resourceVersion = world.nextVersion();
    }

    private void seal(int ordinal) {
        var incarnation = journal().members().get(ordinal).incarnation();
        ring.setConfig(ordinal, Optional.of(new MemberConfig.Sealed(incarnation)));
        var pod = ring.pods.get(ordinal);
        if (pod != null) {
            pod.mounted = ring.configs;
        }
    }

    /// Journals the member's id, and its claim once there is one.
    private void record(int ordinal) {
        var known = journal().members().get(ordinal);
        var claim = Optional.ofNullable(ring.claims.get(ordinal)).map(c -> c.uid);
        var id = ring.current.byOrdinal(ordinal).map(m -> m.id);
        write(journal().withMember(ordinal, new Journal.Member(known.incarnation(), id, claim)));
    }

    private static Journal.Member member(String incarnation, Optional<EtcdId> id) {
        return new Journal.Member(incarnation, id, Optional.empty());
    }

    private Journal journal() {
        return ring.journal.journal();
    }

    private void write(Journal journal) {
        ring.journal = new KubeState.JournalState(journal, world.nextVersion());
    }

    private void budget(int minAvailable) {
        apply(ManagedObject.BUDGET, minAvailable);
        ring.budgetSettled = false;
    }

    private void apply(ManagedObject object, int minAvailable) {
        ring.objects.put(object, new FakeRing.Thing(true, EPOCH, FakeViews.render(object, objects(minAvailable))));
    }

    private RingObjects objects(int minAvailable) {
        return new RingObjects(spec, journal().applied(), voters(), minAvailable, EPOCH);
    }

    private int voters() {
        return ring.current == null
                ? spec.size()
                : (int) ring.current.members.values().stream()
                        .filter(m -> !m.learner)
                        .count();
    }
}
