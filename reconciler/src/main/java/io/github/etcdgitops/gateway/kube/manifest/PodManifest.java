package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.auth.TokenKey;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The pod of a member: one container, etcd itself. It needs no shell, no sidecar and no init container.
///
/// Everything that differs between members is in the member's own file, which the kubelet finds by the
/// pod's name. So one template serves all members, and a change of one member's file restarts nothing.
public final class PodManifest {
    private static final String MEMBERS = "members";
    private static final String MEMBERS_PATH = "/etc/etcd/members";
    private static final int OWNER_AND_GROUP_READ = 0440;

    private PodManifest() {}

    public static ObjectNode template(RingObjects wanted) {
        return of(wanted).tree();
    }

    static JsonObject of(RingObjects wanted) {
        return of(wanted, certificates(wanted.applied().transport()));
    }

    /// The digest of the pod template only: replicas, budget and epoch do not change it. Earlier templates
    /// listed the Secrets of all certificates, and a ring must not restart because it now has fewer of
    /// them: the transport decides which, and the digest covers it.
    public static String digest(RingObjects wanted) {
        return TemplateDigest.of(of(wanted, List.of(PodPaths.PEER, PodPaths.SERVER, PodPaths.CLIENT)));
    }

    /// No others are needed, and another Secret with such a name is not ours.
    private static List<String> certificates(Transport transport) {
        return Stream.concat(
                        transport.peer().secured() ? Stream.of(PodPaths.PEER) : Stream.<String>of(),
                        transport.client().secured()
                                ? Stream.of(PodPaths.SERVER, PodPaths.CLIENT)
                                : Stream.<String>of())
                .toList();
    }

    private static JsonObject of(RingObjects wanted, List<String> certificates) {
        EtcdClusterSpec spec = wanted.spec();
        var metadata = new JsonObject().put("labels", labels(spec)).put("annotations", annotations(wanted));
        var pod = Scheduling.of(spec)
                .put("terminationGracePeriodSeconds", 60)
                .put("automountServiceAccountToken", false)
                .put("enableServiceLinks", false)
                .objects("containers", List.of(etcd(wanted, certificates)))
                .objects("volumes", volumes(wanted, certificates));
        return new JsonObject().put("metadata", metadata).put("spec", pod);
    }

    private static Map<String, String> labels(EtcdClusterSpec spec) {
        Map<String, String> labels = new TreeMap<>(spec.podTemplate().labels());
        labels.putAll(Labels.of(spec.ref()));
        labels.put(Labels.CLIENTS, Labels.YES);
        return labels;
    }

    private static Map<String, String> annotations(RingObjects wanted) {
        Map<String, String> annotations = new TreeMap<>();
        // The template shows the contents of the members' files, so that another setting is another
        // revision.
        annotations.put(Labels.CONFIG_DIGEST, ConfigMapManifests.digest(wanted.applied()));
        annotations.put("prometheus.io/scrape", "true");
        annotations.put("prometheus.io/port", Integer.toString(Ports.METRICS));
        annotations.put("prometheus.io/path", "/metrics");
        annotations.putAll(wanted.spec().podTemplate().annotations());
        return annotations;
    }

    private static JsonObject etcd(RingObjects wanted, List<String> certificates) {
        EtcdVersion version = wanted.applied().version();
        Transport transport = wanted.applied().transport();
        var resources = ContainerResources.of(wanted.spec());
        return container("etcd", image(wanted))
                .put("imagePullPolicy", pullPolicy(wanted))
                .texts("command", List.of(PodPaths.ETCD))
                .texts("args", List.of("--config-file=" + MEMBERS_PATH + "/$(POD_NAME).yaml"))
                .objects("env", resources.environment(version, transport))
                .objects("ports", ports(Ports.of(transport)))
                .put("resources", resources.json())
                .put("startupProbe", Probes.startup(version))
                .put("livenessProbe", Probes.liveness(version))
                .put("readinessProbe", Probes.readiness(version))
                .objects("volumeMounts", mounts(wanted, certificates));
    }

    static String image(RingObjects wanted) {
        var applied = wanted.applied();
        return applied.image().orElseGet(() -> wanted.spec().server().imageOf(applied.version()));
    }

    static String pullPolicy(RingObjects wanted) {
        return wanted.spec().server().image().pullPolicy().orElse("IfNotPresent");
    }

    /// A container without privileges.
    static JsonObject container(String name, String image) {
        var security = new JsonObject()
                .put("allowPrivilegeEscalation", false)
                .put("readOnlyRootFilesystem", true)
                .put("runAsNonRoot", true)
                .put("capabilities", new JsonObject().texts("drop", List.of("ALL")));
        return new JsonObject().put("name", name).put("image", image).put("securityContext", security);
    }

    static List<JsonObject> ports(Map<String, Integer> ports) {
        return ports.entrySet().stream()
                .map(port -> new JsonObject()
                        .put("name", port.getKey())
                        .put("containerPort", port.getValue())
                        .put("protocol", "TCP"))
                .toList();
    }

    private static List<JsonObject> mounts(RingObjects wanted, List<String> certificates) {
        var mounts = new ArrayList<JsonObject>();
        mounts.add(mount(wanted.claims(), PodPaths.DATA_PATH));
        // The whole folder: a file mounted by subPath would never be updated.
        mounts.add(readOnly(MEMBERS, MEMBERS_PATH));
        certificates.forEach(c -> mounts.add(readOnly(volumeOf(c), PodPaths.TLS_PATH + c)));
        wanted.applied().tokenKey().ifPresent(_ -> mounts.add(readOnly(PodPaths.TOKEN, PodPaths.TOKEN_PATH)));
        return mounts;
    }

    static JsonObject mount(String volume, String path) {
        return new JsonObject().put("name", volume).put("mountPath", path);
    }

    static JsonObject readOnly(String volume, String path) {
        return mount(volume, path).put("readOnly", true);
    }

    private static List<JsonObject> volumes(RingObjects wanted, List<String> certificates) {
        var ref = wanted.spec().ref();
        var volumes = new ArrayList<JsonObject>();
        volumes.add(volume(MEMBERS).put("configMap", new JsonObject().put("name", Labels.members(ref))));
        certificates.forEach(c -> volumes.add(certificate(ref, c)));
        wanted.applied().tokenKey().ifPresent(key -> volumes.add(tokenKey(key)));
        return volumes;
    }

    /// Not optional: etcd does not start without the file. A pod waits for the Secret.
    private static JsonObject tokenKey(TokenKey key) {
        var entry = new JsonObject().put("key", key.secret().key()).put("path", PodPaths.TOKEN_FILE);
        var secret = new JsonObject()
                .put("secretName", key.secret().name())
                .objects("items", List.of(entry))
                .put("defaultMode", OWNER_AND_GROUP_READ);
        return volume(PodPaths.TOKEN).put("secret", secret);
    }

    /// Optional, so that a pod starts before its Secret exists; etcd itself does not wait for files.
    private static JsonObject certificate(ClusterRef ref, String kind) {
        var secret = new JsonObject()
                .put("secretName", ref.name() + "-" + kind + "-tls")
                .put("optional", true)
                .put("defaultMode", OWNER_AND_GROUP_READ);
        return volume(volumeOf(kind)).put("secret", secret);
    }

    static JsonObject volume(String name) {
        return new JsonObject().put("name", name);
    }

    private static String volumeOf(String kind) {
        return kind + "-tls";
    }
}
