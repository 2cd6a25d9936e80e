package io.github.etcdgitops.gateway.kube.manifest;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.EtcdVersion;
import io.github.etcdgitops.spec.value.Transport;
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

    public static PodTemplateSpec template(RingObjects wanted) {
        return template(wanted, certificates(wanted.applied().transport()));
    }

    /// The digest of the pod template only: replicas, budget and epoch do not change it. Earlier templates
    /// listed the Secrets of all certificates, and a ring must not restart because it now has fewer of
    /// them: the transport decides which, and the digest covers it.
    public static String digest(RingObjects wanted) {
        return TemplateDigest.of(template(wanted, List.of(PodPaths.PEER, PodPaths.SERVER, PodPaths.CLIENT)));
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

    private static PodTemplateSpec template(RingObjects wanted, List<String> certificates) {
        EtcdClusterSpec spec = wanted.spec();
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(labels(spec))
                .withAnnotations(annotations(wanted))
                .endMetadata()
                .withNewSpecLike(Scheduling.of(spec))
                .withTerminationGracePeriodSeconds(60L)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withContainers(container(wanted, certificates))
                .withVolumes(volumes(spec.ref(), certificates))
                .endSpec()
                .build();
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

    private static Container container(RingObjects wanted, List<String> certificates) {
        EtcdVersion version = wanted.applied().version();
        ResourceRequirements resources =
                ContainerResources.of(wanted.spec().podTemplate().resources());
        return new ContainerBuilder()
                .withName("etcd")
                .withImage(image(wanted))
                .withImagePullPolicy(wanted.spec().server().image().pullPolicy().orElse("IfNotPresent"))
                .withCommand(PodPaths.ETCD)
                .withArgs("--config-file=" + MEMBERS_PATH + "/$(POD_NAME).yaml")
                .withEnv(
                        ContainerResources.environment(version, wanted.applied().transport(), resources))
                .withPorts(ports(wanted.applied().transport()))
                .withResources(resources)
                .withSecurityContext(restricted())
                .withStartupProbe(Probes.startup(version))
                .withLivenessProbe(Probes.liveness(version))
                .withReadinessProbe(Probes.readiness(version))
                .withVolumeMounts(mounts(wanted.claims(), certificates))
                .build();
    }

    static String image(RingObjects wanted) {
        var applied = wanted.applied();
        return applied.image().orElseGet(() -> wanted.spec().server().imageOf(applied.version()));
    }

    private static List<ContainerPort> ports(Transport transport) {
        return Ports.of(transport).entrySet().stream()
                .map(p -> port(p.getKey(), p.getValue()))
                .toList();
    }

    private static ContainerPort port(String name, int number) {
        return new ContainerPortBuilder()
                .withName(name)
                .withContainerPort(number)
                .withProtocol("TCP")
                .build();
    }

    static SecurityContext restricted() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withRunAsNonRoot(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .build();
    }

    private static List<VolumeMount> mounts(String claims, List<String> certificates) {
        return Stream.concat(
                        Stream.of(
                                mount(claims, PodPaths.DATA_PATH, false),
                                // The whole folder: a file mounted by subPath would never be updated.
                                mount(MEMBERS, MEMBERS_PATH, true)),
                        certificates.stream().map(c -> mount(volumeOf(c), PodPaths.TLS_PATH + c, true)))
                .toList();
    }

    private static VolumeMount mount(String name, String path, boolean readOnly) {
        return new VolumeMountBuilder()
                .withName(name)
                .withMountPath(path)
                .withReadOnly(readOnly ? true : null)
                .build();
    }

    private static List<Volume> volumes(ClusterRef ref, List<String> certificates) {
        Volume members = new VolumeBuilder()
                .withName(MEMBERS)
                .withNewConfigMap()
                .withName(Labels.members(ref))
                .endConfigMap()
                .build();
        return Stream.concat(Stream.of(members), certificates.stream().map(c -> certificate(ref, c)))
                .toList();
    }

    /// Optional, so that a pod starts before its Secret exists; etcd itself does not wait for files.
    private static Volume certificate(ClusterRef ref, String kind) {
        return new VolumeBuilder()
                .withName(volumeOf(kind))
                .withNewSecret()
                .withSecretName(ref.name() + "-" + kind + "-tls")
                .withOptional(true)
                .withDefaultMode(OWNER_AND_GROUP_READ)
                .endSecret()
                .build();
    }

    private static String volumeOf(String kind) {
        return kind + "-tls";
    }
}
