package io.github.etcdgitops.trial;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Storage classes of a trial's own, by whoever provisions the default one. Where nobody makes their
/// volumes larger, this does what a resizer would, after having left a second to one that is there.
final class StorageClasses implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final Bench bench;
    private final Map<String, Long> since = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    StorageClasses(Bench bench) {
        this.bench = bench;
        create(growing(), true);
        create(fixed(), false);
        clock.scheduleWithFixedDelay(this::resize, 200, 200, TimeUnit.MILLISECONDS);
    }

    /// Its volumes can be made larger.
    String growing() {
        return bench.namespace() + "-grows";
    }

    /// Its volumes stay as they are.
    String fixed() {
        return bench.namespace() + "-stays";
    }

    private void create(String name, boolean grows) {
        var classes = bench.kube().storage().v1().storageClasses();
        String provisioner = classes.list().getItems().stream()
                .filter(StorageClasses::isDefault)
                .map(StorageClass::getProvisioner)
                .findFirst()
                .orElseThrow(() -> new TrialFailure("this Kubernetes has no default StorageClass"));
        classes.resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withProvisioner(provisioner)
                        .withReclaimPolicy("Delete")
                        .withAllowVolumeExpansion(grows)
                        .build())
                .create();
    }

    private static boolean isDefault(StorageClass found) {
        var annotations = found.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get("storageclass.kubernetes.io/is-default-class"));
    }

    private void resize() {
        for (var claim : bench.kube()
                .persistentVolumeClaims()
                .inNamespace(bench.namespace())
                .list()
                .getItems()) {
            String name = claim.getMetadata().getName();
            if (!isSmaller(claim)) {
                since.remove(name);
            } else if (System.nanoTime() - since.computeIfAbsent(name, _ -> System.nanoTime()) > PATIENCE) {
                String asked = claim.getSpec()
                        .getResources()
                        .getRequests()
                        .get("storage")
                        .toString();
                bench.kube()
                        .persistentVolumeClaims()
                        .inNamespace(bench.namespace())
                        .withName(name)
                        .subresource("status")
                        .patch(MERGE, "{\"status\": {\"capacity\": {\"storage\": \"" + asked + "\"}}}");
            }
        }
    }

    private static boolean isSmaller(PersistentVolumeClaim claim) {
        var has = claim.getStatus().getCapacity();
        return has != null
                && has.get("storage") != null
                && has.get("storage")
                                .getNumericalAmount()
                                .compareTo(claim.getSpec()
                                        .getResources()
                                        .getRequests()
                                        .get("storage")
                                        .getNumericalAmount())
                        < 0;
    }

    @Override
    public void close() {
        clock.shutdownNow();
        bench.kube().storage().v1().storageClasses().withName(growing()).delete();
        bench.kube().storage().v1().storageClasses().withName(fixed()).delete();
    }
}
