package io.github.etcdgitops.trial.repair;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.fault.StruckRing;
import io.github.etcdgitops.trial.fault.StruckRing.Fault;
import java.util.ArrayList;
import java.util.Random;

/// Two faults in the midst of a change, at moments by chance, of rings under the client: some runs later each
/// ring has all that it should have, with what plans ask for approved and typed by somebody who knows nothing
/// else.
public final class TwoFaultsTrial implements Trial {
    private static final String FROM = "3.5.16";
    private static final String TO = "3.5.30";

    private enum Change {
        GROWTH(3, 5, false),
        SHRINKING(5, 3, false),
        UPGRADE_OF_3(3, 3, true),
        UPGRADE_OF_5(5, 5, true);

        private final int from;
        private final int to;
        private final boolean upgrade;

        Change(int from, int to, boolean upgrade) {
            this.from = from;
            this.to = to;
            this.upgrade = upgrade;
        }

        /// Voters without which it goes on, all the time.
        int spare() {
            return (Math.min(from, to) - 1) / 2;
        }
    }

    private record Strike(Fault fault, int ordinal, int steps) {}

    @Override
    public String name() {
        return "two-faults";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        long seed = bench.options().seed();
        var random = new Random(seed);
        figures.put("seed", seed);
        var told = new ArrayList<String>();
        for (int play = 0; play < bench.options().kills(); play++) {
            var change = Change.values()[play % Change.values().length];
            var first = strike(random, change, 0);
            var second = strike(random, change, first.fault().costsAMember() ? 1 : 0);
            String what = change + ": " + first + ", " + second;
            try {
                told.add(what + ": " + seconds(new StruckRing(bench, "two-" + play), change, first, second) + " s");
            } finally {
                figures.put("plays", told);
                figures.put("last", what);
            }
        }
    }

    private static Strike strike(Random random, Change change, int costly) {
        while (true) {
            var fault = Fault.values()[random.nextInt(Fault.values().length)];
            int steps = 1 + random.nextInt(16);
            if (!fault.costsAMember() || costly < change.spare()) {
                return new Strike(fault, random.nextInt(change.from), steps);
            }
        }
    }

    /// Until the ring is whole again, from the first fault on.
    private static long seconds(StruckRing ring, Change change, Strike first, Strike second) throws Exception {
        ring.ask(change.from, FROM);
        ring.bench().converge(ring.ring(), change.from);
        var load = ring.bench().load(ring.ring());
        try {
            String version = change.upgrade ? TO : FROM;
            ring.ask(change.to, version);
            var run = ring.bench().tool().start("reconcile");
            StruckRing.after(run, first.steps());
            long began = System.nanoTime();
            ring.strike(run, first.fault(), first.ordinal());
            StruckRing.after(run, first.steps() + second.steps());
            ring.strike(run, second.fault(), second.ordinal());
            run.exit();
            return ring.untilWhole(change.to, version, began).full().toSeconds();
        } finally {
            Bench.demandKept(load.stop(), new Figures(), "");
            ring.bench().git().remove(ring.file());
            ring.bench().erase(ring.ring());
        }
    }
}
