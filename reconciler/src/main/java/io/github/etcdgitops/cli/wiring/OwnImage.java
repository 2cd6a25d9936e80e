package io.github.etcdgitops.cli.wiring;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RestoreJobs;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The image for pods of restores and drills: our own, of this exact version unless an option names
/// another.
public final class OwnImage {
    private OwnImage() {}

    /// `option` is `--image`, or `ETCD_GITOPS_IMAGE`.
    public static String of(@Nullable String option, Map<String, String> environment, RestoreJobs jobs) {
        if (option != null && !option.isBlank()) {
            return option.strip();
        }
        String namespace = environment.getOrDefault("POD_NAMESPACE", "");
        String pod = environment.getOrDefault("POD_NAME", "");
        Optional<String> own = namespace.isEmpty() || pod.isEmpty() ? Optional.empty() : jobs.imageOf(namespace, pod);
        return own.orElseThrow(
                () -> new GatewayException(GatewayException.Kind.REJECTED, false, unknown(namespace, pod)));
    }

    private static String unknown(String namespace, String pod) {
        String why = namespace.isEmpty() || pod.isEmpty()
                ? "the pod of this process is unknown (POD_NAME and POD_NAMESPACE are not set)"
                : "the pod " + namespace + "/" + pod + " has several containers, and none of them is named"
                        + " etcd-gitops";
        return "restores and drills need the image of etcd-gitops, and " + why
                + ": set ETCD_GITOPS_IMAGE or --image to one that the nodes of the rings can pull";
    }
}
