package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The Job of a restore or a drill. The ring's own template decides where its pod may run: the volume is
/// created where the pod runs, and the member must be able to run there too.
public final class RestoreJobManifest {
    private static final long GRACE_SECONDS = 10;

    private RestoreJobManifest() {}

    /// `ephemeral`: whether the server supports volumes that are deleted with their pod.
    public static ObjectNode of(RestoreJob job, boolean ephemeral) {
        var annotations = Map.of(
                Labels.INCARNATION, job.target().incarnation(),
                Labels.SHA256, job.snapshot().digest().sha256(),
                Labels.OPERATION, job.operation());
        var last = switch (job.target()) {
            case Target.Volume _ -> RestoreContainers.settle(job);
            case Target.Scratch _ -> RestoreContainers.serve(job);
        };
        var pod = Scheduling.of(job.ring().spec())
                .put("terminationGracePeriodSeconds", GRACE_SECONDS)
                .objects("hostAliases", hostAliases(job))
                .objects("initContainers", List.of(RestoreContainers.receive(job), RestoreContainers.restore(job)))
                .objects("containers", List.of(last))
                .objects("volumes", List.of(volume(job, ephemeral)));
        return new JobManifest(job.ring(), job.namespace(), job.name())
                .render(annotations, JobManifest.once(job.deadline()), pod);
    }

    public static boolean wantsEphemeral(RestoreJob job) {
        return switch (job.target()) {
            case Target.Volume _ -> false;
            case Target.Scratch(String _, String _, Optional<String> storageClassName) -> storageClassName.isPresent();
        };
    }

    /// The member's name, where the restore looks it up: no pod has it yet.
    private static List<JsonObject> hostAliases(RestoreJob job) {
        return switch (job.target()) {
            case Target.Volume(String _, String _, String peerUrl)
            when job.ring().applied().version().restoreLooksUpPeers() ->
                List.of(new JsonObject()
                        .put("ip", "127.0.0.1")
                        .texts("hostnames", List.of(URI.create(peerUrl).getHost())));
            case Target.Volume _, Target.Scratch _ -> List.of();
        };
    }

    private static JsonObject volume(RestoreJob job, boolean ephemeral) {
        var volume = PodManifest.volume(PodPaths.DATA);
        return switch (job.target()) {
            case Target.Volume _ ->
                volume.put(
                        "persistentVolumeClaim",
                        Map.of("claimName", job.ring().spec().ref().claimName(0)));
            case Target.Scratch(String _, String _, Optional<String> storageClassName)
            when ephemeral && storageClassName.isPresent() ->
                volume.put("ephemeral", new JsonObject().put("volumeClaimTemplate", claim(job, storageClassName)));
            case Target.Scratch _ -> volume.put("emptyDir", new JsonObject());
        };
    }

    private static JsonObject claim(RestoreJob job, Optional<String> storageClassName) {
        var volume = StatefulSetManifest.volume(job.ring().spec().storage().size());
        return new JsonObject().put("spec", volume.put("storageClassName", storageClassName));
    }
}
