package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.List;

/// Rings that are asked for another version or template, at rest and at every point at which a roll of
/// them may have been left.
final class RollWorlds {
    private record Hop(String from, String to) {}

    private static final List<Hop> HOPS = List.of(
            new Hop("3.3.25", "3.4.23"),
            new Hop("3.4.23", "3.5.16"),
            new Hop("3.5.16", "3.5.30"),
            new Hop("3.6.14", "3.5.30"));

    private RollWorlds() {}

    static List<Case> atRest() {
        var cases = new ArrayList<Case>();
        for (int size = 1; size <= Worlds.LARGEST; size++) {
            for (int leader = 0; leader < size; leader++) {
                for (var hop : HOPS) {
                    cases.add(upgrade(hop, size, leader));
                }
                int members = size;
                int leading = leader;
                cases.add(new Case(
                        "another template for " + size + " led by " + leader,
                        () -> Worlds.ring().members(members).leader(leading).build(),
                        Specs.withResources(Given.spec(Play.REF, size, "3.5.16")),
                        new Expect.Converges()));
            }
        }
        return cases;
    }

    private static Case upgrade(Hop hop, int size, int leader) {
        return new Case(
                hop.from() + " to " + hop.to() + " for " + size + " led by " + leader,
                () -> Worlds.ring()
                        .version(hop.from())
                        .members(size)
                        .leader(leader)
                        .build(),
                Given.spec(Play.REF, size, hop.to()),
                new Expect.Converges());
    }

    /// Left after so many restarts; then the same, the former, or a third version is asked for, or more
    /// members.
    static List<Case> underWay() {
        var cases = new ArrayList<Case>();
        for (int size = 1; size <= Worlds.LARGEST; size++) {
            for (int restarts = 1; restarts <= size; restarts++) {
                for (var hop : HOPS) {
                    cases.add(left(hop, size, restarts, size, hop.to(), new Expect.Converges()));
                    boolean over = restarts == size && !hop.to().startsWith("3.5.30");
                    cases.add(left(
                            hop,
                            size,
                            restarts,
                            size,
                            hop.from(),
                            over ? new Expect.Held("no-way-to-version") : new Expect.Converges()));
                    if (size < Worlds.LARGEST && size > 1) {
                        cases.add(left(hop, size, restarts, size + 1, hop.to(), new Expect.Converges()));
                    }
                }
                cases.add(left(HOPS.get(1), size, restarts, size, "3.5.30", new Expect.Converges()));
            }
        }
        return cases;
    }

    private static Case left(Hop hop, int size, int restarts, int wantedSize, String wanted, Expect expect) {
        return new Case(
                hop.from() + " to " + hop.to() + " for " + size + ", left after " + restarts + " restarts, "
                        + wantedSize + " of " + wanted + " wanted",
                () -> RollPlaysTest.halfRolled(hop.from(), hop.to(), size, restarts),
                Given.spec(Play.REF, wantedSize, wanted),
                expect);
    }

    /// The same with each member unwell in each way.
    static List<Case> unwell() {
        var cases = new ArrayList<Case>();
        for (var world : atRest()) {
            addUnwell(cases, world);
        }
        for (var world : underWay()) {
            addUnwell(cases, world);
        }
        return cases;
    }

    static void addUnwell(List<Case> cases, Case world) {
        for (var kind : Unwell.values()) {
            for (int ordinal = 0; ordinal < world.spec().size(); ordinal++) {
                int member = ordinal;
                boolean ends = kind.passes() && world.expect() instanceof Expect.Converges;
                cases.add(new Case(
                        world.name() + ", " + ordinal + " " + kind,
                        () -> {
                            var made = world.make().get();
                            kind.strike(made.faults(Play.REF), member);
                            made.tick(8);
                            return made;
                        },
                        world.spec(),
                        ends ? new Expect.ConvergesOnceMended() : new Expect.Safe()));
            }
        }
    }
}
