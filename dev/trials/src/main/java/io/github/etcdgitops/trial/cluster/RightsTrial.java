package io.github.etcdgitops.trial.cluster;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.VolumeNodeAffinity;
import io.fabric8.kubernetes.api.model.VolumeNodeAffinityBuilder;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.it.StorageClasses;
import io.github.etcdgitops.trial.backup.BackupPlace;
import io.github.etcdgitops.trial.backup.DeletionTrial;
import io.github.etcdgitops.trial.backup.RestoreDocuments;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Tool;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.change.GrowTrial;
import io.github.etcdgitops.trial.change.UpgradesTrial;
import io.github.etcdgitops.trial.fault.MemberAway;
import io.github.etcdgitops.trial.fault.VolumeLoss;
import io.github.etcdgitops.trial.fence.Rights;
import io.github.etcdgitops.trial.repair.VolumesTrial;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// A ring's life with everything in it that a right is asked for. No request is without one, a dry run
/// needs the planner's alone, and no right is asked for that is not made use of.
public final class RightsTrial implements Trial {
    private static final String RING = "rights";
    private static final int HELD = 20;

    @Override
    public String name() {
        return "rights";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.ring(RING, 1);
        var dry = bench.tool().demand(0, "reconcile", "--dry-run", "--member-access", "port-forward");
        Rights.demandPlanner(List.of(Tool.metrics(dry)));
        bench.converge(RING, 1, "--member-access", "port-forward");
        bench.bringTo(RING, 3);
        bench.bringTo(RING, 1);
        spoil(bench);
        bench.bringTo(RING, 3);
        drain(bench);
        replace(bench);
        restore(bench);
        takeBack(bench);
        refusedByQuota(bench, figures);
        grow(bench);
        goAndComeBack(bench);
        bench.ring(RING, 1);
        var dryAgain = bench.tool().demand(0, "reconcile", "--dry-run");
        Rights.demandPlanner(List.of(Tool.metrics(dryAgain)));
        var unused = Rights.unused(bench.tool().allMetrics());
        if (bench.options().sandbox().isPresent()) {
            // Events are read about a pod that nobody creates, which is refused by a quota for certain, and otherwise
            // about one that starts slowly.
            unused.remove("list events");
        }
        figures.put("unused", unused);
        TrialFailure.unless(unused.isEmpty(), "rights that nothing made use of: " + unused);
    }

    /// A pod cannot be placed, because the machine that alone has its volume takes none.
    private static void drain(Bench bench) throws Exception {
        var kube = bench.kube();
        var pod = kube.pods().inNamespace(bench.namespace()).withName(RING + "-2");
        String machine = pod.get().getSpec().getNodeName();
        String volume = kube.persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .withName("data-" + RING + "-2")
                .get()
                .getSpec()
                .getVolumeName();
        kube.persistentVolumes().withName(volume).edit(found -> {
            if (found.getSpec().getNodeAffinity() == null) {
                found.getSpec().setNodeAffinity(alone(machine));
            }
            return found;
        });
        MemberAway.cordon(bench, true);
        try {
            pod.delete();
            EtcdProcess.await("a pod that cannot be placed", Duration.ofMinutes(2), () -> {
                var next = pod.get();
                return next != null
                        && next.getMetadata().getDeletionTimestamp() == null
                        && next.getSpec().getNodeName() == null;
            });
            bench.tool().start("reconcile", "--dry-run").exit();
        } finally {
            MemberAway.cordon(bench, false);
        }
        bench.converge(RING, 3);
    }

    private static VolumeNodeAffinity alone(String machine) {
        return new VolumeNodeAffinityBuilder()
                .withNewRequired()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("kubernetes.io/hostname")
                .withOperator("In")
                .withValues(machine)
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequired()
                .build();
    }

    /// A claim is given up, and its member's place given to another one.
    private static void replace(Bench bench) throws Exception {
        VolumesTrial.commit(bench, RING, 3, VolumesTrial.BY_ITSELF);
        new VolumeLoss(bench, RING).lose(2);
        bench.converge(RING, 3);
    }

    /// Another ring begins with a backup of this one, which takes a claim and a Job.
    private static void restore(Bench bench) throws Exception {
        bench.tool().environment("ETCD_GITOPS_IMAGE", bench.options().image().orElse("etcd-gitops:sandbox"));
        var place = BackupPlace.directory("directory", bench.folder().resolve("backups"));
        bench.git()
                .commit(
                        "Backups",
                        Map.of("policies/directory.yaml", place.document(bench.namespace(), "  every: 24h\n")));
        bench.tool().demand(0, "reconcile");
        bench.git()
                .commit(
                        "A ring that begins with a backup",
                        Map.of(
                                "clusters/again.yaml",
                                bench.document("again", 1),
                                "clusters/again-restore.yaml",
                                new RestoreDocuments(bench).restore("again", place.policy(), RING, "")));
        bench.converge("again", 1);
    }

    /// Nobody may make a pod: the founding ends early, with the words of Kubernetes. A sandbox has no quotas.
    private static void refusedByQuota(Bench bench, Figures figures) throws Exception {
        if (bench.options().sandbox().isPresent()) {
            return;
        }
        var quota = new ResourceQuotaBuilder()
                .withNewMetadata()
                .withName("no-pods")
                .withNamespace(bench.namespace())
                .endMetadata()
                .withNewSpec()
                .addToHard("pods", new Quantity("0"))
                .endSpec()
                .build();
        bench.kube().resource(quota).create();
        bench.ring("refused", 1);
        figures.timed(
                "refusedByQuota",
                () -> UpgradesTrial.said(bench.tool().demand(HELD, "reconcile"), "exceeded quota: no-pods"));
        bench.kube().resource(quota).delete();
        bench.converge("refused", 1);
    }

    /// An upgrade to a release that nobody has made, and its way back.
    private static void takeBack(Bench bench) throws Exception {
        String none = bench.options().version().replaceAll("\\d+$", "99");
        UpgradesTrial.commit(bench, "again", 1, none, "");
        int exit = bench.tool().start("reconcile").exit();
        TrialFailure.unless(exit == 20, "an image that is not there ended with " + exit);
        UpgradesTrial.commit(bench, "again", 1, bench.options().version(), "");
        bench.tool().demand(0, "reconcile");
        TrialFailure.unless(bench.isAtRest("again", 1), "the upgrade was not taken back");
    }

    /// Which takes a class, and a StatefulSet that is made anew.
    private static void grow(Bench bench) throws Exception {
        try (var classes = new StorageClasses(bench.kube(), bench.namespace(), bench.folder())) {
            GrowTrial.commit(bench, "larger", 1, GrowTrial.storage("1Gi", classes.growing()), "400000000");
            bench.converge("larger", 1);
            GrowTrial.commit(bench, "larger", 1, GrowTrial.storage("2Gi", classes.growing()), "400000000");
            bench.tool().demand(0, "reconcile");
        }
    }

    /// Which takes away what surrounds the members.
    private static void goAndComeBack(Bench bench) throws Exception {
        bench.git().remove("clusters/" + RING + ".yaml");
        DeletionTrial.mourn(bench, RING);
        bench.tool().demand(0, "reconcile");
        DeletionTrial.comeBack(bench, RING, 3);
        bench.converge(RING, 3);
    }

    /// Somebody changes objects by hand.
    private static void spoil(Bench bench) {
        var kube = bench.kube();
        kube.services().inNamespace(bench.namespace()).withName(RING).edit(service -> {
            service.getSpec().setPublishNotReadyAddresses(true);
            return service;
        });
        kube.network()
                .v1()
                .networkPolicies()
                .inNamespace(bench.namespace())
                .withName(RING)
                .edit(policy -> {
                    policy.getSpec().setIngress(List.of());
                    return policy;
                });
    }
}
