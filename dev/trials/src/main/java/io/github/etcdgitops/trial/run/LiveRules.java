package io.github.etcdgitops.trial.run;

import io.github.etcdgitops.trial.backup.BackupPlace;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.RingMark;
import io.github.etcdgitops.trial.bench.Run;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.UpgradesTrial;
import java.time.Duration;
import java.util.List;

/// Rules that are about more than documents: whether there is a fresh backup, and what somebody has changed by hand.
final class LiveRules {
    private static final String POLICY = "policies/nightly.yaml";

    private final Bench bench;
    private final String ring;
    private final int size;

    LiveRules(Bench bench, String ring, int size) {
        this.bench = bench;
        this.ring = ring;
        this.size = size;
    }

    /// Where a policy keeps backups a roll has one taken before it, and not where the place cannot be read.
    void backedUp() throws Exception {
        var place = BackupPlace.directory("nightly", bench.folder().resolve("backups"));
        PoliciesTrial.commit(
                bench, "It is to be rolled", "clusters/" + ring + ".yaml", PoliciesTrial.document(bench, "c"));
        PoliciesTrial.policy(bench, "backup-freshness: {maxAge: 24h}");
        var away = new BackupPlace("nightly", place.folder(), "directory: {path: \"" + place.folder() + "-gone\"}");
        keeps(away);
        var mark = RingMark.of(bench, ring);
        var held = bench.tool().planned();
        UpgradesTrial.said(held, "held by backup-freshness");
        UpgradesTrial.said(held, "the stored backups could not be read");
        bench.tool().start("reconcile").exit();
        mark.demandUnchanged(bench, ring, "nobody knew whether there was a backup");

        keeps(place);
        PoliciesTrial.goes(bench, "a backup is taken before it");
        UpgradesTrial.said(bench.tool().planned(), "TakeBackup");
        UpgradesTrial.said(bench.tool().demand(0, "reconcile"), "RollMembers");
        bench.converge(ring, size);
        TrialFailure.unlessSame("the backups that were taken", 1, place.backups());
        bench.demandNothingToDo();
        bench.git().remove(POLICY);
    }

    private void keeps(BackupPlace place) throws Exception {
        PoliciesTrial.commit(bench, "Backups", POLICY, place.document(bench.namespace(), "  maxAge: 26h\n"));
    }

    /// By default it is corrected; left and told, left without a word, and corrected again where a policy says so.
    void changedByHand() throws Exception {
        PoliciesTrial.policy(bench, "secret-in-spec: {}");
        publishes(true);
        UpgradesTrial.said(bench.tool().planned(), "RepairObjects");

        drift("report");
        UpgradesTrial.said(
                left(), "was changed by hand at /spec/publishNotReadyAddresses, and the policy leaves it as it is");
        PoliciesTrial.exemption(bench, "drift-policy", PoliciesTrial.NOW.plus(Duration.ofDays(20)));
        UpgradesTrial.said(left(), "exempted by vendor");
        PoliciesTrial.exemption(bench, "drift-policy", PoliciesTrial.NOW.minus(Duration.ofDays(1)));
        UpgradesTrial.said(left(), " expired on");
        bench.git().remove("policies/exemption.yaml");
        drift("ignore");
        TrialFailure.unless(!left().stdout().contains("was changed by hand"), "what is ignored was told");
        refused();

        drift("correct");
        bench.tool().demand(0, "reconcile");
        TrialFailure.unless(!isPublishing(), "the client service was not corrected");
        bench.demandNothingToDo();
    }

    /// What safety hangs on is corrected in any case.
    private void refused() throws Exception {
        PoliciesTrial.policy(bench, "drift-policy: {fields: [{object: disruption-budget, mode: ignore}]}");
        var run = bench.tool().start("plan");
        TrialFailure.unlessSame("the exit code of a policy that leaves the budget", 10, run.exit());
        UpgradesTrial.said(run, "only-corrected");
    }

    private void drift(String mode) throws Exception {
        PoliciesTrial.policy(bench, "drift-policy: {fields: [{object: client-service, mode: " + mode + "}]}");
    }

    /// A run with nothing to do, and the Service as somebody has made it.
    private Run left() throws Exception {
        var plan = bench.tool().demand(0, "plan", "--detailed-exitcode");
        TrialFailure.unless(!plan.stdout().contains("RepairObjects"), "it was to be corrected: " + plan.stdout());
        for (int run : List.of(1, 2)) {
            bench.tool().demand(0, "reconcile");
            TrialFailure.unless(isPublishing(), "run " + run + " corrected what is to be left");
        }
        return plan;
    }

    private void publishes(boolean publishing) {
        bench.kube().services().inNamespace(bench.namespace()).withName(ring).edit(service -> {
            service.getSpec().setPublishNotReadyAddresses(publishing);
            return service;
        });
    }

    private boolean isPublishing() {
        return Boolean.TRUE.equals(bench.kube()
                .services()
                .inNamespace(bench.namespace())
                .withName(ring)
                .get()
                .getSpec()
                .getPublishNotReadyAddresses());
    }
}
