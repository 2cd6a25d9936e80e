package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.member.Alarm;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/// Rings whose files have grown large, or that are out of space, and whose documents let them be written
/// anew.
final class SpaceWorlds {
    static final int MIB = 1 << 20;
    static final int KEPT = 2;

    private enum Store {
        /// Two thirds of each file are free.
        LOOSE((faults, _) -> faults.fill(40 * MIB, 0, 80 * MIB), Specs::defragmented, true, false),
        /// An alarm that a compaction and new files end.
        FULL(SpaceWorlds::fill, SpaceWorlds::freeing, false, false),
        /// Two of them.
        FULL_TWICE(
                (faults, last) -> {
                    fill(faults, last);
                    faults.alarm(Alarm.Kind.NOSPACE, last);
                },
                SpaceWorlds::freeing,
                false,
                false),
        /// All of it is data of users: the alarm stays.
        CRAMMED(
                (faults, last) -> {
                    faults.fill(1900 * MIB, 0, 150 * MIB);
                    faults.alarm(Alarm.Kind.NOSPACE, last);
                },
                SpaceWorlds::freeing,
                false,
                true);

        private final BiConsumer<Faults, Integer> filled;
        private final UnaryOperator<EtcdClusterSpec> lets;
        /// Whether 3.3, which does not tell what is free, is in sync as it is.
        private final boolean silent;

        private final boolean stays;

        Store(BiConsumer<Faults, Integer> filled, UnaryOperator<EtcdClusterSpec> lets, boolean silent, boolean stays) {
            this.filled = filled;
            this.lets = lets;
            this.silent = silent;
            this.stays = stays;
        }

        /// On 3.3 each try to make room waits for an approval, which none of these rings has.
        private boolean ends(String version) {
            return !stays && (silent || !version.startsWith("3.3"));
        }
    }

    private SpaceWorlds() {}

    static List<Case> all() {
        var cases = new ArrayList<Case>();
        for (String version : Worlds.VERSIONS) {
            for (int size = 1; size <= Worlds.LARGEST; size++) {
                for (int leader = 0; leader < size; leader += Math.max(1, size - 1)) {
                    for (var store : Store.values()) {
                        cases.add(of(version, size, leader, store));
                    }
                }
            }
        }
        return cases;
    }

    private static Case of(String version, int size, int leader, Store store) {
        return new Case(
                size + " of " + version + " led by " + leader + ", " + store,
                () -> {
                    var world = ring(version, size, leader);
                    store.filled.accept(world.faults(Play.REF), size - 1);
                    return world;
                },
                store.lets.apply(Given.spec(Play.REF, size, version)),
                store.ends(version) ? new Expect.Converges() : new Expect.Safe());
    }

    /// With each member unwell in each way besides.
    static List<Case> unwell() {
        var cases = new ArrayList<Case>();
        all().forEach(world -> RollWorlds.addUnwell(cases, world));
        return cases;
    }

    static Case loose(String version, int size, int leader) {
        return of(version, size, leader, Store.LOOSE);
    }

    static Case full(String version, int size, int leader) {
        return of(version, size, leader, Store.FULL);
    }

    static FakeWorld ring(String version, int size, int leader) {
        return Worlds.ring().version(version).members(size).leader(leader).build();
    }

    private static void fill(Faults faults, int last) {
        List.of("a", "b", "c", "d", "e").forEach(faults::put);
        faults.fill(200 * MIB, 1500 * MIB, 348 * MIB);
        faults.alarm(Alarm.Kind.NOSPACE, 0);
    }

    private static EtcdClusterSpec freeing(EtcdClusterSpec spec) {
        return Specs.freeing(spec, Mode.AUTOMATIC, KEPT);
    }
}
