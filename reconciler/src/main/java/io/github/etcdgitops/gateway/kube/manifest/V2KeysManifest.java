package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RestoreJobs.V2KeysJob;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.ring.roll.v2.V2Data;
import java.util.List;
import java.util.Map;

/// The Job that looks for keys of etcd's v2 API on a member's volume. Its only container is the ring's own etcd image,
/// whose `etcdutl` reads the member's data while the member runs. The mount is read-only: `etcdutl` removes files that
/// look left over, where it can.
public final class V2KeysManifest {
    public static final String KEYS = V2Data.LOOKING;

    private V2KeysManifest() {}

    public static ObjectNode of(V2KeysJob job) {
        var annotations = Map.of(Labels.INCARNATION, job.incarnation(), Labels.OPERATION, job.operation());
        return new JobManifest(job.ring(), job.namespace(), job.name())
                .render(
                        annotations,
                        InspectionManifest.onceAndGone(job.deadline()),
                        RoomManifest.beside(job.ring(), job.room(), keys(job)));
    }

    private static JsonObject keys(V2KeysJob job) {
        return PodManifest.container(KEYS, PodManifest.image(job.ring()))
                .put("imagePullPolicy", PodManifest.pullPolicy(job.ring()))
                .put("resources", RoomManifest.resources(job.ring()).json())
                .put("terminationMessagePolicy", "FallbackToLogsOnError")
                .texts("command", List.of(RestoreContainers.ETCDUTL))
                .texts(
                        "args",
                        List.of(
                                "check",
                                "v2store",
                                "--data-dir=" + InspectionManifest.KEPT_PATH + "/" + job.incarnation()));
    }
}
