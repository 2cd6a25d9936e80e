package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/// A Job for a ring that runs one pod once: a second pod never starts after a failure, nor, where the server
/// supports that, while the first may still run.
record OneRunJob(String namespace, String name, RingObjects ring, String operation, Duration deadline) {
    Map<String, String> labels() {
        return Metadata.sorted(Labels.ofJob(ring.spec().ref(), name));
    }

    /// `remarks` are annotations beside those that every Job has.
    JobBuilder of(PodTemplateSpec template, Map<String, String> remarks) {
        var annotations = new TreeMap<>(remarks);
        annotations.put(Labels.EPOCH, Long.toString(ring.epoch()));
        annotations.put(Labels.OPERATION, operation);
        return new JobBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .withLabels(labels())
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withParallelism(1)
                .withCompletions(1)
                .withBackoffLimit(0)
                .withActiveDeadlineSeconds(deadline.toSeconds())
                .withPodReplacementPolicy("Failed")
                .withTemplate(template)
                .endSpec();
    }

    /// The same for a Job that the server deletes this long after it has ended.
    Job of(PodTemplateSpec template, Map<String, String> remarks, int keptSeconds) {
        return of(template, remarks)
                .editSpec()
                .withTtlSecondsAfterFinished(keptSeconds)
                .endSpec()
                .build();
    }
}
