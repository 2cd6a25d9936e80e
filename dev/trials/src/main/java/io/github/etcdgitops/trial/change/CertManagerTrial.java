package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.RingMark;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.Doors;
import io.github.etcdgitops.trial.watch.RingWatch;
/// A running ring goes to TLS under a client with certificates that cert-manager is asked for; the trial
/// plays it.

public final class CertManagerTrial implements Trial {
    private static final String RING = "ordered";
    private static final String SPEC = "tls: {peer: mutual, client: mutual, issuer: {kind: ClusterIssuer, name: %s}}\n";

    @Override
    public String name() {
        return "cert-manager";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        UpgradesTrial.commit(bench, RING, 3, bench.options().newest(), "");
        bench.converge(RING, 3);
        UpgradesTrial.commit(bench, RING, 3, bench.options().newest(), SPEC.formatted(PlayedIssuer.ISSUER));
        var mark = RingMark.of(bench, RING);
        var without = bench.tool().start("reconcile");
        TrialFailure.unless(without.exit() == 20, "without cert-manager it ended with " + without.exit());
        UpgradesTrial.said(without, "install cert-manager");
        mark.demandUnchanged(bench, RING, "a run without cert-manager");
        try (var issuer = new PlayedIssuer(bench)) {
            var watch = new RingWatch(bench, RING, true);
            var load = bench.load(RING, () -> Doors.ways(bench, RING).stream().allMatch(w -> w.contains("2379 TLS")));
            try {
                TlsTrial.reconcile(bench, figures, "", load);
                TlsTrial.more(load);
            } finally {
                Bench.demand(load.stop(), figures, "");
                watch.demand(figures, "");
            }
            figures.put("certificates", issuer.certificates());
            Doors.demandWays(bench, RING, TlsTrial.MUTUAL);
            new Doors(bench, RING).demandClosed();
            bench.demandNothingToDo();
        }
        LiveRing.demandAlike(bench, RING);
    }
}
