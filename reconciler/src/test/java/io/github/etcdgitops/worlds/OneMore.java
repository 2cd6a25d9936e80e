package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.Oracle.Harm;
import io.github.etcdgitops.worlds.Case.Expect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// One more failure, after every prefix of a plan: before and after each step, each kind of it, at each
/// member.
final class OneMore {
    private record Moment(Case world, long boundary, Failure failure, int ordinal) {
        /// Without learners a member votes before it can be sealed. Where its disk is lost right then it may
        /// come back without what it has acknowledged: said in the documents, and beyond us.
        private boolean hitsAnUnsealedVoter(Play play) {
            return !failure.passes()
                    && !world.spec().server().version().hasLearners()
                    && play.ring.unsealed().contains(ordinal)
                    && play.ring.voters().contains(ordinal);
        }

        @Override
        public String toString() {
            return failure + " of " + ordinal + " at boundary " + boundary + " of " + world;
        }
    }

    private static final List<Moment> MOMENTS = moments();

    private OneMore() {}

    static int all() {
        return MOMENTS.size();
    }

    static List<String> wrong(int most) {
        return sample(MOMENTS, most);
    }

    static List<String> wrong(List<Case> worlds, int most) {
        return sample(worlds.stream().flatMap(w -> momentsOf(w).stream()).toList(), most);
    }

    private static List<String> sample(List<Moment> moments, int most) {
        var chosen = moments;
        if (!Case.exhaustive()) {
            chosen = new ArrayList<>(moments);
            Collections.shuffle(chosen, new Random(1138));
            chosen = chosen.subList(0, Math.min(most, chosen.size()));
        }
        return Judge.firsts(chosen, OneMore::wrong);
    }

    /// Every plan that has something to do where nobody is unwell, at rest or not there at all.
    private static List<Moment> moments() {
        var moments = new ArrayList<Moment>();
        for (var world : Worlds.well()) {
            if (!world.name().contains("founded")
                    && !world.name().contains(", join")
                    && !world.name().contains("leave")) {
                moments.addAll(momentsOf(world));
            }
        }
        return List.copyOf(moments);
    }

    private static List<Moment> momentsOf(Case world) {
        if (!(world.expect() instanceof Expect.Converges)) {
            return List.of();
        }
        var play = world.play();
        var plan = play.plan();
        int steps = plan.operations().stream().mapToInt(o -> o.steps().size()).sum();
        int most = Math.max(play.ring.voters().size(), world.spec().size());
        var moments = new ArrayList<Moment>();
        for (long boundary = 0; boundary < 2L * steps; boundary++) {
            for (var failure : Failure.values()) {
                for (int ordinal = 0; ordinal < most; ordinal++) {
                    moments.add(new Moment(world, boundary, failure, ordinal));
                }
            }
        }
        return moments;
    }

    private static List<String> wrong(Moment moment) {
        Judge.PLAYS.incrementAndGet();
        var play = moment.world().play();
        var reached = new AtomicLong();
        var wrong = new ArrayList<String>();
        var voterUnsealed = new AtomicBoolean();
        try {
            play.once(boundary -> {
                if (reached.getAndIncrement() == moment.boundary()) {
                    voterUnsealed.set(moment.hitsAnUnsealedVoter(play));
                    moment.failure().strike(play.world.faults(Play.REF), moment.ordinal());
                }
            });
            play.mend();
            if (moment.failure().passes()) {
                wrong.addAll(play.notAtRest(play.untilQuiet(4)));
            } else {
                play.untilQuiet(1);
            }
        } catch (RuntimeException e) {
            wrong.add("threw " + e + " at " + List.of(e.getStackTrace()).subList(0, 4));
        }
        wrong.addAll(play.breaches());
        if (voterUnsealed.get()) {
            wrong.removeIf(breach -> breach.startsWith(Harm.AMNESIA.name()));
        }
        return wrong.isEmpty() ? List.of() : List.of(moment + ":\n    " + wrong + "\n    " + play);
    }
}
