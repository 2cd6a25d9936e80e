package io.github.etcdgitops.trial.backup;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// A ring under a client loses its document: no number of runs does anything to it. A tombstone takes it
/// away, and its document brings it back as it was, with every write that was acknowledged and the same
/// hash; also where the run is killed at any boundary of either, and where the document comes back in the
/// midst of it.
public final class DeletionTrial implements Trial {
    private static final int ORPHAN_RUNS = 10;
    private static final int ENOUGH_RUNS = 6;
    private static final List<Integer> QUICK = List.of(5, 9, 14);

    @Override
    public String name() {
        return "deletion";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            String ring = "leaving" + size;
            String prefix = "of" + size + ".";
            bench.bringTo(ring, size);
            underAClient(bench, ring, size, figures, prefix);
            atRest(bench, ring, size, figures, prefix);
            figures.put(prefix + "killedAt", killed(bench, ring, size));
            new LastSnapshots(bench, ring, size).run(figures, prefix);
            new LastSnapshots(bench, "kept" + size, size).runKept(figures, prefix);
        }
    }

    private static void underAClient(Bench bench, String ring, int size, Figures figures, String prefix)
            throws Exception {
        var load = bench.load(ring);
        try {
            var processes = new VolumeLoss(bench, ring).processesBut(-1);
            var objects = objects(bench, ring);
            bench.git().remove("clusters/" + ring + ".yaml");
            for (int run = 0; run < ORPHAN_RUNS; run++) {
                bench.tool().demand(0, "reconcile");
            }
            TrialFailure.unlessSame("the orphan's processes", processes, new VolumeLoss(bench, ring).processesBut(-1));
            TrialFailure.unlessSame("the orphan's objects", objects, objects(bench, ring));
            mourn(bench, ring);
            figures.timed(prefix + "deleted", () -> bench.tool().demand(0, "reconcile"));
            demandGone(bench, ring, size);
            bench.demandNothingToDo();
            comeBack(bench, ring, size);
            figures.timed(prefix + "back", () -> bench.converge(ring, size));
        } finally {
            Bench.demandKept(load.stop(), figures, prefix);
        }
    }

    private static void atRest(Bench bench, String ring, int size, Figures figures, String prefix) throws Exception {
        String before = identity(bench, ring, size);
        bench.git().remove("clusters/" + ring + ".yaml");
        mourn(bench, ring);
        bench.tool().demand(0, "reconcile");
        demandGone(bench, ring, size);
        comeBack(bench, ring, size);
        bench.converge(ring, size);
        TrialFailure.unlessSame("the ring that came back", before, identity(bench, ring, size));
        figures.put(prefix + "identity", before);
    }

    /// At each boundary once: the deletion carried on, the deletion taken back, and the return carried on.
    private static List<String> killed(Bench bench, String ring, int size) throws Exception {
        var cuts = new Cuts(bench);
        var where = new ArrayList<String>();
        String before = identity(bench, ring, size);
        for (int boundary = 1; ; boundary += bench.options().every()) {
            if (bench.options().quick() && !QUICK.contains(boundary) && boundary <= QUICK.getLast()) {
                continue;
            }
            int began = where.size();
            bench.git().remove("clusters/" + ring + ".yaml");
            mourn(bench, ring);
            cuts.cut(boundary).ifPresent(where::add);
            comeBack(bench, ring, size);
            bench.converge(ring, size);
            TrialFailure.unlessSame("the ring whose deletion was taken back", before, identity(bench, ring, size));

            bench.git().remove("clusters/" + ring + ".yaml");
            mourn(bench, ring);
            cuts.cut(boundary).ifPresent(where::add);
            untilGone(bench, ring, size);
            comeBack(bench, ring, size);
            cuts.cut(boundary).ifPresent(where::add);
            bench.converge(ring, size);
            TrialFailure.unlessSame("the ring that came back", before, identity(bench, ring, size));
            if (where.size() == began || (bench.options().quick() && boundary >= QUICK.getLast())) {
                return where;
            }
        }
    }

    private static void untilGone(Bench bench, String ring, int size) throws Exception {
        for (int run = 0; run < ENOUGH_RUNS; run++) {
            if (bench.tool().start("reconcile").exit() == 0 && set(bench, ring).isEmpty()) {
                demandGone(bench, ring, size);
                return;
            }
        }
        throw new TrialFailure(ring + " was not deleted in " + ENOUGH_RUNS + " runs");
    }

    /// Cluster and member IDs, claims by UID, and the data: all that makes it this very ring.
    private static String identity(Bench bench, String ring, int size) {
        TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
        var endpoint = LiveRing.way(bench, ring);
        return clusterId(bench, ring) + " " + new Members(bench, ring).list().orElseThrow() + " " + claims(bench, ring)
                + " " + LiveRing.hash(endpoint, LiveRing.revision(endpoint));
    }

    public static void mourn(Bench bench, String ring) throws Exception {
        mourn(bench, ring, "retain");
    }

    /// `data` is what the tombstone says of the data, with whatever goes with that.
    public static void mourn(Bench bench, String ring, String data) throws Exception {
        bench.git().commit(ring + " is over", Map.of("tombstones/" + ring + ".yaml", """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: Tombstone
            metadata:
              name: %s-is-over
            spec:
              cluster: {namespace: %s, name: %s}
              clusterId: "%s"
              data: %s
              reason: the trial deletes it
            """.formatted(
                        ring, bench.namespace(), ring, clusterId(bench, ring), data)
                .getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    public static void comeBack(Bench bench, String ring, int size) throws Exception {
        bench.git().remove("tombstones/" + ring + ".yaml");
        bench.ring(ring, size);
    }

    /// Nothing but what brings it back.
    static void demandGone(Bench bench, String ring, int claims) {
        TrialFailure.unless(set(bench, ring).isEmpty(), ring + " has its StatefulSet still");
        TrialFailure.unlessSame(
                "what is left of " + ring,
                List.of(),
                names(bench.kube()
                        .pods()
                        .inNamespace(bench.namespace())
                        .withLabel("etcdgitops.dev/cluster", ring)
                        .list()
                        .getItems()));
        TrialFailure.unlessSame(
                "Services of " + ring,
                List.of(),
                names(bench.kube()
                        .services()
                        .inNamespace(bench.namespace())
                        .withLabel("etcdgitops.dev/cluster", ring)
                        .list()
                        .getItems()));
        TrialFailure.unlessSame("claims of " + ring, claims, claims(bench, ring).size());
    }

    public static List<String> claims(Bench bench, String ring) {
        return bench
                .kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withLabel("etcdgitops.dev/cluster", ring)
                .list()
                .getItems()
                .stream()
                .map(claim -> claim.getMetadata().getName() + "="
                        + claim.getMetadata().getUid())
                .sorted()
                .toList();
    }

    private static List<String> names(List<? extends HasMetadata> found) {
        return found.stream().map(o -> o.getMetadata().getName()).toList();
    }

    /// By what a ring that was left alone is known besides its processes.
    private static String objects(Bench bench, String ring) {
        return set(bench, ring).map(s -> s.getMetadata().getGeneration()).orElseThrow() + " "
                + journal(bench, ring).getMetadata().getResourceVersion();
    }

    private static Optional<io.fabric8.kubernetes.api.model.apps.StatefulSet> set(Bench bench, String ring) {
        return Optional.ofNullable(bench.kube()
                .apps()
                .statefulSets()
                .inNamespace(bench.namespace())
                .withName(ring)
                .get());
    }

    private static io.fabric8.kubernetes.api.model.ConfigMap journal(Bench bench, String ring) {
        return Objects.requireNonNull(bench.kube()
                .configMaps()
                .inNamespace(bench.namespace())
                .withName(ring + "-journal")
                .get());
    }

    static String clusterId(Bench bench, String ring) {
        String journal = String.join("\n", journal(bench, ring).getData().values());
        var found = java.util.regex.Pattern.compile("\"clusterId\"\\s*:\\s*\"([0-9a-f]+)\"")
                .matcher(journal);
        TrialFailure.unless(found.find(), "no cluster ID in " + journal);
        return found.group(1);
    }
}
