package io.github.etcdgitops.gateway.kube.read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.RingApis;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.ring.EtcdClusterSpec.Storage;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Foreign;
import io.github.etcdgitops.state.value.Observed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A StatefulSet that is not ours, with its pods and claims, each read by name.
public final class ForeignReads {
    private static final int MOST = 99;

    private final RingApis apis;

    public ForeignReads(RingApis apis) {
        this.apis = apis;
    }

    /// Known and empty when the API server says that there is no StatefulSet of this name.
    public Observed<Optional<Foreign>> read(ClusterRef ref) {
        try {
            return Observed.known(apis.of(ref)
                    .get(ObjectKind.STATEFUL_SET, ref.namespace(), ref.name())
                    .map(set -> foreign(ref, set)));
        } catch (GatewayException e) {
            return Observed.unknown(String.valueOf(e.getMessage()));
        }
    }

    private Foreign foreign(ClusterRef ref, ObjectNode object) {
        Replicas.trouble(object).ifPresent(why -> {
            throw new GatewayException(GatewayException.Kind.REJECTED, false, why);
        });
        var set = workload(object);
        var pods = new TreeMap<Integer, Foreign.Pod>();
        var claims = new TreeMap<Integer, Foreign.Claim>();
        for (int ordinal = 0; ordinal < Math.min(set.replicas(), MOST); ordinal++) {
            int at = ordinal;
            String pod = ref.podName(ordinal);
            apis.of(ref).get(ObjectKind.POD, ref.namespace(), pod).ifPresent(found -> pods.put(at, pod(found)));
            if (set.claims().size() == 1) {
                apis.of(ref)
                        .get(ObjectKind.CLAIM, ref.namespace(), set.claims().firstKey() + "-" + pod)
                        .ifPresent(found -> claims.put(at, claim(found)));
            }
        }
        return new Foreign(set, template(object.path("spec").path("template")), pods, claims, taken(ref));
    }

    /// Every name that a ring needs besides its StatefulSet's.
    private List<String> taken(ClusterRef ref) {
        var taken = new ArrayList<String>();
        for (Part part : Part.values()) {
            if (part != Part.STATEFUL_SET) {
                apis.of(ref)
                        .get(part.kind(), ref.namespace(), part.name(ref))
                        .filter(found -> !Tree.ours(ref, found) && !becomesOurs(part, found))
                        .ifPresent(_ -> taken.add(part.kind().kind() + " " + part.name(ref)));
            }
        }
        return taken;
    }

    /// A headless Service often has the name of its StatefulSet; it can stay as the Service for clients.
    private static boolean becomesOurs(Part part, JsonNode found) {
        return part == Part.CLIENT_SERVICE
                && found.path("spec").path("type").asText("ClusterIP").equals("ClusterIP");
    }

    private static Foreign.Workload workload(JsonNode object) {
        var spec = object.path("spec");
        var status = object.path("status");
        var claims = new TreeMap<String, Storage>();
        spec.path("volumeClaimTemplates")
                .forEach(template -> claims.put(Tree.name(template), storage(template.path("spec"))));
        boolean still = Tree.settled(object)
                && status.path("currentRevision").equals(status.path("updateRevision"))
                && !Tree.terminating(object);
        return new Foreign.Workload(
                Tree.uid(object),
                spec.path("replicas").asInt(1),
                spec.path("serviceName").asText(),
                spec.path("updateStrategy").path("type").asText("RollingUpdate"),
                still,
                claims);
    }

    private static Storage storage(JsonNode spec) {
        return new Storage(
                spec.path("resources").path("requests").path("storage").asText(),
                Optional.of(spec.path("storageClassName").asText("")).filter(name -> !name.isEmpty()));
    }

    private static Foreign.Template template(JsonNode template) {
        var spec = template.path("spec");
        var containers = new ArrayList<Foreign.Container>();
        spec.path("containers").forEach(container -> containers.add(container(container)));
        var pod = new TreeMap<>(Tree.plain(spec));
        List.of("containers", "initContainers", "volumes").forEach(pod::remove);
        return new Foreign.Template(
                new TreeMap<>(Tree.labels(template)),
                containers,
                spec.path("initContainers").size(),
                pod);
    }

    private static Foreign.Container container(JsonNode container) {
        var environment = new ArrayList<Foreign.Variable>();
        container.path("env").forEach(variable -> environment.add(variable(variable)));
        var mounts = new ArrayList<Foreign.Mount>();
        container.path("volumeMounts").forEach(mount -> mounts.add(mount(mount)));
        return new Foreign.Container(
                container.path("image").asText(),
                texts(container.path("command")),
                texts(container.path("args")),
                environment,
                !container.path("envFrom").isEmpty(),
                mounts,
                new TreeMap<>(Tree.plain(container.path("resources"))));
    }

    private static Foreign.Variable variable(JsonNode variable) {
        boolean from = variable.hasNonNull("valueFrom");
        String field =
                variable.path("valueFrom").path("fieldRef").path("fieldPath").asText();
        return new Foreign.Variable(
                variable.path("name").asText(),
                from ? Optional.empty() : Optional.of(variable.path("value").asText()),
                field.isEmpty() ? Optional.empty() : Optional.of(field));
    }

    /// A path that Kubernetes expands for each pod is not known here.
    private static Foreign.Mount mount(JsonNode mount) {
        String path = mount.path("mountPath").asText();
        return new Foreign.Mount(
                mount.path("name").asText(),
                path.endsWith("/") ? path.substring(0, path.length() - 1) : path,
                mount.hasNonNull("subPathExpr")
                        ? mount.path("subPathExpr").asText()
                        : mount.path("subPath").asText());
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static Foreign.Pod pod(ObjectNode object) {
        Map<String, String> mounted = new HashMap<>();
        object.path("spec").path("volumes").forEach(volume -> {
            String claim =
                    volume.path("persistentVolumeClaim").path("claimName").asText();
            if (!claim.isEmpty()) {
                mounted.put(volume.path("name").asText(), claim);
            }
        });
        Optional<String> controller = Optional.empty();
        for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                controller = Optional.of(owner.path("uid").asText());
            }
        }
        var state = StateMapper.pod(object);
        return new Foreign.Pod(
                Tree.name(object), state.ip(), new TreeMap<>(Tree.labels(object)), controller, mounted, state);
    }

    private static Foreign.Claim claim(ObjectNode object) {
        return new Foreign.Claim(
                Tree.name(object), Tree.uid(object), VolumeStates.phase(object), storage(object.path("spec")));
    }
}
