package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Rings in which the data of one member, or of two, is not that of the others.
final class DivergedWorlds {
    private DivergedWorlds() {}

    static List<Case> all() {
        var cases = new ArrayList<Case>();
        for (String version : Worlds.VERSIONS) {
            for (int size = 2; size <= Worlds.LARGEST; size++) {
                for (int leader = 0; leader < size; leader += Math.max(1, size - 1)) {
                    for (var odd : MemberWorlds.oneOrTwo(size)) {
                        // Of more than half nobody could know that they are the ones that differ.
                        if (odd.size() * 2 <= size) {
                            cases.add(differing(version, size, leader, odd));
                        }
                    }
                }
            }
        }
        return cases;
    }

    private static Case differing(String version, int size, int leader, Set<Integer> odd) {
        return new Case(
                size + " of " + version + " led by " + leader + ", " + odd + " differ",
                () -> world(version, size, leader, odd),
                Specs.mendingMembers(Given.spec(Play.REF, size, version), Mode.AUTOMATIC),
                odd.size() * 2 < size ? new Expect.Converges() : new Expect.Held("corrupt"));
    }

    private static FakeWorld world(String version, int size, int leader, Set<Integer> odd) {
        var world = Worlds.ring().version(version).members(size).leader(leader).build();
        odd.forEach(ordinal -> world.faults(Play.REF).diverge(ordinal));
        world.tick(20);
        return world;
    }

    /// With each member unwell in each way besides.
    static List<Case> unwell() {
        var cases = new ArrayList<Case>();
        all().forEach(world -> RollWorlds.addUnwell(cases, world));
        return cases;
    }
}
