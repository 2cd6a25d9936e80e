package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.Doors;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Certificates that end within minutes are renewed while a client writes, and nobody is restarted for
/// it; and a ring whose certificates have ended is mended.
final class CertificatesEnd {
    private static final String RING = "ending";
    private static final String LAST = RING + "-2";
    private static final String SPEC = """
        tls:
          peer: mutual
          client: mutual
          issuer: {kind: BuiltIn, duration: 3m}
        """;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private CertificatesEnd() {}

    static void run(Bench bench, Figures figures) throws Exception {
        UpgradesTrial.commit(bench, RING, 3, bench.options().newest(), SPEC);
        bench.converge(RING, 3);
        var before = processes(bench);
        renewed(bench, figures);
        TrialFailure.unlessSame("the processes before and after the renewal", before, processes(bench));
        ended(bench, figures);
        var after = processes(bench);
        after.put(LAST, before.get(LAST));
        TrialFailure.unlessSame("the processes before and after the end", before, after);
        LiveRing.demandAlike(bench, RING);
        bench.git().remove("clusters/" + RING + ".yaml");
        bench.erase(RING);
    }

    private static void renewed(Bench bench, Figures figures) throws Exception {
        var watch = new RingWatch(bench, RING);
        var load = bench.load(RING, () -> true);
        try {
            awaitDue(bench);
            var first = Collections.max(new Doors(bench, RING).certificatesEnd());
            TlsTrial.reconcile(bench, figures, "renewal.", load);
            var then = Collections.min(new Doors(bench, RING).certificatesEnd());
            TrialFailure.unless(
                    then.isAfter(first), "a member shows the certificate of before: " + then + ", " + first);
            TlsTrial.more(load);
        } finally {
            Bench.demand(load.stop(), figures, "renewal.");
            watch.demand(figures, "renewal.");
        }
    }

    /// Asked of `plan`, again and again.
    private static void awaitDue(Bench bench) {
        EtcdProcess.await("the renewal in the plan", PATIENCE, () -> isDue(bench));
    }

    private static boolean isDue(Bench bench) {
        try {
            var plan = bench.tool().start("plan");
            plan.exit();
            return plan.stdout().contains("renew the certificates");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Nobody is let in any more, not even a member that comes back; and nobody has to be restarted for
    /// the ring to be mended.
    private static void ended(Bench bench, Figures figures) throws Exception {
        var end = Collections.max(new Doors(bench, RING).certificatesEnd());
        figures.put("ended.at", end.toString());
        EtcdProcess.await("the certificates' end", PATIENCE, () -> Instant.now().isAfter(end.plus(PAUSE)));
        Doors.demandWays(bench, RING, "");
        comeBack(bench);
        TrialFailure.unless(isDue(bench), "the plan does not show certificates that have ended");
        var run = bench.tool().demand(0, "reconcile");
        TlsTrial.note(run, figures, "ended.");
        Doors.demandWays(bench, RING, TlsTrial.MUTUAL);
        new Doors(bench, RING).demandClosed();
        bench.tool().planned();
    }

    private static void comeBack(Bench bench) {
        String before = processes(bench).get(LAST);
        bench.kube().pods().inNamespace(bench.namespace()).withName(LAST).delete();
        EtcdProcess.await("another pod", PATIENCE, () -> {
            String now = processes(bench).get(LAST);
            return now != null && !now.equals(before);
        });
    }

    /// Who runs: the pod, and how often its container was started.
    private static SortedMap<String, String> processes(Bench bench) {
        var processes = new TreeMap<String, String>();
        new Members(bench, RING)
                .pods()
                .forEach(pod -> pod.getStatus().getContainerStatuses().stream()
                        .filter(c -> c.getState().getRunning() != null)
                        .forEach(c -> processes.put(
                                pod.getMetadata().getName(),
                                pod.getMetadata().getUid() + " restarts " + c.getRestartCount())));
        return processes;
    }
}
