package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The Job of a restore or a drill. The ring's own template decides where its pod may run: the volume is
/// created where the pod runs, and the member must be able to run there too.
public final class RestoreJobManifest {
    private static final long GRACE_SECONDS = 10;

    private RestoreJobManifest() {}

    /// `ephemeral`: whether the server supports volumes that are deleted with their pod.
    public static Job of(RestoreJob job, boolean ephemeral) {
        var frame = new OneRunJob(job.namespace(), job.name(), job.ring(), job.operation(), job.deadline());
        return frame.of(
                        template(job, frame.labels(), ephemeral),
                        Map.of(
                                Labels.INCARNATION,
                                job.target().incarnation(),
                                Labels.SHA256,
                                job.snapshot().digest().sha256()))
                .build();
    }

    private static PodTemplateSpec template(RestoreJob job, Map<String, String> labels, boolean ephemeral) {
        EtcdClusterSpec spec = job.ring().spec();
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(podLabels(spec, labels))
                .withAnnotations(new TreeMap<>(spec.podTemplate().annotations()))
                .endMetadata()
                .withNewSpecLike(Scheduling.of(spec))
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(GRACE_SECONDS)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withInitContainers(RestoreContainers.receive(job), RestoreContainers.restore(job))
                .withContainers(
                        switch (job.target()) {
                            case Target.Volume _ -> RestoreContainers.settle(job);
                            case Target.Scratch _ -> RestoreContainers.serve(job);
                        })
                .withVolumes(volume(job, ephemeral))
                .endSpec()
                .build();
    }

    /// A policy of the cluster may require the user's own labels; labels that select members are left out.
    static Map<String, String> podLabels(EtcdClusterSpec spec, Map<String, String> ours) {
        Map<String, String> labels = new TreeMap<>(spec.podTemplate().labels());
        Labels.of(spec.ref()).keySet().forEach(labels::remove);
        labels.remove(Labels.CLIENTS);
        labels.putAll(ours);
        return labels;
    }

    public static boolean wantsEphemeral(RestoreJob job) {
        return switch (job.target()) {
            case Target.Volume _ -> false;
            case Target.Scratch(String _, String _, Optional<String> storageClassName) -> storageClassName.isPresent();
        };
    }

    private static Volume volume(RestoreJob job, boolean ephemeral) {
        var volume = new VolumeBuilder().withName(PodPaths.DATA);
        return switch (job.target()) {
            case Target.Volume _ ->
                volume.withNewPersistentVolumeClaim()
                        .withClaimName(job.ring().spec().ref().claimName(0))
                        .endPersistentVolumeClaim()
                        .build();
            case Target.Scratch(String _, String _, Optional<String> storageClassName)
            when ephemeral && storageClassName.isPresent() -> ofClass(volume, job, storageClassName.get());
            case Target.Scratch _ -> volume.withNewEmptyDir().endEmptyDir().build();
        };
    }

    private static Volume ofClass(VolumeBuilder volume, RestoreJob job, String storageClassName) {
        return volume.withNewEphemeral()
                .withNewVolumeClaimTemplate()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName(storageClassName)
                .withNewResources()
                .withRequests(Map.of(
                        "storage", new Quantity(job.ring().spec().storage().size())))
                .endResources()
                .endSpec()
                .endVolumeClaimTemplate()
                .endEphemeral()
                .build();
    }
}
