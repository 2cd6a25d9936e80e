package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.RingTls;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.Doors;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;

/// A ring goes from one CA to the next under a client that takes up what the Secret says. Whoever has a
/// certificate of the former CA is let in until the very end, and then nowhere.
public final class AuthorityTrial implements Trial {
    private static final String RING = "trusted";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "authority";
    }

    static String spec(int number) {
        return spec(number, "0m");
    }

    private static String spec(int number, String overlap) {
        return "tls: {peer: mutual, client: mutual, issuer: {kind: BuiltIn, ca: {number: " + number + ", overlap: "
                + overlap + "}}}\n";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            rotation(bench, size, figures);
        }
    }

    private static void rotation(Bench bench, int size, Figures figures) throws Exception {
        String ring = RING + size;
        String prefix = "of" + size + ".";
        UpgradesTrial.commit(bench, ring, size, bench.options().newest(), spec(1));
        bench.converge(ring, size);
        var former = bench.tls(ring).require();
        var watch = new RingWatch(bench, ring, true);
        var load = bench.load(ring, () -> true);
        try {
            halfway(bench, ring, size, former, figures, prefix);
            UpgradesTrial.commit(bench, ring, size, bench.options().newest(), spec(2));
            TlsTrial.reconcile(bench, figures, prefix + "dropped.", load);
            TlsTrial.more(load);
        } finally {
            Bench.demand(load.stop(), figures, prefix);
            watch.demand(figures, prefix);
        }
        bench.demandNothingToDo();
        TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
        EtcdProcess.await("the new certificate", PATIENCE, () -> !same(bench, ring, former));
        var doors = new Doors(bench, ring);
        TrialFailure.unless(doors.shutOut(former), "a certificate of the former CA is let in");
        figures.put(prefix + "refused", doors.demandClosed().size());
        TlsTrial.etcdctl(bench, ring, size);
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    /// Both are trusted for a day: another run changes nothing, and everybody has the former one's
    /// certificates still.
    private static void halfway(
            Bench bench, String ring, int size, RingTls.Client former, Figures figures, String prefix)
            throws Exception {
        UpgradesTrial.commit(bench, ring, size, bench.options().newest(), spec(2, "1d"));
        bench.tool().demand(0, "reconcile");
        UpgradesTrial.said(bench.tool().planned(), "the ring trusts CAs 1 and 2 until");
        bench.demandNothingToDo();
        TrialFailure.unless(!new Doors(bench, ring).shutOut(former), "the former CA is trusted no more");
        figures.put(prefix + "both", true);
    }

    private static boolean same(Bench bench, String ring, RingTls.Client former) {
        return bench.tls(ring).require().version().equals(former.version());
    }
}
