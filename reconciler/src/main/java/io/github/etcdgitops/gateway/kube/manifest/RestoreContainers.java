package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.gateway.SnapshotReceiver;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The containers of a restore, in their order: receive, restore, and then settle or, for a drill, serve.
/// None of them has a shell, a secret or a token.
public final class RestoreContainers {
    public static final String RECEIVE = "receive";
    public static final String RESTORE = "restore";
    public static final String SETTLE = "settle";
    public static final String SERVE = "serve";

    private static final String ETCDUTL = "/usr/local/bin/etcdutl";
    private static final String DRILL = "drill";
    private static final String DRILL_PEER = "http://127.0.0.1:" + Ports.PEER;

    /// Large enough for any restored data: a smaller quota would raise an alarm on the copy.
    private static final String DRILL_QUOTA = Long.toString(16L * 1024 * 1024 * 1024);

    /// Our JVM needs this much, however small the ring's members are.
    private static final Quantity LEAST_MEMORY = new Quantity("256Mi");

    private RestoreContainers() {}

    static Container receive(RestoreJob job) {
        SnapshotDigest digest = job.snapshot().digest();
        return ours(RECEIVE, job)
                .withArgs(
                        "receive",
                        "--port=" + SnapshotReceiver.PORT,
                        "--size=" + digest.size(),
                        "--sha256=" + digest.sha256(),
                        "--file=" + file(job))
                .addNewPort()
                .withName(RECEIVE)
                .withContainerPort(SnapshotReceiver.PORT)
                .withProtocol("TCP")
                .endPort()
                .build();
    }

    static Container settle(RestoreJob job) {
        return ours(SETTLE, job)
                .withArgs("settle", "--file=" + file(job), "--data-dir=" + data(job))
                .build();
    }

    static Container restore(RestoreJob job) {
        EtcdVersion version = job.ring().applied().version();
        return etcd(RESTORE, job)
                .withCommand(version.hasEtcdutl() ? ETCDUTL : PodPaths.ETCDCTL, "snapshot", "restore", file(job))
                .withArgs(restoreArguments(job))
                .build();
    }

    private static List<String> restoreArguments(RestoreJob job) {
        var arguments = new ArrayList<String>();
        switch (job.target()) {
            case Target.Volume(String _, String token, String peerUrl) ->
                arguments.addAll(identity(job.ring().spec().ref().podName(0), peerUrl, token));
            case Target.Scratch(String _, String incarnation, var _) ->
                arguments.addAll(identity(DRILL, DRILL_PEER, incarnation));
        }
        arguments.add("--data-dir=" + data(job));
        if (job.snapshot().skipHashCheck()) {
            arguments.add("--skip-hash-check=true");
        }
        job.bumpRevision().ifPresent(by -> {
            arguments.add("--bump-revision=" + by);
            arguments.add("--mark-compacted=true");
        });
        return arguments;
    }

    private static List<String> identity(String name, String peerUrl, String token) {
        return List.of(
                "--name=" + name,
                "--initial-cluster=" + name + "=" + peerUrl,
                "--initial-cluster-token=" + token,
                "--initial-advertise-peer-urls=" + peerUrl);
    }

    /// Peers are on loopback: no member joins a drill.
    static Container serve(RestoreJob job) {
        return etcd(SERVE, job)
                .withCommand(PodPaths.ETCD)
                .withArgs(
                        "--name=" + DRILL,
                        "--data-dir=" + data(job),
                        "--listen-client-urls=http://0.0.0.0:" + Ports.CLIENT,
                        "--advertise-client-urls=http://127.0.0.1:" + Ports.CLIENT,
                        "--listen-peer-urls=" + DRILL_PEER,
                        "--initial-advertise-peer-urls=" + DRILL_PEER,
                        "--initial-cluster=" + DRILL + "=" + DRILL_PEER,
                        "--quota-backend-bytes=" + DRILL_QUOTA)
                .addNewPort()
                .withName(Ports.CLIENT_NAME)
                .withContainerPort(Ports.CLIENT)
                .withProtocol("TCP")
                .endPort()
                .build();
    }

    private static String file(RestoreJob job) {
        return PodPaths.DATA_PATH + "/.restore/" + job.target().incarnation() + ".db";
    }

    private static String data(RestoreJob job) {
        return PodPaths.DATA_PATH + "/" + job.target().incarnation();
    }

    private static ContainerBuilder ours(String name, RestoreJob job) {
        return container(name, job.image()).withImagePullPolicy("IfNotPresent").withResources(enough(resources(job)));
    }

    private static ContainerBuilder etcd(String name, RestoreJob job) {
        ResourceRequirements resources = resources(job);
        var image = job.ring().spec().server().image();
        return container(name, PodManifest.image(job.ring()))
                .withImagePullPolicy(image.pullPolicy().orElse("IfNotPresent"))
                .withEnv(ContainerResources.environment(job.ring().applied().version(), Transport.PLAIN, resources))
                .withResources(resources);
    }

    private static ContainerBuilder container(String name, String image) {
        return new ContainerBuilder()
                .withName(name)
                .withImage(image)
                .withSecurityContext(PodManifest.restricted())
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .addNewVolumeMount()
                .withName(PodPaths.DATA)
                .withMountPath(PodPaths.DATA_PATH)
                .endVolumeMount();
    }

    private static ResourceRequirements resources(RestoreJob job) {
        return ContainerResources.of(job.ring().spec().podTemplate().resources());
    }

    /// A namespace with a quota requires the same kinds of values from every container.
    private static ResourceRequirements enough(ResourceRequirements ring) {
        return new ResourceRequirementsBuilder(ring)
                .withRequests(enough(ring.getRequests()))
                .withLimits(enough(ring.getLimits()))
                .build();
    }

    private static Map<String, Quantity> enough(Map<String, Quantity> amounts) {
        var enough = new HashMap<>(amounts == null ? Map.of() : amounts);
        BigDecimal least = LEAST_MEMORY.getNumericalAmount();
        enough.computeIfPresent(
                "memory", (_, memory) -> memory.getNumericalAmount().compareTo(least) < 0 ? LEAST_MEMORY : memory);
        return enough;
    }
}
