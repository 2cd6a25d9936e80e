package io.github.etcdgitops.trial.repair;

import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.backup.DeletionTrial;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Command;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.UpgradesTrial;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The reconciler alone cannot reach the members, all of them or some, while the ring is well and its client writes.
/// Whatever may be done unasked, nothing is done: not even where a claim is lost besides, and by no run is the ring
/// taken for one without a quorum. Needs root, iptables and setpriv.
public final class CutOffTrial implements Trial {
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final String UNASKED = "repair: {volumes: automatic, members: automatic, space: automatic}\n";

    /// Nobody else on the machine has this group.
    private static final String GROUP = "64501";

    @Override
    public String name() {
        return "cut-off";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            String ring = "far" + size;
            VolumesTrial.commit(bench, ring, size, UNASKED);
            bench.converge(ring, size);
            var load = bench.load(ring);
            try {
                for (String how : List.of("DROP", "REJECT")) {
                    from(bench, ring, size, how);
                }
                lostMeanwhile(bench, ring, size);
            } finally {
                Bench.demand(load.stop(), figures, "of" + size + ".");
            }
            bench.demandNothingToDo();
            TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
            bench.git().remove("clusters/" + ring + ".yaml");
            bench.erase(ring);
        }
    }

    /// From one member, from a majority, from all.
    private static void from(Bench bench, String ring, int size, String how) throws Exception {
        for (int count : List.of(1, size / 2 + 1, size)) {
            String before = state(bench, ring);
            cut(bench, ring, how, count, () -> {
                for (int run = 0; run < 2; run++) {
                    away(bench, "reconcile");
                }
                String findings = findings(bench, ring);
                TrialFailure.unless(!findings.contains("quorum-lost"), "a quorum is missed that is there: " + findings);
                TrialFailure.unless(
                        findings.contains(count < size ? ring + "-0" : "ring-unknown"), "nobody is told: " + findings);
            });
            TrialFailure.unlessSame(ring + " after runs that did not reach " + count, before, state(bench, ring));
        }
    }

    private static void lostMeanwhile(Bench bench, String ring, int size) throws Exception {
        var loss = new VolumeLoss(bench, ring);
        cut(bench, ring, "DROP", size, () -> {
            loss.lose(1);
            String before = claims(bench, ring) + members(bench, ring);
            for (int run = 0; run < 2; run++) {
                away(bench, "reconcile");
            }
            TrialFailure.unlessSame(ring + " with a lost volume", before, claims(bench, ring) + members(bench, ring));
        });
        UpgradesTrial.said(bench.tool().start("reconcile"), "ResetVolume");
        bench.converge(ring, size);
    }

    /// The first `count` members cannot be reached by runs of the group.
    private static void cut(Bench bench, String ring, String how, int count, Figures.Act meanwhile) throws Exception {
        var rules = new ArrayList<List<String>>();
        for (int ordinal = 0; ordinal < count; ordinal++) {
            String address = bench.kube()
                    .pods()
                    .inNamespace(bench.namespace())
                    .withName(ring + "-" + ordinal)
                    .get()
                    .getStatus()
                    .getPodIP();
            rules.add(List.of("OUTPUT", "-p", "tcp", "-d", address, "-m", "owner", "--gid-owner", GROUP, "-j", how));
        }
        try {
            for (var rule : rules) {
                iptables(bench, "-I", rule);
            }
            meanwhile.run();
        } finally {
            for (var rule : rules) {
                iptables(bench, "-D", rule);
            }
        }
    }

    private static void iptables(Bench bench, String what, List<String> rule) throws Exception {
        var line = new ArrayList<>(List.of("iptables", "-w", what));
        line.addAll(rule);
        Command.run(bench.folder(), line.toArray(String[]::new));
    }

    /// By the address alone: through a port-forward it would come there all the same.
    private static Run away(Bench bench, String command, String... more) throws IOException {
        var words = new ArrayList<>(List.of("--member-access", "pod-ip"));
        words.addAll(List.of(more));
        var run = bench.tool()
                .start(
                        List.of("setpriv", "--regid=" + GROUP, "--clear-groups"),
                        Map.of(),
                        command,
                        words.toArray(String[]::new));
        run.exit();
        return run;
    }

    private static String findings(Bench bench, String ring) {
        try {
            return Plans.findings(Plans.ring(away(bench, "plan", "-o", "json").stdout(), bench.namespace(), ring));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String state(Bench bench, String ring) {
        var set = bench.kube()
                .apps()
                .statefulSets()
                .inNamespace(bench.namespace())
                .withName(ring)
                .get();
        var journal = bench.kube()
                .configMaps()
                .inNamespace(bench.namespace())
                .withName(ring + "-journal")
                .get();
        return set.getMetadata().getGeneration() + "\n" + journal.getData() + "\n" + claims(bench, ring) + "\n"
                + members(bench, ring) + "\n" + new VolumeLoss(bench, ring).processesBut(-1);
    }

    private static String members(Bench bench, String ring) {
        var members = new Members(bench, ring);
        EtcdProcess.await("a member list", LONG, () -> members.list().isPresent());
        return members.list().orElseThrow().stream().sorted().toList().toString();
    }

    private static List<String> claims(Bench bench, String ring) {
        return DeletionTrial.claims(bench, ring);
    }
}
