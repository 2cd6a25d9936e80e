package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.InspectionJob;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.Inspection;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The Job that inspects a member's volume. Its pod copies the data, and then starts etcd on the copy,
/// which only the container beside it can reach.
///
/// The copy still names the members of the ring, and etcd would call them before it has applied that it is
/// alone. With the name of a member that does not run, it could make a survivor take its answer for a vote.
/// So etcd gets a proxy that does not exist, and the pod a name server that does not exist either. Both
/// work without a network policy, and each of them alone is enough.
public final class InspectionManifest {
    public static final String COPY = "copy";
    public static final String TELL = "tell";

    private static final String LOOK = "look";
    static final String KEPT_PATH = "/var/lib/etcd-kept";
    static final String KEPT = "kept";
    static final String MESSAGE = "/run/told.json";
    static final String HERE = "127.0.0.1";
    private static final String NO_PROXY = "http://" + HERE + ":1";
    private static final String PEER = "http://" + HERE + ":" + Ports.PEER;
    private static final String CLIENT = "http://" + HERE + ":" + Ports.CLIENT;

    /// Large enough for any data: a smaller quota would raise an alarm on the copy.
    private static final String QUOTA = Long.toString(16L * 1024 * 1024 * 1024);

    /// When etcd starts, a lease gets at least one and a half times the second value; a key whose lease
    /// expires would count as one more revision.
    private static final List<String> UNHURRIED = List.of("--heartbeat-interval=1000", "--election-timeout=5000");

    static final long GRACE_SECONDS = 5;
    static final int KEPT_SECONDS = 3600;
    private static final Quantity MEMORY = new Quantity("256Mi");
    private static final Quantity MOST_CPU = new Quantity("500m");

    private InspectionManifest() {}

    /// The result of [#TELL]; empty where the text is not ours.
    public static Optional<Inspection.Outcome.Told> told(String message) {
        try {
            JsonNode told = CanonicalJson.MAPPER.readTree(message);
            if (told == null
                    || !told.path("revision").canConvertToLong()
                    || !told.path("revision").isIntegralNumber()) {
                return Optional.empty();
            }
            Optional<Inspection.Hash> hash = told.path("hash").isIntegralNumber()
                    ? Optional.of(new Inspection.Hash(
                            told.path("compactRevision").asLong(),
                            told.path("hash").asLong()))
                    : Optional.empty();
            return Optional.of(new Inspection.Outcome.Told(told.path("revision").asLong(), hash));
        } catch (JsonProcessingException _) {
            return Optional.empty();
        }
    }

    public static Job of(InspectionJob job) {
        var frame = new OneRunJob(job.namespace(), job.name(), job.ring(), job.operation(), job.deadline());
        return frame.of(
                template(job, frame.labels()),
                Map.of(
                        Labels.INCARNATION,
                        job.look().incarnation(),
                        Labels.SEEN,
                        job.look().seen()),
                KEPT_SECONDS);
    }

    private static PodTemplateSpec template(InspectionJob job, Map<String, String> labels) {
        PodSpec pod = Scheduling.atVolume(job.ring().spec());
        job.look()
                .witness()
                .flatMap(RestoreJobs.Witness::machine)
                .ifPresent(machine -> pod.setAffinity(Scheduling.on(machine)));
        return new PodTemplateSpecBuilder()
                .withNewMetadata()
                .withLabels(RestoreJobManifest.podLabels(job.ring().spec(), labels))
                .withAnnotations(new TreeMap<>(job.ring().spec().podTemplate().annotations()))
                .endMetadata()
                .withNewSpecLike(pod)
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(GRACE_SECONDS)
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withDnsPolicy("None")
                .withNewDnsConfig()
                .withNameservers(HERE)
                .endDnsConfig()
                .withInitContainers(copy(job))
                .withContainers(tell(job), serve(job))
                .withVolumes(kept(job.look().claim()), scratch(job))
                .endSpec()
                .build();
    }

    private static Container copy(InspectionJob job) {
        var arguments = new ArrayList<>(List.of(
                COPY,
                "--from=" + KEPT_PATH + "/" + job.look().incarnation(),
                "--to=" + PodPaths.DATA_PATH + "/" + LOOK));
        job.look().witness().ifPresent(_ -> arguments.add("--own"));
        return ours(COPY, job)
                .withArgs(arguments)
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .addToVolumeMounts(readOnly())
                .addNewVolumeMount()
                .withName(PodPaths.DATA)
                .withMountPath(PodPaths.DATA_PATH)
                .endVolumeMount()
                .build();
    }

    static VolumeMount readOnly() {
        return new VolumeMountBuilder()
                .withName(KEPT)
                .withMountPath(KEPT_PATH)
                .withReadOnly(true)
                .build();
    }

    private static Container serve(InspectionJob job) {
        var arguments = new ArrayList<>(List.of(
                "--name=" + LOOK,
                "--data-dir=" + PodPaths.DATA_PATH + "/" + LOOK,
                "--force-new-cluster",
                "--listen-client-urls=" + CLIENT,
                "--advertise-client-urls=" + CLIENT,
                "--listen-peer-urls=" + PEER,
                "--initial-advertise-peer-urls=" + PEER,
                "--initial-cluster=" + LOOK + "=" + PEER,
                "--quota-backend-bytes=" + QUOTA));
        arguments.addAll(UNHURRIED);
        var image = job.ring().spec().server().image();
        var resources = ContainerResources.of(job.ring().spec().podTemplate().resources());
        return container(RestoreContainers.SERVE, PodManifest.image(job.ring()))
                .withImagePullPolicy(image.pullPolicy().orElse("IfNotPresent"))
                .withCommand(PodPaths.ETCD)
                .withArgs(arguments)
                .withEnv(ContainerResources.environment(job.ring().applied().version(), Transport.PLAIN, resources))
                .addAllToEnv(secluded())
                .withResources(resources)
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .addNewVolumeMount()
                .withName(PodPaths.DATA)
                .withMountPath(PodPaths.DATA_PATH)
                .endVolumeMount()
                .build();
    }

    /// Go uses no proxy for addresses of this host.
    public static List<EnvVar> secluded() {
        return List.of(
                new EnvVarBuilder().withName("HTTP_PROXY").withValue(NO_PROXY).build(),
                new EnvVarBuilder().withName("HTTPS_PROXY").withValue(NO_PROXY).build(),
                new EnvVarBuilder().withName("NO_PROXY").withValue("").build());
    }

    /// Starts before etcd does, so at first etcd does not answer.
    private static Container tell(InspectionJob job) {
        var arguments =
                new ArrayList<>(List.of(TELL, "--endpoint=" + HERE + ":" + Ports.CLIENT, "--message=" + MESSAGE));
        job.look().witness().ifPresent(witness -> arguments.add("--compact=" + witness.compacted()));
        return ours(TELL, job)
                .withArgs(arguments)
                .withTerminationMessagePath(MESSAGE)
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .build();
    }

    private static ContainerBuilder ours(String name, InspectionJob job) {
        return ours(name, job.image(), job.ring().spec());
    }

    static ContainerBuilder ours(String name, String image, EtcdClusterSpec spec) {
        var ring = ContainerResources.of(spec.podTemplate().resources());
        return container(name, image)
                .withImagePullPolicy("IfNotPresent")
                .withResources(new ResourceRequirementsBuilder()
                        .withRequests(modest(ring.getRequests()))
                        .withLimits(modest(ring.getLimits()))
                        .build());
    }

    /// A namespace with a quota requires the same kinds of values from every container.
    private static Map<String, Quantity> modest(@Nullable Map<String, Quantity> amounts) {
        var modest = new TreeMap<String, Quantity>();
        if (amounts != null) {
            amounts.forEach((kind, amount) -> {
                if (kind.equals("memory")) {
                    modest.put(kind, MEMORY);
                } else if (kind.equals("cpu")) {
                    BigDecimal asked = amount.getNumericalAmount();
                    modest.put(kind, asked.compareTo(MOST_CPU.getNumericalAmount()) > 0 ? MOST_CPU : amount);
                }
            });
        }
        return modest;
    }

    private static ContainerBuilder container(String name, String image) {
        return new ContainerBuilder().withName(name).withImage(image).withSecurityContext(PodManifest.restricted());
    }

    /// Not read-only for the kubelet as a whole: the member must be able to mount it on the same node at
    /// the same time.
    static Volume kept(String claim) {
        return new VolumeBuilder()
                .withName(KEPT)
                .withNewPersistentVolumeClaim()
                .withClaimName(claim)
                .endPersistentVolumeClaim()
                .build();
    }

    private static Volume scratch(InspectionJob job) {
        return new VolumeBuilder()
                .withName(PodPaths.DATA)
                .withNewEmptyDir()
                .withSizeLimit(new Quantity(job.ring().spec().storage().size()))
                .endEmptyDir()
                .build();
    }
}
