package io.github.etcdgitops.trial.repair;

import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Cuts;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.LiveRing;
import io.github.etcdgitops.trial.bench.Members;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.UpgradesTrial;
import io.github.etcdgitops.trial.fault.MemberAway;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import io.github.etcdgitops.trial.watch.JournalTries;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A ring under a client loses a member's volume, and the member comes back on a new one without any of
/// its siblings having been restarted: whichever it is, when the new volume is lost as well, and wherever
/// the run is killed. Of five, two may be lost at once; three are held then.
public final class VolumesTrial implements Trial {
    public static final String BY_ITSELF = "repair:\n  volumes: automatic\n";
    private static final List<Integer> QUICK = List.of(8, 10, 18);

    @Override
    public String name() {
        return "volumes";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        for (int size : bench.options().sizes()) {
            mended(bench, size, figures);
        }
        held(bench);
    }

    private static void mended(Bench bench, int size, Figures figures) throws Exception {
        String ring = "lost" + size;
        String prefix = "of" + size + ".";
        commit(bench, ring, size, BY_ITSELF);
        bench.converge(ring, size);
        var loss = new VolumeLoss(bench, ring);
        var load = bench.load(ring);
        try {
            for (int ordinal : List.of(0, size - 1)) {
                figures.timed(prefix + "member" + ordinal, () -> alone(loss, ordinal, () -> demandMended(bench, ring)));
            }
            alone(loss, 1, () -> {
                new Cuts(bench).cut(18);
                loss.lose(1);
                bench.converge(ring, size);
            });
            deleted(bench, loss, size);
            asked(bench, loss, size);
            oneMore(bench, loss, size);
            figures.put(prefix + "killedAt", killed(bench, loss, size));
            if (size > 3) {
                loss.lose(1);
                loss.lose(3);
                bench.converge(ring, size);
            }
        } finally {
            Bench.demand(load.stop(), figures, prefix);
        }
        bench.demandNothingToDo();
        TrialFailure.unlessSame("the members of " + ring, size, LiveRing.demandAlike(bench, ring));
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    /// Claims that somebody deletes: under a member that serves, together with its pod, and where something
    /// holds on to the claim. Whatever holds on to it, the ring writes on.
    private static void deleted(Bench bench, VolumeLoss loss, int size) throws Exception {
        String ring = loss.ring();
        var siblings = loss.processesBut(1);
        loss.delete(1);
        demandMended(bench, ring);
        loss.exchange(1);
        demandMended(bench, ring);
        loss.holdOn(1, true);
        loss.delete(1);
        var run = bench.tool().start("reconcile");
        TrialFailure.unless(run.exit() != 0, "a claim that is held on to went all the same");
        UpgradesTrial.said(run, "data-" + ring + "-1 was not recreated yet");
        loss.holdOn(1, false);
        bench.converge(ring, size);
        TrialFailure.unlessSame("the siblings' processes", siblings, loss.processesBut(1));
    }

    /// A document gives up a volume that is there: once, however often it is read.
    private static void asked(Bench bench, VolumeLoss loss, int size) throws Exception {
        String ring = loss.ring();
        String claim = loss.uid(2);
        var siblings = loss.processesBut(2);
        new JournalTries(bench, ring).forget();
        String name = "clusters/" + ring + "-reset.yaml";
        bench.git().commit("a disk reports errors", Map.of(name, """
            apiVersion: etcdgitops.dev/v1alpha1
            kind: VolumeReset
            metadata:
              name: %s-disk
            spec:
              cluster: {namespace: %s, name: %s}
              ordinal: 2
              claimUid: %s
              reason: the trial says that its disk reports errors
            """.formatted(ring, bench.namespace(), ring, claim)
                .getBytes(StandardCharsets.UTF_8)));
        UpgradesTrial.said(bench.tool().demand(0, "reconcile"), "ResetVolume");
        bench.converge(ring, size);
        String another = loss.uid(2);
        TrialFailure.unless(!another.equals(claim), "the volume was not given up");
        UpgradesTrial.said(bench.tool().planned(), "has nothing to do");
        bench.tool().demand(0, "reconcile");
        TrialFailure.unlessSame("the claim once the document was carried out", another, loss.uid(2));
        TrialFailure.unlessSame("the siblings' processes", siblings, loss.processesBut(2));
        bench.git().remove(name);
    }

    /// Where another member is away a ring of three is left alone; of five whoever serves nobody any more may go, and
    /// all others stay.
    private static void oneMore(Bench bench, VolumeLoss loss, int size) throws Exception {
        String ring = loss.ring();
        var before = new Members(bench, ring).list().orElseThrow();
        new MemberAway(bench, ring).without(size - 1, () -> {
            loss.lose(1);
            for (int run = 0; run < 2; run++) {
                bench.tool().start("reconcile").exit();
            }
            var left = new Members(bench, ring).list().orElseThrow();
            var gone = before.stream()
                    .filter(member -> !left.contains(member))
                    .map(Members.Member::name)
                    .toList();
            TrialFailure.unless(
                    gone.isEmpty() || (size > 3 && gone.equals(List.of(ring + "-1"))),
                    "members left while another one was away: " + gone);
            TrialFailure.unless(left.size() + gone.size() == size, "somebody joined while a member was away");
        });
        bench.converge(ring, size);
        TrialFailure.unless(!loss.isLost(1), "the lost volume was not replaced once all were there");
    }

    /// Nobody else is restarted by what is done about the loss.
    private static void alone(VolumeLoss loss, int ordinal, Figures.Act mend) throws Exception {
        var siblings = loss.processesBut(ordinal);
        loss.lose(ordinal);
        mend.run();
        TrialFailure.unlessSame("the siblings' processes", siblings, loss.processesBut(ordinal));
    }

    private static void demandMended(Bench bench, String ring) throws Exception {
        var run = bench.tool().demand(0, "reconcile");
        UpgradesTrial.said(run, "ResetVolume");
        TrialFailure.unless(
                bench.tool().demand(0, "plan", "--detailed-exitcode").exit() == 0, ring + " is not mended");
    }

    /// At each boundary once, by a loss of its own.
    private static List<String> killed(Bench bench, VolumeLoss loss, int size) throws Exception {
        var cuts = new Cuts(bench);
        var where = new ArrayList<String>();
        for (int boundary = 1; ; boundary++) {
            if (bench.options().quick() && !QUICK.contains(boundary) && boundary <= QUICK.getLast()) {
                continue;
            }
            int at = boundary;
            var reached = new ArrayList<String>();
            alone(loss, boundary % size, () -> {
                cuts.cut(at).ifPresent(reached::add);
                bench.converge(loss.ring(), size);
            });
            where.addAll(reached);
            if (reached.isEmpty() || (bench.options().quick() && boundary >= QUICK.getLast())) {
                return where;
            }
        }
    }

    /// Of a ring of three with two volumes lost there is no majority, and nothing of it is touched.
    private static void held(Bench bench) throws Exception {
        String ring = "gone";
        commit(bench, ring, 3, BY_ITSELF);
        bench.converge(ring, 3);
        var loss = new VolumeLoss(bench, ring);
        loss.lose(0);
        loss.lose(1);
        for (int ordinal : List.of(0, 1)) {
            bench.kube()
                    .pods()
                    .inNamespace(bench.namespace())
                    .withName(ring + "-" + ordinal)
                    .delete();
        }
        var survivor = loss.processesBut(0).get(ring + "-2");
        for (int run = 0; run < 2; run++) {
            bench.tool().start("reconcile").exit();
        }
        TrialFailure.unlessSame(
                "the survivor's process", survivor, loss.processesBut(0).get(ring + "-2"));
        TrialFailure.unless(loss.isLost(0) && loss.isLost(1), "a claim was given up without a majority");
        bench.git().remove("clusters/" + ring + ".yaml");
        bench.erase(ring);
    }

    public static void commit(Bench bench, String ring, int size, String more) throws Exception {
        bench.git()
                .commit(
                        ring + " mends its volumes by itself",
                        Map.of(
                                "clusters/" + ring + ".yaml",
                                bench.document(ring, size, bench.options().version(), more)));
    }
}
