package io.github.etcdgitops.worlds;

import io.github.etcdgitops.fake.FakeWorld;
import io.github.etcdgitops.plan.ClusterPlan.Situation;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/// One small world and what is to come of it. A world is made anew for each play of it.
record Case(String name, Supplier<FakeWorld> make, EtcdClusterSpec spec, Expect expect) {

    /// What is to come of a world, beside that nothing may ever break.
    sealed interface Expect {
        /// In sync with its spec within three runs.
        record Converges() implements Expect {}

        /// Once all that passes is over, in sync with its spec.
        record ConvergesOnceMended() implements Expect {}

        /// Ends what was begun and mends, then stops with the finding of this code.
        record Held(String code) implements Expect {}

        /// Nothing is planned and nothing done, not even a repair.
        record Frozen(Situation situation, String code) implements Expect {}

        /// Tells the finding of this code and what would mend it, and does nothing until somebody has approved.
        record Asks(String code) implements Expect {}

        /// Nobody joins or leaves.
        record Waits() implements Expect {}

        /// Nothing else than safety is asked for.
        record Safe() implements Expect {}
    }

    Play play() {
        return new Play(make.get(), spec);
    }

    /// All of them with `-Dworlds=all`; otherwise a sample that is always the same.
    static List<Case> sample(List<Case> all, int most) {
        return exhaustive() || all.size() <= most ? all : shuffled(all).subList(0, most);
    }

    static boolean exhaustive() {
        return "all".equals(System.getProperty("worlds"));
    }

    private static List<Case> shuffled(List<Case> all) {
        var shuffled = new ArrayList<>(all);
        java.util.Collections.shuffle(shuffled, new Random(4711));
        return shuffled;
    }

    @Override
    public String toString() {
        return name;
    }
}
