package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.state.value.EtcdId;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ObjIntConsumer;

/// Rings of which somebody wants one member replaced, or two.
final class MemberWorlds {
    private enum Trouble {
        /// It ends whenever it is started.
        SPOILT(Faults::spoil),
        /// Nothing is wrong with it that shows.
        NONE((_, _) -> {}),
        /// Neither its peers nor we reach it; its process goes on.
        CUT_OFF(Faults::cutOff),
        /// Its peers do not reach it, and we do.
        SEVERED(Faults::sever);

        private final ObjIntConsumer<Faults> fault;

        Trouble(ObjIntConsumer<Faults> fault) {
            this.fault = fault;
        }
    }

    private MemberWorlds() {}

    static List<Case> all() {
        var cases = new ArrayList<Case>();
        for (String version : Worlds.VERSIONS) {
            for (int size = 2; size <= Worlds.LARGEST; size++) {
                for (int leader = 0; leader < size; leader += Math.max(1, size - 1)) {
                    for (var replaced : oneOrTwo(size)) {
                        for (var trouble : Trouble.values()) {
                            cases.add(replacing(version, size, leader, replaced, trouble));
                        }
                    }
                }
            }
        }
        return cases;
    }

    static Set<Set<Integer>> oneOrTwo(int size) {
        var sets = new LinkedHashSet<Set<Integer>>();
        for (int first = 0; first < size; first++) {
            for (int second = first; second < size; second++) {
                sets.add(new TreeSet<>(List.of(first, second)));
            }
        }
        return sets;
    }

    private static Case replacing(String version, int size, int leader, Set<Integer> replaced, Trouble trouble) {
        return new Case(
                size + " of " + version + " led by " + leader + ", " + replaced + " to be replaced, " + trouble,
                () -> {
                    var world = ring(version, size, leader);
                    replaced.forEach(ordinal -> trouble.fault.accept(world.faults(Play.REF), ordinal));
                    world.tick(20);
                    return world;
                },
                asking(version, size, ring(version, size, leader), replaced),
                mended(version, size, replaced.size(), trouble) ? new Expect.Converges() : new Expect.Safe());
    }

    /// Nobody has asked for it: they end again and again, and three other pods were of no help.
    static List<Case> failing() {
        var cases = new ArrayList<Case>();
        for (String version : Worlds.VERSIONS) {
            for (int size = 2; size <= Worlds.LARGEST; size++) {
                for (int leader = 0; leader < size; leader += Math.max(1, size - 1)) {
                    for (var failing : oneOrTwo(size)) {
                        cases.add(failing(version, size, leader, failing));
                    }
                }
            }
        }
        return cases;
    }

    private static Case failing(String version, int size, int leader, Set<Integer> failing) {
        return new Case(
                size + " of " + version + " led by " + leader + ", " + failing + " end again and again",
                () -> {
                    var world = ring(version, size, leader);
                    failing.forEach(ordinal -> {
                        world.faults(Play.REF).spoil(ordinal);
                        world.faults(Play.REF).triedThrice(ordinal);
                    });
                    world.tick(20);
                    return world;
                },
                Specs.mendingMembers(Given.spec(Play.REF, size, version), Mode.AUTOMATIC),
                mended(version, size, failing.size(), Trouble.SPOILT) ? new Expect.Converges() : new Expect.Safe());
    }

    private static FakeWorld ring(String version, int size, int leader) {
        return Worlds.ring().version(version).members(size).leader(leader).build();
    }

    static EtcdClusterSpec asking(String version, int size, FakeWorld world, Set<Integer> replaced) {
        var members = new TreeMap<Integer, EtcdId>();
        replaced.forEach(ordinal ->
                members.put(ordinal, world.look(Play.REF).memberId(ordinal).orElseThrow()));
        return Specs.replacing(Given.spec(Play.REF, size, version), Mode.AUTOMATIC, members);
    }

    /// Whoever is left can write without those that are away, and lets somebody in. Two of a kind that are
    /// cut off come back as somebody else on a machine that stays cut off.
    private static boolean mended(String version, int size, int replaced, Trouble trouble) {
        int away = trouble == Trouble.NONE ? 0 : replaced;
        int gone = Math.max(1, away);
        boolean oneMore = !version.startsWith("3.3") || size - gone >= Quorum.of(size - gone + 1);
        return trouble != Trouble.CUT_OFF
                && trouble != Trouble.SEVERED
                && size > gone
                && size - away >= Quorum.of(size)
                && oneMore;
    }

    /// With each member unwell in each way besides.
    static List<Case> unwell() {
        var cases = new ArrayList<Case>();
        all().forEach(world -> RollWorlds.addUnwell(cases, world));
        failing().forEach(world -> RollWorlds.addUnwell(cases, world));
        return cases;
    }
}
