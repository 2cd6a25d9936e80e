package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.Faults;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.state.health.Quorum;
import io.github.etcdgitops.worlds.Case.Expect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ObjIntConsumer;

/// Rings that have lost the volumes of one member or two, and whose documents let them be replaced.
final class VolumeWorlds {
    private enum Loss {
        /// The member went with it.
        GONE(Faults::loseVolume),
        /// Its process goes on with the files that it has open.
        HELD_OPEN(Faults::loseClaim),
        /// Somebody has deleted the claim: it goes with the pod.
        DELETED(Faults::endClaim),
        /// Somebody has deleted the claim and the pod: there is another one, with nothing on it.
        EXCHANGED(Faults::exchangeClaim),
        /// The machine that alone had it has been gone for an hour.
        MACHINE_GONE((faults, ordinal) -> {
            faults.loseMachine(ordinal);
            faults.missedFor(ordinal, Duration.ofHours(1));
        });

        private boolean serves() {
            return this == HELD_OPEN || this == DELETED;
        }

        private final ObjIntConsumer<Faults> fault;

        Loss(ObjIntConsumer<Faults> fault) {
            this.fault = fault;
        }
    }

    private VolumeWorlds() {}

    static List<Case> all() {
        return where(true);
    }

    /// Those in which every other member has a volume: where a process that only holds its files open
    /// ends meanwhile, it does not come back, and a ring that needs it has lost its quorum.
    static List<Case> sturdy() {
        return where(false);
    }

    private static List<Case> where(boolean fragile) {
        var cases = new ArrayList<Case>();
        for (String version : Worlds.VERSIONS) {
            for (int size = 1; size <= Worlds.LARGEST; size++) {
                for (int leader = 0; leader < size; leader += Math.max(1, size - 1)) {
                    for (var lost : oneOrTwo(size)) {
                        for (var loss : Loss.values()) {
                            if (fragile || size - lost.size() >= Quorum.of(size)) {
                                cases.add(losing(version, size, leader, lost, loss));
                            }
                        }
                    }
                }
            }
        }
        return cases;
    }

    private static Set<Set<Integer>> oneOrTwo(int size) {
        var sets = new LinkedHashSet<Set<Integer>>();
        for (int first = 0; first < size; first++) {
            for (int second = first; second < size; second++) {
                sets.add(new TreeSet<>(List.of(first, second)));
            }
        }
        return sets;
    }

    private static Case losing(String version, int size, int leader, Set<Integer> lost, Loss loss) {
        return new Case(
                size + " of " + version + " led by " + leader + ", volumes of " + lost + " " + loss,
                () -> {
                    var world = Worlds.ring()
                            .version(version)
                            .members(size)
                            .leader(leader)
                            .build();
                    lost.forEach(ordinal -> loss.fault.accept(world.faults(Play.REF), ordinal));
                    world.tick(20);
                    return world;
                },
                Specs.repairing(Given.spec(Play.REF, size, version), Mode.AUTOMATIC),
                mended(version, size, lost.size(), loss) ? new Expect.Converges() : new Expect.Safe());
    }

    /// Whoever is left can write without those that are lost, and lets somebody in.
    private static boolean mended(String version, int size, int lost, Loss loss) {
        int gone = loss.serves() ? 1 : lost;
        boolean held = loss.serves() || size - lost >= Quorum.of(size);
        boolean oneMore = !version.startsWith("3.3") || size - gone >= Quorum.of(size - gone + 1);
        return size > gone && held && oneMore;
    }

    /// With each member unwell in each way besides.
    static List<Case> unwell() {
        var cases = new ArrayList<Case>();
        sturdy().forEach(world -> RollWorlds.addUnwell(cases, world));
        return cases;
    }
}
