package io.github.etcdgitops.worlds;

import io.github.etcdgitops.execute.FaultHook;
import io.github.etcdgitops.fake.Specs;
import io.github.etcdgitops.plan.ClusterPlan;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.plan.fleet.FleetPlan;
import io.github.etcdgitops.report.PlanJson;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// Plays worlds to their end and says what is wrong with them.
final class Judge {
    private static final ForkJoinPool CORES = new ForkJoinPool();

    static final AtomicLong WORLDS = new AtomicLong();
    static final AtomicLong PLAYS = new AtomicLong();

    private Judge() {}

    /// What is wrong with the first worlds in which something is; empty when nothing is with any of them.
    static List<String> wrong(List<Case> cases) {
        WORLDS.addAndGet(cases.size());
        return firsts(cases, Judge::wrong);
    }

    /// What `trial` finds wrong, on all cores. With `-Dworlds.first` one finding is enough, and the rest is not
    /// tried.
    static <T> List<String> firsts(List<T> worlds, Function<T, List<String>> trial) {
        boolean one = Boolean.getBoolean("worlds.first");
        return onAllCores(() -> (one ? worlds.stream() : worlds.parallelStream())
                .map(trial)
                .filter(wrong -> !wrong.isEmpty())
                .limit(one ? 1 : 8)
                .map(List::getFirst)
                .toList());
    }

    /// The parallel streams of `work` run in a pool of their own. In the common one they would hold up the answers of
    /// the JDK's HTTP client, which other tests wait for.
    static <T> T onAllCores(Supplier<T> work) {
        return CORES.submit(work::get).join();
    }

    static List<String> wrong(Case world) {
        PLAYS.incrementAndGet();
        var wrong = new ArrayList<String>();
        Play play = world.play();
        try {
            judge(play, world, wrong);
        } catch (RuntimeException e) {
            wrong.add("threw " + e + " at " + List.of(e.getStackTrace()).subList(0, 4));
        }
        wrong.addAll(play.breaches());
        return wrong.isEmpty() ? List.of() : List.of(world + ":\n    " + wrong + "\n    " + play);
    }

    private static void judge(Play play, Case world, List<String> wrong) {
        var plan = play.plan();
        sameTwice(play, plan, wrong);
        switch (world.expect()) {
            case Expect.Converges() -> wrong.addAll(play.notAtRest(play.untilQuiet(3)));
            case Expect.ConvergesOnceMended() -> {
                play.once(FaultHook.NONE);
                play.mend();
                wrong.addAll(play.notAtRest(decided(play, play.untilQuiet(4))));
            }
            case Expect.Held(String code) -> held(play, code, wrong);
            case Expect.Frozen(var situation, String code) -> {
                finding(plan, code, wrong);
                if (plan.situation() != situation || !plan.operations().isEmpty()) {
                    wrong.add("not " + situation + " but " + plan.situation() + " " + plan.operations());
                }
                untouched(play, wrong);
            }
            case Expect.Asks(String code) -> {
                finding(plan, code, wrong);
                if (plan.operations().isEmpty()) {
                    wrong.add("nothing would mend it");
                }
                untouched(play, wrong);
            }
            case Expect.Waits() -> waits(play, wrong);
            case Expect.Safe() -> play.untilQuiet(2);
        }
    }

    /// Where nobody can say whose data is wrong, somebody who knows it says it.
    private static ClusterPlan decided(Play play, ClusterPlan plan) {
        if (plan.findings().stream()
                .noneMatch(f -> f.code().equals("start-refused")
                        && f.message().contains("name the member whose data is wrong"))) {
            return plan;
        }
        play.spec = Specs.replacing(
                play.spec,
                play.ring.differing().stream()
                        .collect(Collectors.toMap(
                                Function.identity(),
                                ordinal -> play.ring.memberId(ordinal).orElseThrow())));
        return play.untilQuiet(6);
    }

    private static void sameTwice(Play play, ClusterPlan plan, List<String> wrong) {
        var again = play.plan();
        if (!plan.equals(again) || !json(plan).equals(json(again))) {
            wrong.add("two plans of one state differ: " + json(plan) + " and " + json(again));
        }
    }

    /// Repairs and ends of changes may come first; a change of members may not follow.
    private static void held(Play play, String code, List<String> wrong) {
        var plan = play.untilQuiet(3);
        finding(plan, code, wrong);
        if (plan.situation() != Situation.HELD || !plan.operations().isEmpty()) {
            wrong.add("not held: " + plan.situation() + " " + plan.operations());
        }
    }

    private static void finding(ClusterPlan plan, String code, List<String> wrong) {
        if (plan.findings().stream().noneMatch(f -> f.code().equals(code))) {
            wrong.add("no finding " + code + " in " + plan.findings());
        }
    }

    private static void waits(Play play, List<String> wrong) {
        var before = play.ring.voters();
        play.untilQuiet(2);
        if (!before.equals(play.ring.voters()) || !play.ring.learners().isEmpty()) {
            wrong.add("the members changed from " + before);
        }
    }

    private static void untouched(Play play, List<String> wrong) {
        int before = play.world.acts().size();
        play.once(FaultHook.NONE);
        var acts = play.world.acts().subList(before, play.world.acts().size());
        if (!acts.isEmpty()) {
            wrong.add("did something: " + acts);
        }
    }

    private static String json(ClusterPlan plan) {
        return PlanJson.render(
                new FleetPlan("prod", "sha256:0", "test", List.of(plan), List.of(), FleetPlan.Beside.NOTHING));
    }
}
