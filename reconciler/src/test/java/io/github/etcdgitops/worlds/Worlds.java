package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Part;
import io.github.etcdgitops.fake.Stage;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// The worlds, by the thousand: rings of up to five members, each size asked for, each version, each leader.
final class Worlds {
    static final int LARGEST = 5;
    static final List<String> VERSIONS = List.of("3.3.25", "3.4.23", "3.5.16");

    private final List<Case> cases = new ArrayList<>();

    private Worlds() {}

    static Given ring() {
        return Given.ring(Play.REF.namespace(), Play.REF.name());
    }

    /// A ring of one before 3.4 cannot grow.
    static boolean grows(int members, int size, String version) {
        return members > 1 || size <= members || !version.startsWith("3.3");
    }

    static Expect growsOrHeld(int members, int size, String version, Expect otherwise) {
        return grows(members, size, version) ? otherwise : new Expect.Held("no-learners");
    }

    /// Something that is done with each version and each size asked for.
    private interface EachSize {
        void add(String version, int size);
    }

    private static void eachSize(EachSize each) {
        for (String version : VERSIONS) {
            for (int size = 1; size <= LARGEST; size++) {
                each.add(version, size);
            }
        }
    }

    private void add(String name, int size, String version, Supplier<FakeWorld> make, Expect expect) {
        var full = name + " on " + version + ", " + size + " wanted";
        cases.add(new Case(full, make, Given.spec(Play.REF, size, version), expect));
    }

    /// Nobody is unwell: rings at rest, rings that are not there, and every point at which an operation may have ended.
    static List<Case> well() {
        var worlds = new Worlds();
        eachSize((version, size) -> {
            worlds.add(
                    "nothing",
                    size,
                    version,
                    () -> Given.absent(Play.REF.namespace(), Play.REF.name()).build(),
                    new Expect.Converges());
            for (int members = 1; members <= LARGEST; members++) {
                worlds.atRest(version, size, members);
                worlds.underWay(version, size, members);
            }
        });
        return worlds.cases;
    }

    private void atRest(String version, int size, int members) {
        var expect = growsOrHeld(members, size, version, new Expect.Converges());
        for (int leader = 0; leader < members; leader++) {
            int leading = leader;
            add(
                    members + " members led by " + leader,
                    size,
                    version,
                    () -> ring().version(version)
                            .members(members)
                            .leader(leading)
                            .build(),
                    expect);
        }
        add(
                "claims of " + members,
                size,
                version,
                () -> ring().version(version).members(members).claimsLeft().build(),
                new Expect.Frozen(Situation.HELD, "claims-of-an-earlier-ring"));
    }

    private void underWay(String version, int size, int members) {
        for (var point : Stage.Found.values()) {
            add(
                    members + " founded up to " + point,
                    size,
                    version,
                    () -> ring().version(version)
                            .members(members)
                            .inFounding(point)
                            .build(),
                    // Before its members run, a founding begins anew with the size that is asked for.
                    point.compareTo(Stage.Found.RUNNING) < 0
                            ? new Expect.Converges()
                            : growsOrHeld(members, size, version, new Expect.Converges()));
        }
        changing(version, members, (point, change) -> {
            for (int leader = 0; leader < members; leader += Math.max(1, members - 1)) {
                int leading = leader;
                boolean kept = !gone(point) && size >= members;
                int left = kept || !point.startsWith("leave") ? members : members - 1;
                add(
                        members + " members led by " + leader + ", " + point,
                        size,
                        version,
                        () -> change.apply(
                                        ring().version(version).members(members).leader(leading))
                                .build(),
                        growsOrHeld(left, size, version, new Expect.Converges()));
            }
        });
    }

    /// A departure ends once the member was removed; before, it is called off when the member is wanted.
    private static boolean gone(String point) {
        return !point.endsWith(Stage.Leave.BEGUN.name()) && !point.endsWith(Stage.Leave.BLOCKED.name());
    }

    /// Something that is done with each point of a change of members.
    private interface EachPoint {
        void add(String point, UnaryOperator<Given> change);
    }

    private static void changing(String version, int members, EachPoint each) {
        if (members < LARGEST && grows(members, members + 1, version)) {
            for (var point : Stage.Join.values()) {
                each.add("join up to " + point, given -> given.inJoin(point));
            }
        }
        if (members > 1) {
            for (var point : Stage.Leave.values()) {
                each.add("leave up to " + point, given -> given.inLeave(point));
            }
        }
    }

    /// Members are unwell: each one in each way, and each two of five.
    static List<Case> unwell() {
        var worlds = new Worlds();
        eachSize((version, size) -> {
            for (int members = 1; members <= LARGEST; members++) {
                for (var kind : Unwell.values()) {
                    for (int ordinal = 0; ordinal < members; ordinal++) {
                        worlds.oneUnwell(version, size, members, kind, ordinal);
                    }
                }
            }
            worlds.pairs(version, size);
        });
        return worlds.cases;
    }

    private void oneUnwell(String version, int size, int members, Unwell kind, int ordinal) {
        var name = members + " members, " + ordinal + " " + kind;
        var expect = kind.passes()
                ? growsOrHeld(members, size, version, new Expect.ConvergesOnceMended())
                : new Expect.Safe();
        for (int leader = 0; leader < members; leader++) {
            int leading = leader;
            add(
                    name + ", led by " + leader,
                    size,
                    version,
                    () -> ring().version(version)
                            .members(members)
                            .leader(leading)
                            .fault(f -> kind.strike(f, ordinal))
                            .build(),
                    expect instanceof Expect.Held ? new Expect.Safe() : expect);
        }
        changing(
                version,
                members,
                (point, change) -> add(
                        name + ", " + point,
                        size,
                        version,
                        () -> struck(
                                change.apply(ring().version(version).members(members))
                                        .build(),
                                kind,
                                ordinal),
                        kind.passes() && grows(1, size, version)
                                ? new Expect.ConvergesOnceMended()
                                : new Expect.Safe()));
    }

    private static FakeWorld struck(FakeWorld world, Unwell kind, int ordinal) {
        kind.strike(world.faults(Play.REF), ordinal);
        world.tick(8);
        return world;
    }

    private void pairs(String version, int size) {
        for (int one = 0; one < LARGEST; one++) {
            for (int other = one + 1; other < LARGEST; other++) {
                for (var first : Unwell.values()) {
                    for (var second : Unwell.values()) {
                        pair(version, size, first, one, second, other);
                    }
                }
            }
        }
    }

    private void pair(String version, int size, Unwell first, int one, Unwell second, int other) {
        boolean passes = first.passes() && second.passes() && grows(1, size, version);
        add(
                "5 members, " + one + " " + first + " and " + other + " " + second,
                size,
                version,
                () -> ring().version(version)
                        .members(LARGEST)
                        .fault(f -> first.strike(f, one))
                        .fault(f -> second.strike(f, other))
                        .build(),
                passes ? new Expect.ConvergesOnceMended() : new Expect.Safe());
    }

    /// Parts of the ring's objects that cannot be read, one at a time and all at once, at rest and under way.
    static List<Case> unknown() {
        var worlds = new Worlds();
        eachSize((version, size) -> {
            for (var part : Part.values()) {
                worlds.add(
                        "nothing, " + part + " unreadable",
                        size,
                        version,
                        () -> Given.absent(Play.REF.namespace(), Play.REF.name())
                                .unknown(part)
                                .build(),
                        new Expect.Frozen(Situation.UNKNOWN, "unknown"));
                worlds.add(
                        "claims of 3, " + part + " unreadable",
                        size,
                        version,
                        () -> ring().version(version).claimsLeft().unknown(part).build(),
                        new Expect.Frozen(Situation.UNKNOWN, "unknown"));
                for (int members = 1; members <= LARGEST; members++) {
                    worlds.unreadable(version, size, members, part);
                }
            }
        });
        return worlds.cases;
    }

    private void unreadable(String version, int size, int members, Part part) {
        add(
                members + " members, " + part + " unreadable",
                size,
                version,
                () -> ring().version(version).members(members).unknown(part).build(),
                new Expect.Frozen(Situation.UNKNOWN, "unknown"));
        for (var point : Stage.Found.values()) {
            add(
                    members + " founded up to " + point + ", " + part + " unreadable",
                    size,
                    version,
                    () -> blinded(
                            ring().version(version)
                                    .members(members)
                                    .inFounding(point)
                                    .build(),
                            part),
                    new Expect.Frozen(Situation.UNKNOWN, "unknown"));
        }
        changing(
                version,
                members,
                (point, change) -> add(
                        members + " members, " + point + ", " + part + " unreadable",
                        size,
                        version,
                        () -> blinded(
                                change.apply(ring().version(version).members(members))
                                        .build(),
                                part),
                        new Expect.Frozen(Situation.UNKNOWN, "unknown")));
    }

    private static FakeWorld blinded(FakeWorld world, Part part) {
        world.faults(Play.REF).unreadable(part);
        return world;
    }
}
