package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RestoreJobs.Room;
import io.github.etcdgitops.gateway.RestoreJobs.RoomJob;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The Job that checks the room on a member's volume. It mounts the volume beside the member and cannot
/// write to it. Its result also proves that the node works, that the volume can be mounted there, and that
/// our image can be pulled there.
public final class RoomManifest {
    public static final String ROOM = "room";

    /// The member's own resources are in use while it runs: more than this may not be free on its node.
    private static final Map<String, String> ASKED = Map.of("memory", "32Mi", "cpu", "10m");

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

    public static ObjectNode of(RoomJob job) {
        var pod = beside(job.ring(), job.room(), room(job));
        return new JobManifest(job.ring(), job.namespace(), job.name())
                .render(Map.of(Labels.OPERATION, job.operation()), InspectionManifest.onceAndGone(job.deadline()), pod);
    }

    private static JsonObject room(RoomJob job) {
        return InspectionManifest.ours(ROOM, job.image(), resources(job.ring()))
                .texts(
                        "args",
                        List.of(
                                ROOM,
                                "--dir=" + InspectionManifest.KEPT_PATH,
                                "--message=" + InspectionManifest.MESSAGE))
                .put("terminationMessagePath", InspectionManifest.MESSAGE);
    }

    /// A pod with one container, which reads a volume that a member may have open.
    static JsonObject beside(RingObjects ring, Room room, JsonObject container) {
        container.objects(
                "volumeMounts", List.of(PodManifest.readOnly(InspectionManifest.KEPT, InspectionManifest.KEPT_PATH)));
        return InspectionManifest.atVolume(ring, room.machine())
                .objects("containers", List.of(container))
                .objects("volumes", List.of(InspectionManifest.kept(room.claim())));
    }

    static ContainerResources resources(RingObjects ring) {
        var modest = InspectionManifest.modest(ring);
        return new ContainerResources(modest.with(ASKED::getOrDefault).requests(), modest.limits());
    }
}
