package io.github.etcdgitops.worlds;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.FakeWorld;

/// A ring that was taken to TLS, as it is once that is done.
public final class SecuredRing {
    private SecuredRing() {}

    public static FakeWorld of(int size) {
        var world = TlsPlaysTest.ring("3.5.16", size);
        new Play(world, TlsPlaysTest.wanted(size, "3.5.16", TlsPlaysTest.MUTUAL)).once(FaultHook.NONE);
        world.tick(20);
        return world;
    }
}
