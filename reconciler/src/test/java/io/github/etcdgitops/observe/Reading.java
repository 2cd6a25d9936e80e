package io.github.etcdgitops.observe;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Releases;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Declaration;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.NotYet;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Suspension;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.ClusterState;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// What the real observer makes of a fake world, and specs to read it by.
public final class Reading {
    public static final ClusterRef ORDERS = new ClusterRef("demo", "orders");

    private Reading() {}

    public static Observer observer(FakeWorld world) {
        return new Observer(world.kubernetes(), world.volumes().port(), world.etcd(), world.access(), new Inline());
    }

    /// Everything read by name, as before a change.
    public static ClusterState fresh(FakeWorld world, EtcdClusterSpec spec) {
        return observer(world).fresh(spec);
    }

    /// What a LIST shows of a ring that is there.
    public static ClusterState listed(FakeWorld world, EtcdClusterSpec spec) {
        var seen = Objects.requireNonNull(world.kubernetes().list().get(spec.ref()));
        return observer(world).complete(spec.ref(), seen, Optional.of(spec));
    }

    public static EtcdClusterSpec spec(int size) {
        return Given.spec(ORDERS, size, "3.5.16");
    }

    public static EtcdClusterSpec spec(int size, String version) {
        return Given.spec(ORDERS, size, version);
    }

    public static EtcdClusterSpec suspended(EtcdClusterSpec spec, Suspension suspension) {
        return declared(spec, Optional.of(suspension), List.of());
    }

    public static EtcdClusterSpec notYet(EtcdClusterSpec spec, NotYet... fields) {
        return declared(spec, Optional.empty(), List.of(fields));
    }

    public static EtcdClusterSpec stored(EtcdClusterSpec spec, EtcdClusterSpec.Storage storage) {
        return new EtcdClusterSpec(
                spec.ref(), spec.size(), spec.server(), storage, spec.podTemplate(), spec.access(), spec.declaration());
    }

    private static EtcdClusterSpec declared(
            EtcdClusterSpec spec, Optional<Suspension> suspension, List<NotYet> notYet) {
        return new EtcdClusterSpec(
                spec.ref(),
                spec.size(),
                spec.server(),
                spec.storage(),
                spec.podTemplate(),
                spec.access(),
                new Declaration(
                        spec.declaration().source(),
                        Optional.empty(),
                        suspension,
                        notYet,
                        Optional.empty(),
                        spec.declaration().labels(),
                        Releases.ROLLOUT));
    }
}
