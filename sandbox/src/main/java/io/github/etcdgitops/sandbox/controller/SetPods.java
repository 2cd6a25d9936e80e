package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/// The pods and claims of a StatefulSet, each with an identity of its own.
final class SetPods {
    static final String REVISION = "controller-revision-hash";
    static final String POD_NAME = "statefulset.kubernetes.io/pod-name";

    private static final Pattern NAME = Pattern.compile("(.*)-(0|[1-9]\\d{0,8})");

    private SetPods() {}

    static OptionalInt ordinal(JsonNode pod) {
        var name = NAME.matcher(Meta.name(pod));
        return name.matches() ? OptionalInt.of(Integer.parseInt(name.group(2))) : OptionalInt.empty();
    }

    /// The name of the set that a pod belongs to, going by the pod's own name.
    static String set(JsonNode pod) {
        var name = NAME.matcher(Meta.name(pod));
        return name.matches() ? name.group(1) : "";
    }

    static String revision(JsonNode pod) {
        return Meta.labels(pod).path(REVISION).asText("");
    }

    static ObjectNode pod(ObjectNode set, ObjectNode revision, int ordinal) {
        ObjectNode template = Revisions.template(revision);
        String name = Meta.name(set) + "-" + ordinal;
        ObjectNode pod = set.objectNode().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata");
        for (String field : List.of("labels", "annotations", "finalizers")) {
            JsonNode value = template.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        metadata.put("name", name).put("namespace", Meta.namespace(set)).put("generateName", Meta.name(set) + "-");
        metadata.withObjectProperty("labels").put(POD_NAME, name).put(REVISION, Meta.name(revision));
        metadata.putArray("ownerReferences").add(Ownership.reference(set));
        ObjectNode spec = pod.putObject("spec");
        spec.setAll(template.withObjectProperty("spec"));
        spec.put("hostname", name)
                .put("subdomain", set.path("spec").path("serviceName").asText(""));
        mountClaims(set, spec, ordinal);
        return pod;
    }

    /// A claim takes the place of a volume of the same name.
    private static void mountClaims(ObjectNode set, ObjectNode spec, int ordinal) {
        JsonNode templates = set.path("spec").path("volumeClaimTemplates");
        if (templates.isEmpty()) {
            return;
        }
        ArrayNode volumes = set.arrayNode();
        var names = new HashSet<String>();
        for (JsonNode template : templates) {
            names.add(Meta.name(template));
            volumes.addObject()
                    .put("name", Meta.name(template))
                    .putObject("persistentVolumeClaim")
                    .put("claimName", claimName(set, template, ordinal));
        }
        for (JsonNode volume : spec.path("volumes")) {
            if (!names.contains(volume.path("name").asText())) {
                volumes.add(volume);
            }
        }
        spec.set("volumes", volumes);
    }

    /// Without an owner: claims outlive the set.
    static List<ObjectNode> claims(ObjectNode set, int ordinal) {
        var claims = new ArrayList<ObjectNode>();
        for (JsonNode template : set.path("spec").path("volumeClaimTemplates")) {
            ObjectNode claim = template.deepCopy();
            claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim").remove("status");
            ObjectNode metadata = Meta.of(claim);
            metadata.put("name", claimName(set, template, ordinal)).put("namespace", Meta.namespace(set));
            metadata.remove("creationTimestamp");
            ObjectNode labels = metadata.withObjectProperty("labels");
            set.path("spec")
                    .path("selector")
                    .path("matchLabels")
                    .properties()
                    .forEach(label -> labels.set(label.getKey(), label.getValue()));
            claims.add(claim);
        }
        return claims;
    }

    /// Whether the claim has a name that one of the set's could have.
    static boolean hasNameOf(ObjectNode set, JsonNode claim) {
        for (JsonNode template : set.path("spec").path("volumeClaimTemplates")) {
            if (set(claim).equals(Meta.name(template) + "-" + Meta.name(set))) {
                return true;
            }
        }
        return false;
    }

    private static String claimName(ObjectNode set, JsonNode template, int ordinal) {
        return Meta.name(template) + "-" + Meta.name(set) + "-" + ordinal;
    }
}
