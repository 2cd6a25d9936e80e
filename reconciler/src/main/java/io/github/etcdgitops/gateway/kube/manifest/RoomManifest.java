package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.etcdgitops.gateway.RestoreJobs.RoomJob;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/// The Job that checks the room on a member's volume. It mounts the volume beside the member and cannot
/// write to it. Its result also proves that the node works, that the volume can be mounted there, and that
/// our image can be pulled there.
public final class RoomManifest {
    public static final String ROOM = "room";

    /// The member's own resources are in use while it runs: more than this may not be free on its node.
    private static final Map<String, Quantity> ASKED =
            Map.of("memory", new Quantity("32Mi"), "cpu", new Quantity("10m"));

    private RoomManifest() {}

    /// The result of [#ROOM]; empty where the text is not ours.
    public static OptionalLong told(String message) {
        try {
            JsonNode free = Optional.ofNullable(CanonicalJson.MAPPER.readTree(message))
                    .map(told -> told.path("free"))
                    .filter(n -> n.isIntegralNumber() && n.canConvertToLong())
                    .orElse(null);
            return free == null ? OptionalLong.empty() : OptionalLong.of(free.asLong());
        } catch (JsonProcessingException _) {
            return OptionalLong.empty();
        }
    }

    public static Job of(RoomJob job) {
        var frame = new OneRunJob(job.namespace(), job.name(), job.ring(), job.operation(), job.deadline());
        return frame.of(template(job, frame.labels()), Map.of(), InspectionManifest.KEPT_SECONDS);
    }

    private static PodTemplateSpec template(RoomJob job, Map<String, String> labels) {
        var spec = job.ring().spec();
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(RestoreJobManifest.podLabels(spec, labels))
                .withAnnotations(new TreeMap<>(spec.podTemplate().annotations()))
                .endMetadata()
                .withNewSpecLike(scheduling(job))
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(InspectionManifest.GRACE_SECONDS)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withDnsPolicy("None")
                .withNewDnsConfig()
                .withNameservers(InspectionManifest.HERE)
                .endDnsConfig()
                .withContainers(room(job))
                .withVolumes(InspectionManifest.kept(job.room().claim()))
                .endSpec()
                .build();
    }

    private static PodSpec scheduling(RoomJob job) {
        PodSpec pod = Scheduling.atVolume(job.ring().spec());
        job.room().machine().ifPresent(machine -> pod.setAffinity(Scheduling.on(machine)));
        return pod;
    }

    private static Container room(RoomJob job) {
        var container = InspectionManifest.ours(ROOM, job.image(), job.ring().spec())
                .withArgs(ROOM, "--dir=" + InspectionManifest.KEPT_PATH, "--message=" + InspectionManifest.MESSAGE)
                .withTerminationMessagePath(InspectionManifest.MESSAGE)
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .addToVolumeMounts(InspectionManifest.readOnly())
                .build();
        var requests = container.getResources().getRequests();
        if (requests != null) {
            requests.replaceAll((kind, amount) -> ASKED.getOrDefault(kind, amount));
        }
        return container;
    }
}
