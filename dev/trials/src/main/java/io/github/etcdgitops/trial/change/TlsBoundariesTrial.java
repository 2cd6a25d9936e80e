package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.RingTls;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.Doors;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// A run is ended at each boundary between steps on a ring's way to TLS and back, and from one CA to the
/// next, under a client; the next run takes over.
public final class TlsBoundariesTrial implements Trial {
    @Override
    public String name() {
        return "tls-boundaries";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var cuts = new Cuts(bench);
        figures.put("where", cuts.where());
        securing(bench, cuts, figures);
    }

    /// Peers and clients go to TLS, first both ways, and then that way alone; and from both ways back.
    private static void securing(Bench bench, Cuts cuts, Figures figures) throws Exception {
        String ring = "secured";
        int size = bench.options().from();
        UpgradesTrial.commit(bench, ring, size, bench.options().newest(), "");
        bench.converge(ring, size);
        var moved = new AtomicBoolean();
        var watch = new RingWatch(bench, ring, true);
        var load = bench.load(ring, moved::get);
        try {
            TlsTrial.commit(bench, ring, size, bench.options().newest(), "plain", "mixed");
            figures.put("clientsMixed", cuts.relentlessly(open(bench, ring, size, TlsTrial.CLIENTS_MIXED), 10));
            TlsTrial.commit(bench, ring, size, bench.options().newest(), "plain", "plain");
            figures.put("clientsBack", cuts.relentlessly(open(bench, ring, size, TlsTrial.PLAIN), 10));
            TlsTrial.commit(bench, ring, size, bench.options().newest(), "mutual", "mixed");
            figures.put("mixed", cuts.relentlessly(open(bench, ring, size, TlsTrial.MIXED), 10));
            moved.set(true);
            TlsTrial.commit(bench, ring, size, bench.options().newest(), "mutual", "mutual");
            figures.put("mutual", cuts.relentlessly(open(bench, ring, size, TlsTrial.MUTUAL), 10));
            var former = bench.tls(ring).require();
            UpgradesTrial.commit(bench, ring, size, bench.options().newest(), AuthorityTrial.spec(2));
            figures.put("anotherCa", cuts.relentlessly(trusting(bench, ring, size, former), 12));
        } finally {
            Bench.demand(load.stop(), figures, "tls.");
            watch.demand(figures, "tls.");
        }
        TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
    }

    private static BooleanSupplier open(Bench bench, String ring, int size, String ways) {
        return () -> bench.isAtRest(ring, size) && Doors.ways(bench, ring).equals(new TreeSet<>(List.of(ways)));
    }

    private static BooleanSupplier trusting(Bench bench, String ring, int size, RingTls.Client former) {
        return () -> bench.isAtRest(ring, size) && new Doors(bench, ring).shutOut(former);
    }
}
