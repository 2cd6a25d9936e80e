package io.github.etcdgitops.worlds;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.observe.Observer;
import io.github.etcdgitops.ring.deletion.Clearance;
import io.github.etcdgitops.spec.Tombstone;
import io.github.etcdgitops.state.ClusterState;
import io.github.etcdgitops.validation.Location;
import java.util.List;
import java.util.Optional;

/// A ring that was deleted in all due form, and its volumes kept.
public final class DeletedRing {
    private DeletedRing() {}

    public static FakeWorld of(int size) {
        var play = deleting(size);
        play.once(FaultHook.NONE);
        play.world.tick(20);
        return play.world;
    }

    /// The run that deletes it is killed there.
    static FakeWorld calledOff(int size, String boundary) {
        var play = deleting(size);
        if (!play.killAt(boundary)) {
            throw new AssertionError("it does not come to " + boundary);
        }
        play.world.tick(20);
        return play.world;
    }

    private static Play deleting(int size) {
        var world = Worlds.ring().members(size).leader(size - 1).build();
        var play = new Play(world, Given.spec(Play.REF, size, "3.5.16"));
        play.tombstones = Optional.of(List.of(tombstone(world)));
        return play;
    }

    /// One of whose claims somebody has deleted since.
    public static FakeWorld lacking(int ordinal) {
        var world = of(3);
        world.faults(Play.REF).deleteClaim(ordinal);
        return world;
    }

    public static Tombstone tombstone(FakeWorld world) {
        return tombstone(world.look(Play.REF).clusterId().orElseThrow().toString());
    }

    static Tombstone tombstone(String clusterId) {
        return tombstone(clusterId, Tombstone.Data.RETAIN);
    }

    /// The ring goes with its volumes, after a snapshot by the policy `nightly`.
    public static Tombstone withData(FakeWorld world) {
        return tombstone(
                world.look(Play.REF).clusterId().orElseThrow().toString(), Tombstone.Data.SNAPSHOT_THEN_DELETE);
    }

    /// What was kept of the ring goes as well.
    public static Tombstone purge(FakeWorld world) {
        return tombstone(world.look(Play.REF).clusterId().orElseThrow().toString(), Tombstone.Data.DELETE_RETAINED);
    }

    static Tombstone tombstone(String clusterId, Tombstone.Data data) {
        return new Tombstone(
                "orders-is-over",
                Play.REF,
                clusterId,
                data,
                data == Tombstone.Data.SNAPSHOT_THEN_DELETE ? Optional.of("nightly") : Optional.empty(),
                "the team has moved",
                Location.ofFile("tombstones/orders.yaml"));
    }

    /// Every document can be read, and no backup is kept anywhere.
    public static Clearance clear() {
        return new Clearance(Optional.empty(), "prod", List.of());
    }

    static Clearance unsure(String why) {
        return new Clearance(Optional.of(why), "prod", List.of());
    }

    /// Read as a ring without a document is.
    public static ClusterState seen(FakeWorld world) {
        return new Observer(world.kubernetes(), world.volumes().port(), world.etcd(), world.access(), new SameThread())
                .orphan(Play.REF);
    }
}
