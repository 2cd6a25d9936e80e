package io.github.etcdgitops.sandbox.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import io.github.etcdgitops.sandbox.objects.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/// What `kubectl get` prints: the server chooses the columns.
final class Tables {
    private Tables() {}

    private record Column(String name, Function<JsonNode, String> cell) {}

    static boolean wanted(Call call) {
        return call.accept().contains("as=Table") && call.target().part().isEmpty();
    }

    static ObjectNode of(Call call, ObjectNode answer) {
        List<Column> columns = columns(call.target().resource());
        ObjectNode table = Call.JSON.createObjectNode().put("kind", "Table").put("apiVersion", "meta.k8s.io/v1");
        JsonNode items = answer.path("items");
        table.set("metadata", items.isArray() ? answer.path("metadata").deepCopy() : Call.JSON.createObjectNode());
        ArrayNode definitions = table.putArray("columnDefinitions");
        columns.forEach(column -> definitions
                .addObject()
                .put("name", column.name())
                .put("type", "string")
                .put("format", column.name().equals("Name") ? "name" : "")
                .put("description", "")
                .put("priority", 0));
        ArrayNode rows = table.putArray("rows");
        for (JsonNode item : items.isArray() ? items : List.of(answer)) {
            ObjectNode row = rows.addObject();
            ArrayNode cells = row.putArray("cells");
            columns.forEach(column -> cells.add(column.cell().apply(item)));
            row.set("object", shown(call, item));
        }
        return table;
    }

    private static ObjectNode shown(Call call, JsonNode item) {
        ObjectNode object = Call.JSON.createObjectNode();
        if (call.parameter("includeObject").equals("Object")) {
            object.put("kind", call.target().resource().kind())
                    .put("apiVersion", call.target().apiVersion());
            return object.setAll((ObjectNode) item);
        }
        object.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
        object.set("metadata", item.path("metadata"));
        return object;
    }

    private static List<Column> columns(Resource resource) {
        var name = new Column("Name", Meta::name);
        var age = new Column("Age", Tables::age);
        return switch (resource) {
            case POD -> podColumns(name, age);
            case STATEFUL_SET ->
                List.of(
                        name,
                        new Column(
                                "Ready",
                                set -> at(set, "/status/readyReplicas", "0") + "/" + at(set, "/spec/replicas", "0")),
                        age);
            case PERSISTENT_VOLUME_CLAIM ->
                List.of(
                        name,
                        new Column("Status", claim -> ending(claim, at(claim, "/status/phase", ""))),
                        new Column("Volume", claim -> at(claim, "/spec/volumeName", "")),
                        new Column("Capacity", claim -> at(claim, "/status/capacity/storage", "")),
                        new Column("StorageClass", claim -> at(claim, "/spec/storageClassName", "")),
                        age);
            case POD_DISRUPTION_BUDGET ->
                List.of(
                        name,
                        new Column("Min Available", budget -> at(budget, "/spec/minAvailable", "N/A")),
                        new Column("Allowed Disruptions", budget -> at(budget, "/status/disruptionsAllowed", "0")),
                        age);
            case SERVICE ->
                List.of(
                        name,
                        new Column("Type", service -> at(service, "/spec/type", "")),
                        new Column("Cluster-IP", service -> at(service, "/spec/clusterIP", "<none>")),
                        age);
            case JOB ->
                List.of(
                        name,
                        new Column(
                                "Completions",
                                job -> at(job, "/status/succeeded", "0") + "/" + at(job, "/spec/completions", "1")),
                        age);
            case NAMESPACE -> List.of(name, new Column("Status", ns -> at(ns, "/status/phase", "")), age);
            default -> List.of(name, age);
        };
    }

    private static List<Column> podColumns(Column name, Column age) {
        return List.of(
                name,
                new Column("Ready", Tables::readyContainers),
                new Column("Status", Tables::podStatus),
                new Column("Restarts", pod -> at(pod, "/status/containerStatuses/0/restartCount", "0")),
                age,
                new Column("IP", pod -> at(pod, "/status/podIP", "<none>")));
    }

    private static String at(JsonNode object, String pointer, String otherwise) {
        return object.at(pointer).asText(otherwise);
    }

    private static String ending(JsonNode object, String otherwise) {
        return Meta.deleting(object) ? "Terminating" : otherwise;
    }

    private static String readyContainers(JsonNode pod) {
        int ready = 0;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            ready += container.path("ready").asBoolean() ? 1 : 0;
        }
        return ready + "/" + pod.path("spec").path("containers").size();
    }

    private static String podStatus(JsonNode pod) {
        int done = 0;
        for (JsonNode first : pod.path("status").path("initContainerStatuses")) {
            if (!at(first, "/state/terminated/exitCode", "").equals("0")) {
                String why = at(first, "/state/terminated/reason", at(first, "/state/waiting/reason", ""));
                boolean ordinary = why.isEmpty() || why.equals("PodInitializing");
                return ending(
                        pod,
                        "Init:"
                                + (ordinary
                                        ? done + "/"
                                                + pod.path("spec")
                                                        .path("initContainers")
                                                        .size()
                                        : why));
            }
            done++;
        }
        JsonNode state = pod.at("/status/containerStatuses/0/state");
        String phase = at(pod, "/status/phase", "");
        String waiting = at(state, "/waiting/reason", phase);
        return ending(pod, at(state, "/terminated/reason", waiting));
    }

    private static String age(JsonNode object) {
        Duration age = Duration.between(Instant.parse(Meta.text(object, "creationTimestamp")), Instant.now());
        if (age.toMinutes() < 2) {
            return age.toSeconds() + "s";
        }
        if (age.toHours() < 3) {
            return age.toMinutes() + "m";
        }
        return age.toHours() < 48 ? age.toHours() + "h" : age.toDays() + "d";
    }
}
