package io.github.etcdgitops.gateway.kube.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.RestoreJobs;
import io.github.etcdgitops.gateway.RestoreJobs.InspectionJob;
import io.github.etcdgitops.gateway.RingObjects;
import io.github.etcdgitops.gateway.kube.api.CanonicalJson;
import io.github.etcdgitops.gateway.kube.api.JsonObject;
import io.github.etcdgitops.gateway.kube.api.Labels;
import io.github.etcdgitops.spec.value.Transport;
import io.github.etcdgitops.state.journal.Inspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

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

    /// etcd answers on data of several members only after the second value, so the container beside it has
    /// this long to ask for the first time. No lease expires within the same time after that: a key whose
    /// lease expires would count as one more revision.
    private static final List<String> UNHURRIED = List.of("--heartbeat-interval=1000", "--election-timeout=15000");

    static final long GRACE_SECONDS = 5;
    static final int KEPT_SECONDS = 3600;
    private static final String MEMORY = "256Mi";
    private static final String MOST_CPU = "500m";

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

    public static ObjectNode of(InspectionJob job) {
        var annotations = Map.of(
                Labels.INCARNATION, job.look().incarnation(),
                Labels.SEEN, job.look().seen(),
                Labels.OPERATION, job.operation());
        var pod = atVolume(job.ring(), job.look().witness().flatMap(RestoreJobs.Witness::machine))
                .objects("initContainers", List.of(copy(job)))
                .objects("containers", List.of(tell(job), serve(job)))
                .objects("volumes", List.of(kept(job.look().claim()), scratch(job)));
        return new JobManifest(job.ring(), job.namespace(), job.name())
                .render(annotations, onceAndGone(job.deadline()), pod);
    }

    /// It deletes itself once it is no longer needed.
    static JsonObject onceAndGone(Duration deadline) {
        return JobManifest.once(deadline).put("ttlSecondsAfterFinished", KEPT_SECONDS);
    }

    /// A pod at a member's volume that reaches nobody by name.
    static JsonObject atVolume(RingObjects ring, Optional<String> machine) {
        var pod = Scheduling.atVolume(ring.spec());
        machine.ifPresent(name -> pod.put("affinity", Scheduling.on(name)));
        return pod.put("terminationGracePeriodSeconds", GRACE_SECONDS)
                .put("dnsPolicy", "None")
                .put("dnsConfig", new JsonObject().texts("nameservers", List.of(HERE)));
    }

    private static JsonObject copy(InspectionJob job) {
        var arguments = new ArrayList<>(List.of(
                COPY,
                "--from=" + KEPT_PATH + "/" + job.look().incarnation(),
                "--to=" + PodPaths.DATA_PATH + "/" + LOOK));
        job.look().witness().ifPresent(_ -> arguments.add("--own"));
        return ours(COPY, job.image(), modest(job.ring()))
                .texts("args", arguments)
                .objects(
                        "volumeMounts",
                        List.of(
                                PodManifest.readOnly(KEPT, KEPT_PATH),
                                PodManifest.mount(PodPaths.DATA, PodPaths.DATA_PATH)));
    }

    private static JsonObject serve(InspectionJob job) {
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
        var resources = ContainerResources.of(job.ring().spec());
        var environment =
                new ArrayList<>(resources.environment(job.ring().applied().version(), Transport.PLAIN));
        environment.addAll(ContainerResources.variables(secluded()));
        return PodManifest.container(RestoreContainers.SERVE, PodManifest.image(job.ring()))
                .put("imagePullPolicy", PodManifest.pullPolicy(job.ring()))
                .texts("command", List.of(PodPaths.ETCD))
                .texts("args", arguments)
                .objects("env", environment)
                .put("resources", resources.json())
                .put("terminationMessagePolicy", "FallbackToLogsOnError")
                .objects("volumeMounts", List.of(PodManifest.mount(PodPaths.DATA, PodPaths.DATA_PATH)));
    }

    /// Environment variables. Go uses no proxy for addresses of this host.
    public static SequencedMap<String, String> secluded() {
        var variables = new LinkedHashMap<String, String>();
        variables.put("HTTP_PROXY", NO_PROXY);
        variables.put("HTTPS_PROXY", NO_PROXY);
        variables.put("NO_PROXY", "");
        return variables;
    }

    /// Starts before etcd does, so at first etcd does not answer.
    private static JsonObject tell(InspectionJob job) {
        var arguments =
                new ArrayList<>(List.of(TELL, "--endpoint=" + HERE + ":" + Ports.CLIENT, "--message=" + MESSAGE));
        job.look().witness().ifPresent(witness -> arguments.add("--compact=" + witness.compacted()));
        return ours(TELL, job.image(), modest(job.ring()))
                .texts("args", arguments)
                .put("terminationMessagePath", MESSAGE);
    }

    static JsonObject ours(String name, String image, ContainerResources resources) {
        return PodManifest.container(name, image)
                .put("imagePullPolicy", "IfNotPresent")
                .put("resources", resources.json())
                .put("terminationMessagePolicy", "FallbackToLogsOnError");
    }

    /// What our own container gets beside a member's volume.
    static ContainerResources modest(RingObjects ring) {
        return ContainerResources.of(ring.spec()).only(Set.of("memory", "cpu")).with(InspectionManifest::modest);
    }

    private static String modest(String kind, String amount) {
        if (kind.equals("memory")) {
            return MEMORY;
        }
        return ContainerResources.less(MOST_CPU, amount) ? MOST_CPU : amount;
    }

    /// Not read-only for the kubelet as a whole: the member must be able to mount it on the same node at
    /// the same time.
    static JsonObject kept(String claim) {
        return PodManifest.volume(KEPT).put("persistentVolumeClaim", Map.of("claimName", claim));
    }

    private static JsonObject scratch(InspectionJob job) {
        String size = job.ring().spec().storage().size();
        return PodManifest.volume(PodPaths.DATA).put("emptyDir", Map.of("sizeLimit", size));
    }
}
