package io.github.etcdgitops.trial.repair;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.github.etcdgitops.it.EtcdProcess;
import io.github.etcdgitops.trial.bench.Bench;
import io.github.etcdgitops.trial.bench.Figures;
import io.github.etcdgitops.trial.bench.Plans;
import io.github.etcdgitops.trial.bench.Trial;
import io.github.etcdgitops.trial.bench.TrialFailure;
import io.github.etcdgitops.trial.fault.Volumes;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Claims that are there before the ring: held, and neither replaced nor written to.
public final class ClaimsTrial implements Trial {
    private static final String LEFT = "left";
    private static final String BY_HAND = "byhand";

    @Override
    public String name() {
        return "claims";
    }

    @Override
    public void run(Bench bench, Figures figures) throws Exception {
        bench.bringTo(LEFT, 3);
        takeAwayAllButClaims(bench);
        claimByHand(bench);
        bench.ring(BY_HAND, 3);
        var before = fingerprint(bench);
        figures.put("claims", before.size());

        bench.tool().demand(0, "reconcile");
        var plan = bench.tool().planned("-o", "json").stdout();
        for (String ring : List.of(LEFT, BY_HAND)) {
            var planned = Plans.ring(plan, bench.namespace(), ring);
            figures.put(ring, planned.path("situation").asText());
            figures.put(ring + "Says", Plans.findings(planned));
            TrialFailure.unless(planned.path("situation").asText().equals("held"), "not held: " + planned);
        }
        TrialFailure.unless(
                bench.kube()
                        .apps()
                        .statefulSets()
                        .inNamespace(bench.namespace())
                        .list()
                        .getItems()
                        .isEmpty(),
                "a StatefulSet was made over old claims");
        TrialFailure.unless(before.equals(fingerprint(bench)), "claims or volumes changed");
    }

    private static void takeAwayAllButClaims(Bench bench) {
        bench.kube()
                .apps()
                .statefulSets()
                .inNamespace(bench.namespace())
                .withName(LEFT)
                .delete();
        bench.kube()
                .configMaps()
                .inNamespace(bench.namespace())
                .withLabel("etcdgitops.dev/cluster", LEFT)
                .delete();
        EtcdProcess.await(
                "the pods' end",
                Duration.ofMinutes(4),
                () -> bench.kube()
                        .pods()
                        .inNamespace(bench.namespace())
                        .list()
                        .getItems()
                        .isEmpty());
    }

    private static void claimByHand(Bench bench) throws Exception {
        bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .resource(new PersistentVolumeClaimBuilder()
                        .withNewMetadata()
                        .withName("data-" + BY_HAND + "-0")
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .withRequests(Map.of("storage", new Quantity("1Gi")))
                        .endResources()
                        .endSpec()
                        .build())
                .create();
        EtcdProcess.await(
                "the volume",
                Duration.ofMinutes(1),
                () -> "Bound"
                        .equals(bench.kube()
                                .persistentVolumeClaims()
                                .inNamespace(bench.namespace())
                                .withName("data-" + BY_HAND + "-0")
                                .get()
                                .getStatus()
                                .getPhase()));
        Files.writeString(Volumes.folder(bench, BY_HAND, 0).resolve("precious"), "somebody's data");
    }

    private static List<String> fingerprint(Bench bench) throws Exception {
        var lines = new ArrayList<String>();
        for (var claim : bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .list()
                .getItems()) {
            String name = claim.getMetadata().getName();
            int dash = name.lastIndexOf('-');
            var folder = Volumes.folder(
                    bench, name.substring("data-".length(), dash), Integer.parseInt(name.substring(dash + 1)));
            lines.add(name + " " + claim.getMetadata().getUid() + " " + Volumes.digest(folder));
        }
        return lines.stream().sorted().toList();
    }
}
