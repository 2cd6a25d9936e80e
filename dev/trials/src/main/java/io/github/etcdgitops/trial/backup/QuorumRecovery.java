package io.github.etcdgitops.trial.backup;

import io.fabric8.kubernetes.api.model.Pod;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.TrialFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What is left of a ring becomes the ring again once somebody has approved it by the ring's cluster ID,
/// also where the runs that do it are killed one after the other.
record QuorumRecovery(Bench bench, String ring, int size) {
    private static final Pattern ID = Pattern.compile("\"clusterId\"\\s*:\\s*\"([0-9a-f]+)\"");
    /// In the recovery: journalled, ended, unseated; and then in the restore.
    private static final Set<Integer> QUICK = Set.of(4, 6, 14, 21);

    private static final int CONFIGURATION = 78;

    /// Where runs were killed.
    List<String> recover(Backup saved) throws Exception {
        String former = clusterId();
        heldWithoutAnApproval(former);
        bench.git()
                .commit(ring + " is given up for a new one", Map.of("approvals/" + ring + ".yaml", approval(former)));
        var where = killed();
        bench.converge(ring, size);

        TrialFailure.unless(!clusterId().equals(former), ring + " has the cluster ID of before");
        TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
        var live = LiveRing.way(bench, ring);
        TrialFailure.unlessSame("the keys of " + ring, saved.keys(), LiveRing.keys(live, saved.revision()));
        TrialFailure.unlessSame("the revision of " + ring, saved.revision(), LiveRing.revision(live));
        LiveRing.put(live, "after", "the recovery");
        bench.git().remove("approvals/" + ring + ".yaml");
        return where;
    }

    private void heldWithoutAnApproval(String former) throws Exception {
        var processes = processes();
        bench.tool().start("reconcile").exit();
        TrialFailure.unlessSame("the pods of " + ring + " after a run that nobody approved of", processes, processes());
        var plan = bench.tool().start("plan");
        plan.exit();
        TrialFailure.unless(
                plan.stdout().contains("names the cluster ID " + former), "the plan asks for no approval of " + former);
        bench.tool().demand(CONFIGURATION, "approve", "--by", "the trial", "--reason", "no ring is named");
        bench.tool()
                .demand(CONFIGURATION, "approve", "--cluster-id", "beef", "--by", "the trial", "--reason", "another");
    }

    private byte[] approval(String former) throws Exception {
        return bench.tool()
                .demand(0, "approve", "--cluster-id", former, "--by", "the trial", "--reason", "its disks are gone")
                .stdout()
                .getBytes(StandardCharsets.UTF_8);
    }

    /// Each run gets a step further than the one before.
    private List<String> killed() throws Exception {
        var cuts = new Cuts(bench);
        var where = new ArrayList<String>();
        int last = 2 * 30;
        for (int boundary = 1; boundary <= last; boundary++) {
            if (bench.options().quick() && !QUICK.contains(boundary)) {
                continue;
            }
            var cut = cuts.cut(boundary);
            cut.ifPresent(where::add);
            if (cut.isEmpty()) {
                break;
            }
        }
        TrialFailure.unless(!where.isEmpty(), "no run was killed");
        return where;
    }

    private Set<String> processes() {
        var pods = new TreeSet<String>();
        bench
                .kube()
                .pods()
                .inNamespace(bench.namespace())
                .withLabel("etcdgitops.dev/cluster", ring)
                .list()
                .getItems()
                .stream()
                .filter(QuorumRecovery::runs)
                .forEach(pod -> pods.add(
                        pod.getMetadata().getName() + "=" + pod.getMetadata().getUid()));
        return pods;
    }

    private static boolean runs(Pod pod) {
        return "Running".equals(pod.getStatus().getPhase()) && pod.getMetadata().getDeletionTimestamp() == null;
    }

    private String clusterId() {
        var journal = bench.kube()
                .configMaps()
                .inNamespace(bench.namespace())
                .withName(ring + "-journal")
                .get();
        var found = ID.matcher(String.join("\n", journal.getData().values()));
        TrialFailure.unless(found.find(), "the journal of " + ring + " has no cluster ID");
        return found.group(1);
    }
}
