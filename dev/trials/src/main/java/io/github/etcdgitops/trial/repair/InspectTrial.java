package io.github.etcdgitops.trial.repair;

import io.fabric8.kubernetes.client.dsl.PodResource;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.MemberAway;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Two members of three find no machine: those that they had take nobody any more, and the third is not for
/// two of them. What is on their volumes is told once it is approved; a run that is killed meanwhile is carried on; and
/// nothing is different
/// afterwards.
public final class InspectTrial implements Trial {
    private static final int SIZE = 3;
    private static final long CONTENT = 1L << 20;
    private static final int KILLED_AT = 2;

    @Override
    public String name() {
        return "inspect";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.tool().environment("ETCD_GITOPS_IMAGE", bench.options().image().orElse("etcd-gitops:sandbox"));
        String ring = "looked";
        bench.git().commit(ring, Map.of("clusters/" + ring + ".yaml", apart(bench, ring)));
        bench.converge(ring, SIZE);
        LiveRing.fill(LiveRing.way(bench, ring), CONTENT);
        LiveRing.put(LiveRing.way(bench, ring), "the last", "write");
        TrialFailure.unlessSame("the members of " + ring, SIZE, LiveRing.demandAlike(bench, ring));
        long revision = LiveRing.revision(LiveRing.way(bench, ring));

        String home = pod(bench, ring, 0).get().getSpec().getNodeName();
        for (var node : bench.kube().nodes().list().getItems()) {
            String name = node.getMetadata().getName();
            MemberAway.cordon(bench, name, !name.equals(home));
        }
        for (int ordinal = 1; ordinal < SIZE; ordinal++) {
            pod(bench, ring, ordinal).delete();
        }
        EtcdProcess.await(
                "both volumes to be offered",
                Duration.ofMinutes(3),
                () -> plan(bench).contains("volume of " + ring + "-1  ")
                        && plan(bench).contains("volume of " + ring + "-2  "));
        bench.git().commit("two are looked into", Map.of("approvals/" + ring + ".yaml", approval(bench)));
        new Cuts(bench).cut(KILLED_AT);
        bench.tool().start("reconcile").exit();

        String plan = plan(bench);
        var told = told(plan, ring);
        figures.put("told", told.toString());
        TrialFailure.unlessSame("the volumes that were told of: " + plan, SIZE - 1, told.size());
        for (long each : told.values()) {
            TrialFailure.unless(
                    each == revision || each == revision - 1, "a volume ends at " + each + " instead of " + revision);
        }
        TrialFailure.unless(plan.contains("1 of 3 voters answers"), "the ring has its quorum: " + plan);
        TrialFailure.unless(
                bench.kube()
                        .batch()
                        .v1()
                        .jobs()
                        .inNamespace(bench.namespace())
                        .list()
                        .getItems()
                        .isEmpty(),
                "a Job is left");

        MemberAway.cordon(bench, false);
        bench.git().remove("approvals/" + ring + ".yaml");
        bench.converge(ring, SIZE);
        TrialFailure.unlessSame("the members of " + ring, SIZE, LiveRing.demandAlike(bench, ring));
        TrialFailure.unlessSame("the revision of " + ring, revision, LiveRing.revision(LiveRing.way(bench, ring)));
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    private static PodResource pod(Bench bench, String ring, int ordinal) {
        return bench.kube().pods().inNamespace(bench.namespace()).withName(ring + "-" + ordinal);
    }

    private static byte[] apart(Bench bench, String ring) {
        return new String(
                        bench.document(
                                ring,
                                SIZE,
                                bench.options().version(),
                                bench.users().tls()),
                        StandardCharsets.UTF_8)
                .replace(
                        "  podTemplate:\n",
                        "  podTemplate:\n"
                                + "    affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                                + " [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels:"
                                + " {app.kubernetes.io/instance: " + ring + "}}}]}}\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] approval(Bench bench) throws Exception {
        return bench.tool()
                .demand(0, "approve", "--by", "the trial", "--reason", "what is there")
                .stdout()
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String plan(Bench bench) {
        try {
            var run = bench.tool().start("plan");
            run.exit();
            return run.stdout();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Long> told(String plan, String ring) {
        var told = new TreeMap<String, Long>();
        var found = Pattern.compile("volume of (" + ring + "-\\d): at least\\s+revision (\\d+)")
                .matcher(plan);
        while (found.find()) {
            told.put(found.group(1), Long.parseLong(found.group(2)));
        }
        return told;
    }
}
