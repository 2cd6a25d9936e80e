package io.github.etcdgitops.worlds;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.Crash;
import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.fake.Given;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.ring.Finding;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.ring.Repairs.Mode;
import io.github.etcdgitops.worlds.Case.Expect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Two faults at any moment of any operation. Whatever they are, some runs later the ring has all that it
/// should have, if somebody has approved what was planned and has done what was said.
final class TwoFaults {
    /// More than enough: half of them follow hours and days later.
    private static final int RUNS = 22;

    /// From this run on, whatever passes is over at the beginning of the next run.
    private static final int MENDED = 4;

    private static final int HOURS = 9;
    private static final int DAYS = 13;

    private static final String IN_PLACE = " restored in place";

    private static final List<String> DELETION =
            List.of("CutClients", "StopMembers", "AwaitStopped", "KeepVolumes", "RemoveStatefulSet", "FinishDeletion");

    private TwoFaults() {}

    /// `ordinal` is the member, `call` the number of the call before which it happens, counted from the
    /// beginning of the first run.
    record Strike(Fault fault, int ordinal, int call) {}

    record Scenario(Case start, Strike first, Strike second) {
        @Override
        public String toString() {
            return start.name() + ": " + first + ", " + second;
        }
    }

    /// Every kind of change of a ring that has members.
    static List<Case> starts(Mode repairs) {
        var cases = new ArrayList<Case>();
        add(cases, repairs, "1 to 3", 1, Given.spec(Play.REF, 3, "3.5.16"));
        add(cases, repairs, "3 to 5", 3, Given.spec(Play.REF, 5, "3.5.16"));
        add(cases, repairs, "5 to 3", 5, Given.spec(Play.REF, 3, "3.5.16"));
        add(cases, repairs, "3 to 1", 3, Given.spec(Play.REF, 1, "3.5.16"));
        add(cases, repairs, "3 stay", 3, Given.spec(Play.REF, 3, "3.5.16"));
        add(cases, repairs, "5 stay", 5, Given.spec(Play.REF, 5, "3.5.16"));
        for (int size : List.of(3, 5)) {
            add(cases, repairs, "upgrade of " + size, size, Given.spec(Play.REF, size, "3.5.30"));
            add(cases, repairs, "volumes of " + size, size, larger(Given.spec(Play.REF, size, "3.5.16")));
            add(
                    cases,
                    repairs,
                    "taken back, " + size,
                    () -> RollPlaysTest.halfRolled(size, 2),
                    Given.spec(Play.REF, size, "3.5.16"));
        }
        add(cases, repairs, "3 to 5, upgraded", 3, Given.spec(Play.REF, 5, "3.5.30"));
        add(
                cases,
                repairs,
                "plain to mutual",
                3,
                Specs.talking(Given.spec(Play.REF, 3, "3.5.16"), TlsPlaysTest.MUTUAL));
        return cases;
    }

    private static void add(List<Case> cases, Mode repairs, String name, int members, EtcdClusterSpec spec) {
        add(cases, repairs, name, () -> ring("3.5.16", members), spec);
    }

    /// Rings of other sizes and of older etcd, and what is done to rings beside that.
    static List<Case> others(Mode repairs) {
        var cases = new ArrayList<Case>();
        for (int size : List.of(1, 2, 4)) {
            add(cases, repairs, size + " stay", size, Given.spec(Play.REF, size, "3.5.16"));
            add(cases, repairs, "upgrade of " + size, size, Given.spec(Play.REF, size, "3.5.30"));
            add(cases, repairs, "volumes of " + size, size, larger(Given.spec(Play.REF, size, "3.5.16")));
        }
        add(cases, repairs, "2 to 3", 2, Given.spec(Play.REF, 3, "3.5.16"));
        add(cases, repairs, "4 to 3", 4, Given.spec(Play.REF, 3, "3.5.16"));
        older(cases, repairs, "3.3.25", "3.4.23");
        older(cases, repairs, "3.4.23", "3.5.16");
        var secured = Specs.withAuthority(Given.spec(Play.REF, 3, "3.5.16"), TlsPlaysTest.MUTUAL, 2);
        add(cases, repairs, "CA of 3", () -> SecuredRing.of(3), secured);
        add(cases, repairs, "3 come back", () -> DeletedRing.of(3), Given.spec(Play.REF, 3, "3.5.16"));
        full(cases, repairs, "3.5.16");
        add(cases, repairs, "3 without quorum", () -> lost(3), Given.spec(Play.REF, 3, "3.5.16"));
        wholeRings(cases, repairs);
        return cases;
    }

    /// Rings that somebody else has made, that go or come back, and that make room for a backup.
    private static void wholeRings(List<Case> cases, Mode repairs) {
        for (int size : List.of(3, 5)) {
            add(cases, repairs, size + " adopted", () -> AdoptPlaysTest.foreign(size), AdoptPlaysTest.wanted(size));
            add(cases, repairs, size + IN_PLACE, size, Given.spec(Play.REF, size, "3.5.16"));
        }
        for (String step : DELETION) {
            add(
                    cases,
                    repairs,
                    "deletion of 3 called off at " + step,
                    () -> DeletedRing.calledOff(3, "DeleteCluster/" + step + "/before"),
                    Given.spec(Play.REF, 3, "3.5.16"));
        }
        add(cases, repairs, "5 come back", () -> DeletedRing.of(5), Given.spec(Play.REF, 5, "3.5.16"));
        add(cases, repairs, "5 without quorum", () -> lost(5), Given.spec(Play.REF, 5, "3.5.16"));
    }

    private static void older(List<Case> cases, Mode repairs, String from, String to) {
        var there = Given.spec(Play.REF, 3, from);
        Supplier<FakeWorld> three = () -> ring(from, 3);
        add(cases, repairs, "3 of " + from + " stay", three, there);
        add(cases, repairs, "3 of " + from + " to 5", three, Given.spec(Play.REF, 5, from));
        add(cases, repairs, "5 of " + from + " to 3", () -> ring(from, 5), there);
        add(cases, repairs, "3 of " + from + " upgraded", three, Given.spec(Play.REF, 3, to));
        Supplier<FakeWorld> back = () -> RollPlaysTest.halfRolled(from, to, 3, 2);
        add(cases, repairs, "3 of " + from + " taken back from " + to, back, there);
        full(cases, repairs, from);
    }

    private static void full(List<Case> cases, Mode repairs, String version) {
        var full = SpaceWorlds.full(version, 3, 2);
        cases.add(new Case(
                "3 of " + version + " full " + repairs,
                full.make(),
                Specs.healing(full.spec(), repairs),
                new Expect.Converges()));
    }

    /// So many volumes are gone that the rest is no majority.
    private static FakeWorld lost(int size) {
        var world = ring("3.5.16", size);
        for (int ordinal = 0; ordinal <= size / 2; ordinal++) {
            world.faults(Play.REF).loseVolume(ordinal);
        }
        world.tick(60);
        return world;
    }

    private static void add(
            List<Case> cases, Mode repairs, String name, Supplier<FakeWorld> make, EtcdClusterSpec spec) {
        cases.add(new Case(name + " " + repairs, make, healing(spec, repairs), new Expect.Converges()));
    }

    private static FakeWorld ring(String version, int members) {
        return Worlds.ring()
                .version(version)
                .members(members)
                .leader(members - 1)
                .build();
    }

    private static EtcdClusterSpec larger(EtcdClusterSpec spec) {
        return Specs.withStorage(spec, "2Gi");
    }

    private static EtcdClusterSpec healing(EtcdClusterSpec spec, Mode mode) {
        return Specs.freeing(Specs.healing(spec, mode), mode, 10_000);
    }

    /// So many of all that there are, always the same ones.
    static List<Scenario> sample(int most, Function<Mode, List<Case>> of) {
        var random = new Random(Integer.getInteger("faults.seed", 4711));
        var starts = new ArrayList<Case>();
        starts.addAll(of.apply(Mode.AUTOMATIC));
        starts.addAll(of.apply(Mode.MANUAL));
        starts.removeIf(start -> !start.name().matches(System.getProperty("faults.starts", ".*")));
        var calls = new TreeMap<String, Integer>();
        starts.forEach(start -> calls.put(start.name(), calls(start)));
        var scenarios = new ArrayList<Scenario>();
        while (scenarios.size() < most) {
            var start = starts.get(random.nextInt(starts.size()));
            int moments = calls.get(start.name());
            int size = Math.max(start.spec().size(), 3);
            var one = strike(random, size, moments);
            var other = strike(random, size, moments);
            // Wrong data is always the same here, and nobody could tell which two of three are right.
            boolean outvoted = one.fault() == Fault.DATA_DIFFERS
                    && other.fault() == Fault.DATA_DIFFERS
                    && one.ordinal() != other.ordinal();
            if (!outvoted) {
                scenarios.add(new Scenario(start, one, other));
            }
        }
        return scenarios;
    }

    private static Strike strike(Random random, int size, int moments) {
        var faults = Fault.values();
        return new Strike(faults[random.nextInt(faults.length)], random.nextInt(size), 1 + random.nextInt(moments));
    }

    private static int calls(Case start) {
        var play = play(start);
        int before = play.world.calls();
        play.once(FaultHook.NONE);
        return play.world.calls() - before;
    }

    private static Play play(Case start) {
        var play = start.play();
        play.vault.keep(Duration.ofDays(365), 9);
        play.world.faults(Play.REF).put("a");
        if (start.name().contains(IN_PLACE)) {
            play.once(FaultHook.NONE);
            play.vault.restoreInPlace(play.vault.stored().newest().orElseThrow().id());
        }
        return play;
    }

    /// What is wrong at the end; empty when nothing is.
    static List<String> played(Scenario scenario) {
        var play = play(scenario.start());
        var person = new Person(play);
        schedule(play, scenario.first());
        schedule(play, scenario.second());
        var last = new ArrayList<String>();
        try {
            for (int run = 1; run <= RUNS; run++) {
                if (run == MENDED) {
                    play.mend();
                } else if (run > MENDED) {
                    play.recover();
                }
                attempt(play, () -> play.once(FaultHook.NONE));
                play.world.tick(pause(run));
                var plans = new ArrayList<ClusterPlan>();
                attempt(play, () -> plans.add(play.plan()));
                if (plans.isEmpty()) {
                    continue;
                }
                var plan = plans.getFirst();
                last.clear();
                if (run >= MENDED && plan.situation() == Situation.IN_SYNC) {
                    last.addAll(play.notAtRest(plan));
                    if (last.isEmpty()) {
                        break;
                    }
                }
                last.add(told(plan));
                person.follow(plan);
            }
        } catch (RuntimeException e) {
            last.add("threw " + e + " at " + List.of(e.getStackTrace()).subList(0, 4));
        }
        last.addAll(play.breaches());
        return last.isEmpty() ? List.of() : List.of(scenario + "\n    " + last + "\n    " + play);
    }

    static String told(ClusterPlan plan) {
        return plan.situation() + " "
                + plan.findings().stream()
                        .filter(f -> f.level() != Finding.Level.NOTE)
                        .map(f -> f.code() + ": " + f.message())
                        .distinct()
                        .collect(Collectors.joining("\n      "))
                + " plans "
                + plan.operations().stream()
                        .map(o -> o.operation().kind() + (o.verdict().lets() ? "" : "(held)"))
                        .toList()
                + " waits " + plan.waiting();
    }

    private static void schedule(Play play, Strike strike) {
        var world = play.world;
        world.beforeCall(world.calls() + strike.call(), () -> strike.fault().strike(world, strike.ordinal()));
    }

    private static int pause(int run) {
        return run < HOURS ? 20 : run < DAYS ? 2 * 3600 : 24 * 3600;
    }

    /// A process that is killed is followed by another one.
    private static void attempt(Play play, Runnable process) {
        try {
            process.run();
        } catch (Crash | OneProcess.StillDead _) {
            play.world.tick(5);
        } catch (IllegalStateException e) {
            if (!(e.getCause() instanceof ExecutionException probe) || !(probe.getCause() instanceof Crash)) {
                throw e;
            }
            play.world.tick(5);
        }
    }
}
