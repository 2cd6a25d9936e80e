package io.github.etcdgitops.gateway.kube.manifest;

import io.github.etcdgitops.gateway.RestoreJobs.RestoreJob;
import io.github.etcdgitops.gateway.RestoreJobs.Target;
import io.github.etcdgitops.gateway.SnapshotDigest;
import io.github.etcdgitops.gateway.SnapshotReceiver;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The containers of a restore, in their order: receive, restore, and then settle or, for a drill, serve.
/// None of them has a shell, a secret or a token.
public final class RestoreContainers {
    public static final String RECEIVE = "receive";
    public static final String RESTORE = "restore";
    public static final String SETTLE = "settle";
    public static final String SERVE = "serve";

    static final String ETCDUTL = "/usr/local/bin/etcdutl";
    private static final String DRILL = "drill";
    private static final String DRILL_PEER = "http://127.0.0.1:" + Ports.PEER;

    /// Large enough for any restored data: a smaller quota would raise an alarm on the copy.
    private static final String DRILL_QUOTA = Long.toString(16L * 1024 * 1024 * 1024);

    /// Our JVM needs this much, however small the ring's members are.
    private static final String LEAST_MEMORY = "256Mi";

    private RestoreContainers() {}

    static JsonObject receive(RestoreJob job) {
        SnapshotDigest digest = job.snapshot().digest();
        return ours(RECEIVE, job)
                .texts(
                        "args",
                        List.of(
                                "receive",
                                "--port=" + SnapshotReceiver.PORT,
                                "--size=" + digest.size(),
                                "--sha256=" + digest.sha256(),
                                "--file=" + file(job)))
                .objects("ports", PodManifest.ports(Map.of(RECEIVE, SnapshotReceiver.PORT)));
    }

    static JsonObject settle(RestoreJob job) {
        return ours(SETTLE, job).texts("args", List.of("settle", "--file=" + file(job), "--data-dir=" + data(job)));
    }

    static JsonObject restore(RestoreJob job) {
        EtcdVersion version = job.ring().applied().version();
        return etcd(RESTORE, job)
                .texts(
                        "command",
                        List.of(version.hasEtcdutl() ? ETCDUTL : PodPaths.ETCDCTL, "snapshot", "restore", file(job)))
                .texts("args", restoreArguments(job));
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
    static JsonObject serve(RestoreJob job) {
        return etcd(SERVE, job)
                .texts("command", List.of(PodPaths.ETCD))
                .texts(
                        "args",
                        List.of(
                                "--name=" + DRILL,
                                "--data-dir=" + data(job),
                                "--listen-client-urls=http://0.0.0.0:" + Ports.CLIENT,
                                "--advertise-client-urls=http://127.0.0.1:" + Ports.CLIENT,
                                "--listen-peer-urls=" + DRILL_PEER,
                                "--initial-advertise-peer-urls=" + DRILL_PEER,
                                "--initial-cluster=" + DRILL + "=" + DRILL_PEER,
                                "--quota-backend-bytes=" + DRILL_QUOTA))
                .objects("ports", PodManifest.ports(Map.of(Ports.CLIENT_NAME, Ports.CLIENT)));
    }

    private static String file(RestoreJob job) {
        return PodPaths.DATA_PATH + "/.restore/" + job.target().incarnation() + ".db";
    }

    private static String data(RestoreJob job) {
        return PodPaths.DATA_PATH + "/" + job.target().incarnation();
    }

    private static JsonObject ours(String name, RestoreJob job) {
        var resources = ContainerResources.of(job.ring().spec()).with(RestoreContainers::enough);
        return container(name, job.image())
                .put("imagePullPolicy", "IfNotPresent")
                .put("resources", resources.json());
    }

    private static String enough(String kind, String amount) {
        return kind.equals("memory") && ContainerResources.less(amount, LEAST_MEMORY) ? LEAST_MEMORY : amount;
    }

    private static JsonObject etcd(String name, RestoreJob job) {
        var resources = ContainerResources.of(job.ring().spec());
        return container(name, PodManifest.image(job.ring()))
                .put("imagePullPolicy", PodManifest.pullPolicy(job.ring()))
                .objects("env", resources.environment(job.ring().applied().version(), Transport.PLAIN))
                .put("resources", resources.json());
    }

    private static JsonObject container(String name, String image) {
        return PodManifest.container(name, image)
                .put("terminationMessagePolicy", "FallbackToLogsOnError")
                .objects("volumeMounts", List.of(PodManifest.mount(PodPaths.DATA, PodPaths.DATA_PATH)));
    }
}
