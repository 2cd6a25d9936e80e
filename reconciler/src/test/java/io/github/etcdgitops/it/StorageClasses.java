package io.github.etcdgitops.it;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// Storage classes of a namespace's own, by whoever provisions the default one. Where nobody makes
/// volumes of another class, or makes them larger, this does, after having left some time to whoever is
/// there: its volumes are folders of this machine, which must then be the cluster's own.
public final class StorageClasses implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);
    private static final long LONG_PATIENCE = TimeUnit.SECONDS.toNanos(5);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    private final KubernetesClient kube;
    private final String namespace;
    private final Path folder;
    private final Set<String> volumes = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> since = new ConcurrentHashMap<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /// Volumes are kept in `folder`, which whoever runs in their pods must get to.
    public StorageClasses(KubernetesClient kube, String namespace, Path folder) {
        this.kube = kube;
        this.namespace = namespace;
        this.folder = folder;
        create(growing(), true);
        create(fixed(), false);
        clock.scheduleWithFixedDelay(this::look, 200, 200, TimeUnit.MILLISECONDS);
    }

    /// Its volumes can be made larger.
    public String growing() {
        return namespace + "-grows";
    }

    /// Its volumes stay as they are.
    public String fixed() {
        return namespace + "-stays";
    }

    private void create(String name, boolean grows) {
        var classes = kube.storage().v1().storageClasses();
        String provisioner = classes.list().getItems().stream()
                .filter(StorageClasses::isDefault)
                .map(StorageClass::getProvisioner)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("this Kubernetes has no default StorageClass"));
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

    private void look() {
        try {
            var claims =
                    kube.persistentVolumeClaims().inNamespace(namespace).list().getItems();
            provision(claims);
            resize(claims);
        } catch (KubernetesClientException | IOException e) {
            System.err.println("playing the provisioner: " + e.getMessage());
        }
    }

    private void provision(List<PersistentVolumeClaim> claims) throws IOException {
        for (var claim : claims) {
            String uid = claim.getMetadata().getUid();
            if (!"Pending".equals(claim.getStatus().getPhase()) || volumes.contains(uid)) {
                continue;
            }
            if (System.nanoTime() - since.computeIfAbsent(uid, _ -> System.nanoTime()) > LONG_PATIENCE) {
                kube.resource(volume(claim, folder(uid))).create();
                volumes.add(uid);
            }
        }
    }

    private Path folder(String uid) throws IOException {
        var volume = Files.createDirectories(folder.resolve("volumes").resolve(uid));
        for (var path : List.of(folder, folder.resolve("volumes"), volume)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        return volume;
    }

    private static PersistentVolume volume(PersistentVolumeClaim claim, Path folder) {
        var meta = claim.getMetadata();
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName("grown-" + meta.getUid())
                .endMetadata()
                .withNewSpec()
                .withCapacity(claim.getSpec().getResources().getRequests())
                .withAccessModes(claim.getSpec().getAccessModes())
                .withStorageClassName(claim.getSpec().getStorageClassName())
                .withPersistentVolumeReclaimPolicy("Retain")
                .withNewClaimRef()
                .withNamespace(meta.getNamespace())
                .withName(meta.getName())
                .withUid(meta.getUid())
                .endClaimRef()
                .withNewHostPath(folder.toString(), "Directory")
                .endSpec()
                .build();
    }

    private void resize(List<PersistentVolumeClaim> claims) {
        for (var claim : claims) {
            String name = claim.getMetadata().getName();
            if (!isSmaller(claim)) {
                since.remove(name);
            } else if (System.nanoTime() - since.computeIfAbsent(name, _ -> System.nanoTime()) > PATIENCE) {
                String asked = claim.getSpec()
                        .getResources()
                        .getRequests()
                        .get("storage")
                        .toString();
                kube.persistentVolumeClaims()
                        .inNamespace(namespace)
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
        volumes.forEach(uid -> kube.persistentVolumes().withName("grown-" + uid).delete());
        kube.storage().v1().storageClasses().withName(growing()).delete();
        kube.storage().v1().storageClasses().withName(fixed()).delete();
    }
}
