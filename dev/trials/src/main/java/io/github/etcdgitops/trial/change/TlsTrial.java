package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.WriteLoad;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Exec;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.RingMark;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.Doors;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;

/// Running rings go from plain text to TLS under a client that moves with them, and back as long as
/// there is a way back. What a member lets in is found out by calling it.
public final class TlsTrial implements Trial {
    static final String PLAIN = "2379 clear, 2380 clear";
    static final String CLIENTS_MIXED = "2379 clear, 2379 TLS, 2380 clear";
    static final String MIXED = "2379 clear, 2379 TLS, 2381 TLS";
    public static final String MUTUAL = "2379 TLS, 2381 TLS";
    public static final String BOTH_MUTUAL = "tls: {peer: mutual, client: mutual}\n";

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "tls";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        String other = other(bench);
        for (int size : bench.options().sizes()) {
            for (String version : versions(bench)) {
                migration(bench, size, version, other, figures);
            }
        }
        bench.erase(other);
        if (!bench.options().quick()) {
            back(bench, figures);
        }
    }

    /// Those that serve clients both ways for sure.
    private static SortedSet<String> versions(Bench bench) {
        var versions = new TreeSet<String>(List.of(bench.options().newest()));
        if (!bench.options().quick()) {
            versions.add(bench.options().version());
        }
        versions.removeIf(v -> !EtcdVersion.parse(v).orElseThrow().servesClientsBothWays());
        return versions;
    }

    /// A ring whose clients are let in to no other one.
    private static String other(Bench bench) throws Exception {
        UpgradesTrial.commit(bench, "other", 1, bench.options().newest(), BOTH_MUTUAL);
        bench.converge("other", 1);
        return "other";
    }

    static void commit(Bench bench, String ring, int size, String version, String peer, String client)
            throws Exception {
        UpgradesTrial.commit(bench, ring, size, version, "tls: {peer: " + peer + ", client: " + client + "}\n");
    }

    private static void migration(Bench bench, int size, String version, String other, Figures figures)
            throws Exception {
        String prefix = "of" + size + "." + version + ".";
        String ring = "moved" + size + "-" + version.replace('.', '-');
        UpgradesTrial.commit(bench, ring, size, version, "");
        bench.converge(ring, size);
        Doors.demandWays(bench, ring, PLAIN);
        var moved = new AtomicBoolean();
        var watch = new RingWatch(bench, ring, true);
        var load = bench.load(ring, moved::get);
        try {
            commit(bench, ring, size, version, "mutual", "mixed");
            reconcile(bench, figures, prefix + "toMixed.", load);
            Doors.demandWays(bench, ring, MIXED);
            moved.set(true);
            more(load);
            commit(bench, ring, size, version, "mutual", "mutual");
            UpgradesTrial.said(bench.tool().planned(), "clients without a certificate lose access");
            reconcile(bench, figures, prefix + "toMutual.", load);
        } finally {
            Bench.demand(load.stop(), figures, prefix);
            watch.demand(figures, prefix);
        }
        bench.demandNothingToDo();
        TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
        Doors.demandWays(bench, ring, MUTUAL);
        figures.put(prefix + "refused", new Doors(bench, ring).notFor(other).demandClosed());
        etcdctl(bench, ring, size);
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    /// Without any flag, as whoever is called at night types it.
    static void etcdctl(Bench bench, String ring, int size) throws Exception {
        for (int ordinal = 0; ordinal < size; ordinal++) {
            String said = new Exec(bench, ring + "-" + ordinal).run("etcdctl", "member", "list");
            TrialFailure.unless(
                    said.lines().filter(l -> l.contains("started")).count() == size,
                    "etcdctl in " + ring + "-" + ordinal + " says " + said);
        }
    }

    static void reconcile(Bench bench, Figures figures, String prefix, WriteLoad load) throws Exception {
        figures.put(prefix + "beganMillis", load.runningMillis());
        note(bench.tool().demand(0, "reconcile"), figures, prefix);
    }

    static void note(Run run, Figures figures, String prefix) {
        figures.put(prefix + "millis", UpgradesTrial.workMillis(run));
        figures.put(prefix + "steps", UpgradesTrial.steps(run));
        figures.put(
                prefix + "proved",
                run.steps().stream()
                        .filter(s -> List.of("ProveTransport", "IssueCertificates", "AwaitCertificates")
                                .contains(s.path("step").asText()))
                        .map(s ->
                                s.path("step").asText() + " " + s.path("millis").asLong() + ": "
                                        + s.path("detail").asText())
                        .toList());
    }

    /// The load has gone on, whichever way it comes now.
    public static void more(WriteLoad load) {
        long before = load.acknowledged();
        EtcdProcess.await("more writes", PATIENCE, () -> load.acknowledged() > before + 500);
    }

    /// From mixed a ring goes back; from mutual it does not.
    private static void back(Bench bench, Figures figures) throws Exception {
        String ring = "back";
        UpgradesTrial.commit(bench, ring, 3, bench.options().newest(), "");
        bench.converge(ring, 3);
        var watch = new RingWatch(bench, ring, true);
        var load = bench.load(ring);
        try {
            commit(bench, ring, 3, bench.options().newest(), "plain", "mixed");
            reconcile(bench, figures, "back.toMixed.", load);
            Doors.demandWays(bench, ring, CLIENTS_MIXED);
            commit(bench, ring, 3, bench.options().newest(), "plain", "plain");
            reconcile(bench, figures, "back.toPlain.", load);
        } finally {
            Bench.demand(load.stop(), figures, "back.");
            watch.demand(figures, "back.");
        }
        bench.demandNothingToDo();
        Doors.demandWays(bench, ring, PLAIN);
        LiveRing.demandAlike(bench, ring);
        takenBack(bench, ring, figures);
        notBack(bench, ring);
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    /// Nobody wants it any more while two of three members have it already.
    private static void takenBack(Bench bench, String ring, Figures figures) throws Exception {
        var urls = LiveRing.peerUrls(bench, ring);
        var load = bench.load(ring);
        try {
            commit(bench, ring, 3, bench.options().newest(), "mutual", "mixed");
            var cut = bench.tool().start(Map.of("ETCD_GITOPS_FAULT_KILL_AT", "35"), "reconcile");
            TrialFailure.unless(cut.exit() == 137, "the run to be cut ended with " + cut.exit() + ": " + cut.tail());
            figures.put(
                    "takenBack.cut",
                    cut.log().lines().filter(l -> l.startsWith("fault: ")).toList());
            figures.put("takenBack.urls", LiveRing.peerUrls(bench, ring));
            TrialFailure.unless(!urls.equals(LiveRing.peerUrls(bench, ring)), "no member was told yet");
            commit(bench, ring, 3, bench.options().newest(), "plain", "plain");
            UpgradesTrial.said(bench.tool().planned(), "roll back the rollout in progress");
            bench.tool().demand(0, "reconcile");
        } finally {
            Bench.demand(load.stop(), figures, "takenBack.");
        }
        Doors.demandWays(bench, ring, PLAIN);
        TrialFailure.unlessSame("the peer URLs", urls, LiveRing.peerUrls(bench, ring));
        bench.demandNothingToDo();
    }

    private static void notBack(Bench bench, String ring) throws Exception {
        commit(bench, ring, 3, bench.options().newest(), "mutual", "mutual");
        bench.tool().demand(0, "reconcile");
        Doors.demandWays(bench, ring, MUTUAL);
        var before = RingMark.of(bench, ring);
        commit(bench, ring, 3, bench.options().newest(), "plain", "plain");
        UpgradesTrial.said(bench.tool().planned(), "TLS is not turned off");
        bench.tool().demand(10, "reconcile");
        before.demandUnchanged(bench, ring, "a commit of plain");
        Doors.demandWays(bench, ring, MUTUAL);
    }
}
