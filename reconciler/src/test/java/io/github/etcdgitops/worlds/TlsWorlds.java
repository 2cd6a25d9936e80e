package io.github.etcdgitops.worlds;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.List;

/// Rings that are asked for TLS, at rest and at every point at which their way there may have been left.
final class TlsWorlds {
    private TlsWorlds() {}

    static List<Case> atRest() {
        var cases = new ArrayList<Case>();
        for (int size = 1; size <= Worlds.LARGEST; size++) {
            for (int leader = 0; leader < size; leader++) {
                int members = size;
                int leading = leader;
                cases.add(new Case(
                        "plain to mutual for " + size + " led by " + leader,
                        () -> Worlds.ring()
                                .version("3.5.16")
                                .members(members)
                                .leader(leading)
                                .build(),
                        TlsPlaysTest.wanted(size, "3.5.16", TlsPlaysTest.MUTUAL),
                        new Expect.Converges()));
            }
            cases.add(from(size, TlsPlaysTest.OPEN, TlsPlaysTest.MUTUAL));
            cases.add(from(size, new Transport(Transport.Mode.PLAIN, Transport.Mode.MIXED), Transport.PLAIN));
        }
        return cases;
    }

    private static Case from(int size, Transport has, Transport wanted) {
        return new Case(
                has.describe() + " to " + wanted.describe() + " for " + size,
                () -> talking(size, has),
                TlsPlaysTest.wanted(size, "3.5.16", wanted),
                new Expect.Converges());
    }

    private static FakeWorld talking(int size, Transport transport) {
        var world = TlsPlaysTest.ring("3.5.16", size);
        new Play(world, TlsPlaysTest.wanted(size, "3.5.16", transport)).once(FaultHook.NONE);
        world.tick(20);
        return world;
    }

    /// Left after so many restarts of both halves; then the same, plain text, both ways, or another
    /// version besides is asked for.
    static List<Case> underWay() {
        var cases = new ArrayList<Case>();
        for (int size = 1; size <= Worlds.LARGEST; size++) {
            for (int restarts = 1; restarts <= 2 * size; restarts++) {
                boolean closed = restarts == 2 * size;
                cases.add(left(size, restarts, "3.5.16", TlsPlaysTest.MUTUAL, new Expect.Converges()));
                cases.add(left(size, restarts, "3.5.30", TlsPlaysTest.MUTUAL, new Expect.Converges()));
                cases.add(left(
                        size,
                        restarts,
                        "3.5.16",
                        Transport.PLAIN,
                        closed ? new Expect.Held("tls-off") : new Expect.Converges()));
                cases.add(left(
                        size,
                        restarts,
                        "3.5.16",
                        TlsPlaysTest.OPEN,
                        closed ? new Expect.Held("tls-off") : new Expect.Converges()));
            }
        }
        return cases;
    }

    private static Case left(int size, int restarts, String version, Transport wanted, Expect expect) {
        return new Case(
                "plain to mutual for " + size + ", left after " + restarts + " restarts, " + wanted.describe() + " on "
                        + version + " wanted",
                () -> TlsPlaysTest.left(size, restarts),
                TlsPlaysTest.wanted(size, version, wanted),
                expect);
    }

    /// The same with each member unwell in each way.
    static List<Case> unwell() {
        var cases = new ArrayList<Case>();
        atRest().forEach(world -> RollWorlds.addUnwell(cases, world));
        underWay().forEach(world -> RollWorlds.addUnwell(cases, world));
        return cases;
    }
}
