package io.github.etcdgitops.trial.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.github.etcdgitops.it.StorageClasses;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.RingMark;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.watch.RingWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Volumes of a ring under a client become larger by a commit, and nobody is restarted, wherever the run
/// that does it is killed. With the quota in the same commit the members are rolled afterwards. Smaller
/// ones, and a class that does not let them grow, are refused.
public final class GrowTrial implements Trial {
    private static final String RING = "grown";
    private static final int SIZE = 3;
    private static final String QUOTA = "400000000";

    /// Around the moments in which there is no StatefulSet.
    private static final List<Integer> QUICK = List.of(2, 9, 12, 14);

    @Override
    public String name() {
        return "grow";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        try (var classes = new StorageClasses(bench.kube(), bench.namespace(), bench.folder())) {
            commit(bench, RING, SIZE, storage("1Gi", classes.growing()), QUOTA);
            bench.converge(RING, SIZE);
            var watch = new RingWatch(bench, RING, true);
            var load = bench.load(RING);
            int size;
            try {
                whole(bench, classes.growing(), figures);
                size = killed(bench, classes.growing(), figures);
                size = withQuota(bench, classes.growing(), size, figures);
            } finally {
                Bench.demand(load.stop(), figures, "");
                watch.demand(figures, "");
            }
            more(bench, classes.growing(), size);
            smaller(bench, classes.growing(), size);
            fixed(bench, classes.fixed());
        }
        TrialFailure.unlessSame("the members of " + RING, SIZE + 1, LiveRing.demandAlike(bench, RING));
    }

    public static String storage(String size, String storageClass) {
        return "    size: " + size + "\n    storageClassName: " + storageClass + "\n";
    }

    public static void commit(Bench bench, String ring, int size, String storage, String quota) throws Exception {
        String document = new String(
                bench.document(ring, size, bench.options().version(), "etcd:\n  quotaBackendBytes: " + quota + "\n"),
                UTF_8);
        bench.git()
                .commit(
                        ring + " is to have other volumes",
                        Map.of(
                                "clusters/" + ring + ".yaml",
                                document.replace("    size: 1Gi\n", storage).getBytes(UTF_8)));
    }

    /// The same processes, the same revision, claims as large as asked for, and a StatefulSet that makes
    /// such ones.
    private record Mark(Map<String, String> processes, String revision) {
        static Mark of(Bench bench) {
            var processes = new TreeMap<String, String>();
            new Members(bench, RING)
                    .pods()
                    .forEach(pod -> pod.getStatus()
                            .getContainerStatuses()
                            .forEach(c -> processes.put(
                                    pod.getMetadata().getName(),
                                    pod.getMetadata().getUid() + " restarts " + c.getRestartCount())));
            return new Mark(processes, set(bench).getStatus().getCurrentRevision());
        }

        void demandSame(Bench bench, String when) {
            var now = of(bench);
            TrialFailure.unless(now.equals(this), "somebody was restarted " + when + ": " + this + ", now " + now);
        }
    }

    private static StatefulSet set(Bench bench) {
        return bench.kube()
                .apps()
                .statefulSets()
                .inNamespace(bench.namespace())
                .withName(RING)
                .get();
    }

    private static void demandSized(Bench bench, int gibibytes) {
        String wanted = gibibytes + "Gi";
        var sizes = new TreeMap<String, String>();
        bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withLabel("etcdgitops.dev/cluster", RING)
                .list()
                .getItems()
                .forEach(c -> sizes.put(
                        c.getMetadata().getName(),
                        c.getStatus().getCapacity().get("storage").toString()));
        var set = set(bench);
        sizes.put(
                "claims to come",
                set.getSpec()
                        .getVolumeClaimTemplates()
                        .getFirst()
                        .getSpec()
                        .getResources()
                        .getRequests()
                        .get("storage")
                        .toString());
        TrialFailure.unless(sizes.values().stream().allMatch(wanted::equals), "not all have " + wanted + ": " + sizes);
        TrialFailure.unlessSame(
                "partition and replicas",
                set.getSpec().getReplicas(),
                set.getSpec().getUpdateStrategy().getRollingUpdate().getPartition());
    }

    private static void whole(Bench bench, String storageClass, Figures figures) throws Exception {
        var mark = Mark.of(bench);
        String uid = set(bench).getMetadata().getUid();
        commit(bench, RING, SIZE, storage("2Gi", storageClass), QUOTA);
        UpgradesTrial.said(bench.tool().planned(), "grow data-grown-2, data-grown-1, data-grown-0 to 2Gi");
        var run = bench.tool().demand(0, "reconcile");
        figures.put("steps", UpgradesTrial.steps(run));
        figures.put("millis", UpgradesTrial.workMillis(run));
        figures.put(
                "takenOver",
                run.steps().stream()
                        .filter(s -> s.path("step").asText().equals("RecreateStatefulSet"))
                        .map(s -> s.path("detail").asText())
                        .toList());
        mark.demandSame(bench, "by the growth");
        demandSized(bench, 2);
        TrialFailure.unless(!uid.equals(set(bench).getMetadata().getUid()), "the StatefulSet is the former one");
        bench.demandNothingToDo();
    }

    /// At each boundary once, by a growth of its own.
    private static int killed(Bench bench, String storageClass, Figures figures) throws Exception {
        var cuts = new Cuts(bench);
        var where = new ArrayList<String>();
        var withoutSet = new ArrayList<String>();
        int size = 2;
        for (int boundary = 1; ; boundary++) {
            if (bench.options().quick() && boundary <= QUICK.getLast() && !QUICK.contains(boundary)) {
                continue;
            }
            var mark = Mark.of(bench);
            size++;
            commit(bench, RING, SIZE, storage(size + "Gi", storageClass), QUOTA);
            var cut = cuts.cut(boundary);
            if (cut.isPresent()) {
                where.add(cut.get());
                if (set(bench) == null) {
                    withoutSet.add(cut.get());
                }
                bench.converge(RING, SIZE);
            }
            mark.demandSame(bench, "after " + cut.orElse("a whole run"));
            demandSized(bench, size);
            bench.demandNothingToDo();
            if (cut.isEmpty() || (bench.options().quick() && boundary > QUICK.getLast())) {
                break;
            }
        }
        figures.put("killedAt", where);
        figures.put("killedWithoutStatefulSet", withoutSet);
        TrialFailure.unless(!withoutSet.isEmpty(), "no run was killed while there was no StatefulSet: " + where);
        return size;
    }

    private static int withQuota(Bench bench, String storageClass, int size, Figures figures) throws Exception {
        int larger = size + 1;
        var mark = Mark.of(bench);
        commit(bench, RING, SIZE, storage(larger + "Gi", storageClass), "500000000");
        var run = bench.tool().demand(0, "reconcile");
        figures.put("withQuota", UpgradesTrial.steps(run));
        demandSized(bench, larger);
        TrialFailure.unless(
                !mark.revision().equals(set(bench).getStatus().getCurrentRevision()), "the quota was not rolled");
        bench.demandNothingToDo();
        return larger;
    }

    /// A member that comes gets a volume of that size.
    private static void more(Bench bench, String storageClass, int size) throws Exception {
        commit(bench, RING, SIZE + 1, storage(size + "Gi", storageClass), "500000000");
        bench.converge(RING, SIZE + 1);
        demandSized(bench, size);
    }

    private static void smaller(Bench bench, String storageClass, int size) throws Exception {
        var before = RingMark.of(bench, RING);
        commit(bench, RING, SIZE + 1, storage(size - 1 + "Gi", storageClass), "500000000");
        UpgradesTrial.said(bench.tool().planned(), "a volume never shrinks. Set it to " + size + "Gi again");
        bench.tool().demand(10, "reconcile");
        before.demandUnchanged(bench, RING, "a commit of smaller volumes");
    }

    private static void fixed(Bench bench, String storageClass) throws Exception {
        // Its document asks for smaller volumes, which is an error of each run.
        bench.git().remove("clusters/" + RING + ".yaml");
        commit(bench, "stays", 1, storage("1Gi", storageClass), QUOTA);
        bench.converge("stays", 1);
        var before = RingMark.of(bench, "stays");
        commit(bench, "stays", 1, storage("2Gi", storageClass), QUOTA);
        UpgradesTrial.said(bench.tool().planned(), "does not allow its volumes to grow");
        bench.tool().demand(10, "reconcile");
        before.demandUnchanged(bench, "stays", "a commit that its class does not allow");
    }
}
