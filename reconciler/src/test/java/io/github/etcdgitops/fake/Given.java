package io.github.etcdgitops.fake;

import io.github.etcdgitops.gateway.KubernetesGateway.LeaseState;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.state.ManagedObject;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.validation.Location;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Worlds in the words of the domain: `Given.ring("demo",
/// "orders").version("3.5.16").members(3).down(2).build()`. Whatever was asked for happens in this
/// order: the ring is founded, faults and people do their part, the world settles, and last comes the
/// operation that is half done.
public final class Given {
    private final ClusterRef ref;
    private final List<Consumer<Faults>> faults = new ArrayList<>();
    private final List<Consumer<Faults>> people = new ArrayList<>();
    private final TreeMap<Integer, EtcdVersion> versions = new TreeMap<>();
    private String version = "3.5.16";
    private String operationId = "0123456789abcdef";
    private int members = 3;
    private int leader;
    private Consumer<RingBuilder> start = builder -> builder.found(Stage.Found.FINISHED);
    private Consumer<RingBuilder> stage = _ -> {};
    private Optional<LeaseState> lease = Optional.empty();
    private boolean ring = true;

    private Given(String namespace, String name) {
        ref = new ClusterRef(namespace, name);
    }

    /// A green ring of three on 3.5.16 with member 0 as its leader, unless said otherwise.
    public static Given ring(String namespace, String name) {
        return new Given(namespace, name);
    }

    /// Nothing of that name is there.
    public static Given absent(String namespace, String name) {
        var given = new Given(namespace, name);
        given.ring = false;
        given.start = _ -> {};
        return given;
    }

    public static EtcdClusterSpec spec(ClusterRef ref, int size, String version) {
        return new EtcdClusterSpec(
                ref,
                size,
                new EtcdClusterSpec.Server(
                        EtcdVersion.parse(version).orElseThrow(),
                        new EtcdClusterSpec.Image("registry.example/etcd", Optional.empty(), Optional.empty()),
                        new TreeMap<>()),
                new EtcdClusterSpec.Storage("1Gi", Optional.empty()),
                new EtcdClusterSpec.PodTemplate(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>()),
                new EtcdClusterSpec.NetworkAccess(Optional.empty(), Optional.empty()),
                new EtcdClusterSpec.Declaration(
                        Location.ofFile("clusters/" + ref.name() + ".yaml"),
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        new TreeMap<>(),
                        Releases.ROLLOUT));
    }

    public Given version(String etcd) {
        version = etcd;
        return this;
    }

    public Given members(int count) {
        members = count;
        return this;
    }

    public Given leader(int ordinal) {
        leader = ordinal;
        return this;
    }

    /// One member runs another version than the rest.
    public Given memberVersion(int ordinal, String etcd) {
        versions.put(ordinal, EtcdVersion.parse(etcd).orElseThrow());
        return this;
    }

    /// The machines of these members are gone.
    public Given down(int... ordinals) {
        for (int ordinal : ordinals) {
            faults.add(f -> f.stop(ordinal));
        }
        return this;
    }

    public Given diskLost(int ordinal) {
        return fault(f -> f.loseDisk(ordinal));
    }

    public Given cutOff(int ordinal) {
        return fault(f -> f.cutOff(ordinal));
    }

    public Given hidden(int ordinal) {
        return fault(f -> f.hideFromUs(ordinal));
    }

    public Given alarm(Alarm.Kind kind, int ordinal) {
        return fault(f -> f.alarm(kind, ordinal));
    }

    public Given lagging(int ordinal, long entries) {
        return fault(f -> f.lag(ordinal, entries));
    }

    public Given unknown(Part... parts) {
        return fault(f -> f.unreadable(parts));
    }

    public Given fault(Consumer<Faults> fault) {
        faults.add(fault);
        return this;
    }

    public Given scaledByHand(int replicas) {
        return byHand(f -> f.scaleByHand(replicas));
    }

    public Given partitionByHand(int partition) {
        return byHand(f -> f.partitionByHand(partition));
    }

    public Given budgetByHand(int minAvailable) {
        return byHand(f -> f.budgetByHand(minAvailable));
    }

    public Given foreignMember(String peerUrl) {
        return byHand(f -> f.addForeignMember(peerUrl));
    }

    public Given removedByHand(int ordinal) {
        return byHand(f -> f.removeMemberByHand(ordinal));
    }

    public Given without(ManagedObject object) {
        return byHand(f -> f.delete(object));
    }

    public Given byHand(Consumer<Faults> deed) {
        people.add(deed);
        return this;
    }

    /// A founding of `members` that ended early.
    public Given inFounding(Stage.Found point) {
        start = builder -> builder.found(point);
        ring = point.compareTo(Stage.Found.RUNNING) >= 0;
        return this;
    }

    /// Member number `members` is on its way in.
    public Given inJoin(Stage.Join point) {
        stage = builder -> builder.join(point);
        return this;
    }

    /// A learner at the next ordinal that runs and has caught up.
    public Given learner() {
        return inJoin(Stage.Join.STARTED);
    }

    /// The last member is on its way out.
    public Given inLeave(Stage.Leave point) {
        stage = builder -> builder.leave(point);
        return this;
    }

    /// A ring of `members` was here, and its volumes still are.
    public Given claimsLeft() {
        start = RingBuilder::onlyClaims;
        ring = false;
        return this;
    }

    /// What the journal names as the operation under way.
    public Given operationId(String id) {
        operationId = id;
        return this;
    }

    public Given lease(LeaseState held) {
        lease = Optional.of(held);
        return this;
    }

    public FakeWorld build() {
        return build(new FakeWorld());
    }

    /// Adds the ring to a world that has others.
    public FakeWorld build(FakeWorld world) {
        var builder = new RingBuilder(world, spec(ref, members, version), operationId);
        start.accept(builder);
        if (ring && leader != 0) {
            builder.lead(leader);
        }
        versions.forEach((ordinal, etcd) -> world.faults(ref).runs(ordinal, etcd));
        faults.forEach(fault -> fault.accept(world.faults(ref)));
        people.forEach(deed -> deed.accept(world.faults(ref)));
        if (ring && !(faults.isEmpty() && people.isEmpty())) {
            builder.settle();
        }
        stage.accept(builder);
        lease.ifPresent(held -> world.ring(ref).lease = held);
        world.ring(ref).sight.unseenFaults.clear();
        world.ring(ref).sight.unseenEvictions.clear();
        return world;
    }
}
