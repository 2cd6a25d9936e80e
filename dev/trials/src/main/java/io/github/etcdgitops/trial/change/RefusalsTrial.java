package io.github.etcdgitops.trial.change;

import io.fabric8.kubernetes.client.readiness.Readiness;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Exec;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.RingMark;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.MemberAway;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/// What a merge may ask for and does not get, each in its own words: a release that must not run, a way
/// back, smaller volumes, and an upgrade of a ring that has a learner, an alarm or a member that is away.
/// No member is touched by any of it; once the reason is gone, the upgrade is done.
public final class RefusalsTrial implements Trial {
    private static final String RING = "asked";
    private static final String HAS = "3.5.16";
    private static final String WANTED = "3.5.30";
    private static final String AWAY = RING + "-2";
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "refusals";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        UpgradesTrial.commit(bench, RING, 3, HAS, "");
        bench.converge(RING, 3);
        var mark = RingMark.of(bench, RING);
        UpgradesTrial.commit(bench, RING, 3, "3.5.1", "");
        UpgradesTrial.said(bench.tool().demand(10, "plan"), "can leave members with different data");
        refused(bench, mark, "3.4.23", "cannot be downgraded");
        smaller(bench, mark);
        learner(bench, mark);
        alarm(bench, mark);
        away(bench);
        together(bench, figures);
        LiveRing.demandAlike(bench, RING);
    }

    /// Said by the plan, and a run leaves the ring alone.
    private static void refused(Bench bench, RingMark mark, String version, String reason) throws Exception {
        UpgradesTrial.commit(bench, RING, 3, version, "");
        UpgradesTrial.said(bench.tool().planned(), reason);
        bench.tool().start("reconcile").exit();
        mark.demandUnchanged(bench, RING, "being asked for " + version + " (" + reason + ")");
    }

    private static void smaller(Bench bench, RingMark mark) throws Exception {
        var document = new String(bench.document(RING, 3, HAS, ""), StandardCharsets.UTF_8)
                .replace("size: 1Gi", "size: 512Mi");
        bench.git()
                .commit(
                        "Smaller volumes",
                        Map.of("clusters/" + RING + ".yaml", document.getBytes(StandardCharsets.UTF_8)));
        UpgradesTrial.said(bench.tool().planned(), "a volume never shrinks");
        bench.tool().start("reconcile").exit();
        mark.demandUnchanged(bench, RING, "being asked for smaller volumes");
    }

    /// Somebody begins to add a member by hand, and thinks better of it.
    private static void learner(Bench bench, RingMark mark) throws Exception {
        var ctl = new Exec(bench, RING + "-0");
        var said = ctl.run("etcdctl", "member", "add", "ghost", "--learner", "--peer-urls=http://ghost.invalid:2380");
        String id = said.lines()
                .filter(l -> l.startsWith("Member "))
                .findFirst()
                .orElseThrow(() -> new TrialFailure("no member was added: " + said))
                .split(" ")[1];
        UpgradesTrial.commit(bench, RING, 3, WANTED, "");
        var plan = bench.tool().planned();
        TrialFailure.unless(!plan.stdout().contains("Restart " + RING), "the plan restarts members beside a learner");
        UpgradesTrial.said(plan, "ghost.invalid:2380 is no pod of this ring");
        bench.tool().start("reconcile").exit();
        ctl.run("etcdctl", "member", "remove", id);
        mark.demandUnchanged(bench, RING, "an upgrade beside a learner");
    }

    /// As etcd raises it itself where the quota is reached.
    private static void alarm(Bench bench, RingMark mark) throws Exception {
        new Members(bench, RING).alarm("ACTIVATE");
        try {
            refused(bench, mark, WANTED, "NOSPACE");
        } finally {
            new Members(bench, RING).alarm("DEACTIVATE");
        }
    }

    /// In a sandbox it is cut off from the others; elsewhere its pod finds no machine.
    private static void away(Bench bench) throws Exception {
        boolean sandbox = bench.options().sandbox().isPresent();
        if (sandbox) {
            bench.sandbox().make("isolate", bench.namespace() + "/" + AWAY);
        } else {
            MemberAway.cordon(bench, true);
            bench.kube().pods().inNamespace(bench.namespace()).withName(AWAY).delete();
        }
        try {
            EtcdProcess.await("a member that is away", PATIENCE, () -> healthy(bench) < 3);
            var plan = bench.tool().planned();
            UpgradesTrial.said(plan, "not green");
            TrialFailure.unless(
                    !plan.stdout().contains("Restart " + RING), "the plan restarts members of two that are left");
            bench.tool().start("reconcile").exit();
            TrialFailure.unless(healthy(bench) == 2, "another member went away");
        } finally {
            if (sandbox) {
                bench.sandbox().make("heal", bench.namespace() + "/" + AWAY);
            } else {
                MemberAway.cordon(bench, false);
            }
        }
        EtcdProcess.await("all three again", PATIENCE, () -> healthy(bench) == 3 && ready(bench) == 3);
    }

    private static long healthy(Bench bench) {
        var members = new Members(bench, RING);
        return members.pods().stream()
                .map(pod -> pod.getStatus().getPodIP())
                .filter(ip -> ip != null && members.healthy(ip).isPresent())
                .count();
    }

    private static long ready(Bench bench) {
        return new Members(bench, RING)
                .pods().stream().filter(Readiness::isPodReady).count();
    }

    /// Two changes that both restart members: one chain, one after the other.
    private static void together(Bench bench, Figures figures) throws Exception {
        UpgradesTrial.commit(bench, RING, 3, WANTED, "etcd: {snapshotCount: 20000}\n");
        var ring = Plans.ring(bench.tool().planned("-o", "json").stdout(), bench.namespace(), RING);
        TrialFailure.unless(
                Plans.operations(ring, "RollMembers").size() == 1
                        && Plans.operations(ring, "UpgradeVersion").size() == 1,
                "options and version are not one roll and one upgrade: " + ring.path("operations"));
        bench.converge(RING, 3);
        bench.demandNothingToDo();
        figures.put("versions", new Members(bench, RING).versions());
    }
}
