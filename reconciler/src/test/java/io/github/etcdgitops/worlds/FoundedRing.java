package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;

/// A ring that the product has founded as its document says, for tests that change the document afterwards.
public final class FoundedRing {
    private static final int RUNS = 12;

    private FoundedRing() {}

    public static FakeWorld of(EtcdClusterSpec spec) {
        var world = Given.absent(spec.ref().namespace(), spec.ref().name()).build();
        var last = new Play(world, spec).untilQuiet(RUNS);
        if (last.situation() != Situation.IN_SYNC) {
            throw new IllegalStateException("the ring is " + last.situation().title() + ": " + last.findings());
        }
        return world;
    }
}
