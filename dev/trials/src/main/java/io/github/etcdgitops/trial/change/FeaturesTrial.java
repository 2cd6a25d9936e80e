package io.github.etcdgitops.trial.change;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.RingMark;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// One line of the Fleet switches a gate on for three rings under a client. Each run reaches one of them,
/// in the order of their names; the one that has an alarm is left alone and takes nobody's turn. Then a
/// ring gets the gate that cannot go off again, and keeps it.
public final class FeaturesTrial implements Trial {
    private static final List<String> RINGS = List.of("gated-a", "gated-b", "gated-c");
    private static final String UNWELL = "gated-b";
    private static final String RATCHET = "gated-c";
    private static final int SIZE = 3;

    @Override
    public String name() {
        return "features";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        var documents = new HashMap<String, byte[]>();
        RINGS.forEach(ring -> documents.put("clusters/" + ring + ".yaml", bench.document(ring, SIZE)));
        bench.git().commit("Three rings", documents);
        for (String ring : RINGS) {
            bench.converge(ring, SIZE);
        }
        var watch = new RingWatch(bench, RINGS.getFirst(), true);
        var load = bench.load(RINGS.getFirst());
        try {
            oneByOne(bench, figures);
        } finally {
            Bench.demand(load.stop(), figures, "");
            watch.demand(figures, "");
        }
        ratchet(bench);
    }

    private static void oneByOne(Bench bench, Figures figures) throws Exception {
        var reached = new ArrayList<String>();
        new Members(bench, UNWELL).alarm("ACTIVATE");
        var mark = RingMark.of(bench, UNWELL);
        fleet(bench, "features: {CompactHashCheck: true}");
        UpgradesTrial.said(bench.tool().planned(), "CompactHashCheck is true, from etcd-gitops.yaml:");
        reached.addAll(reachedByARun(bench));
        reached.addAll(reachedByARun(bench));
        mark.demandUnchanged(bench, UNWELL, "two runs beside it");
        new Members(bench, UNWELL).alarm("DEACTIVATE");
        reached.addAll(reachedByARun(bench));
        figures.put("inThisOrder", reached);
        TrialFailure.unlessSame("the rings in their turn", List.of("gated-a", RATCHET, UNWELL), reached);
        bench.demandNothingToDo();
        for (String ring : RINGS) {
            LiveRing.demandAlike(bench, ring);
        }
    }

    /// The rings that had the gate after the run and not before it.
    private static List<String> reachedByARun(Bench bench) throws Exception {
        var before = RINGS.stream().filter(ring -> gated(bench, ring)).toList();
        bench.tool().start("reconcile").exit();
        return RINGS.stream()
                .filter(ring -> !before.contains(ring) && gated(bench, ring))
                .toList();
    }

    /// By the files that the members were started with.
    private static boolean gated(Bench bench, String ring) {
        var files = bench.kube()
                .configMaps()
                .inNamespace(bench.namespace())
                .withName(ring + "-members")
                .get()
                .getData()
                .values();
        String option = bench.options().etcd().atLeast(3, 6, 0)
                ? "CompactHashCheck=true"
                : "experimental-compact-hash-check-enabled: true";
        return files.size() == SIZE && files.stream().allMatch(file -> file.contains(option));
    }

    private static void ratchet(Bench bench) throws Exception {
        String version = bench.options().version();
        UpgradesTrial.commit(bench, RATCHET, SIZE, version, "features: {PeerTls: true}\n");
        bench.converge(RATCHET, SIZE);
        bench.demandNothingToDo();
        var mark = RingMark.of(bench, RATCHET);
        UpgradesTrial.commit(bench, RATCHET, SIZE, version, "features: {PeerTls: false}\n");
        UpgradesTrial.said(bench.tool().planned(), "clusters/" + RATCHET + ".yaml:");
        bench.tool().start("reconcile").exit();
        mark.demandUnchanged(bench, RATCHET, "a gate that cannot go off again was turned off");
    }

    private static void fleet(Bench bench, String line) throws Exception {
        String fleet = new String(Bench.fleet(bench.namespace(), ""), StandardCharsets.UTF_8) + "  " + line + "\n";
        bench.git().commit("A gate for all", Map.of("etcd-gitops.yaml", fleet.getBytes(StandardCharsets.UTF_8)));
    }
}
