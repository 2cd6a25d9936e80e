package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;

/// The templates that a StatefulSet has had. A revision is named after its content, so that the same template
/// is the same revision again.
final class Revisions {
    private static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
    private static final Comparator<ObjectNode> OLDEST_FIRST =
            Comparator.<ObjectNode>comparingInt(Revisions::number).thenComparing(Meta::name);

    private Revisions() {}

    enum Write {
        NONE,
        CREATE,
        RENUMBER
    }

    /// `write` is what has to be done to `update` before anything refers to it.
    record Chosen(ObjectNode current, ObjectNode update, int collisions, Write write) {
        String currentName() {
            return Meta.name(current);
        }

        String updateName() {
            return Meta.name(update);
        }
    }

    /// `own` are the set's revisions, `taken` all of the namespace: a name may belong to somebody else.
    static Chosen choose(ObjectNode set, List<ObjectNode> own, List<ObjectNode> taken) {
        List<ObjectNode> sorted = own.stream().sorted(OLDEST_FIRST).toList();
        int collisions = set.path("status").path("collisionCount").asInt(0);
        String data = canonical(data(set));
        List<ObjectNode> equal = sorted.stream()
                .filter(revision -> canonical(revision.path("data")).equals(data))
                .toList();
        ObjectNode update;
        Write write;
        int next = sorted.isEmpty() ? 1 : number(sorted.getLast()) + 1;
        if (equal.isEmpty()) {
            while (isTaken(taken, name(set, hash(data, collisions)))) {
                collisions++;
            }
            update = revision(set, hash(data, collisions), next);
            write = Write.CREATE;
        } else if (Meta.name(equal.getLast()).equals(Meta.name(sorted.getLast()))) {
            update = equal.getLast();
            write = Write.NONE;
        } else {
            update = equal.getLast().deepCopy().put("revision", next);
            write = Write.RENUMBER;
        }
        String current = set.path("status").path("currentRevision").asText("");
        ObjectNode found = sorted.stream()
                .filter(revision -> Meta.name(revision).equals(current))
                .findFirst()
                .orElse(update);
        return new Chosen(found, update, collisions, write);
    }

    /// The oldest ones that nobody refers to, beyond as many as the set wants to keep.
    static List<String> superfluous(ObjectNode set, Chosen chosen, List<ObjectNode> own, List<ObjectNode> pods) {
        var live = new HashSet<String>(List.of(chosen.currentName(), chosen.updateName()));
        pods.forEach(pod -> live.add(SetPods.revision(pod)));
        List<String> history = own.stream()
                .sorted(OLDEST_FIRST)
                .map(Meta::name)
                .filter(name -> !live.contains(name))
                .toList();
        int keep = set.path("spec").path("revisionHistoryLimit").asInt(10);
        return history.subList(0, Math.max(0, history.size() - keep));
    }

    static ObjectNode template(ObjectNode revision) {
        ObjectNode template =
                revision.path("data").path("spec").path("template").deepCopy();
        template.remove("$patch");
        return template;
    }

    private static ObjectNode data(ObjectNode set) {
        ObjectNode template = set.path("spec").path("template").deepCopy();
        template.put("$patch", "replace");
        ObjectNode data = set.objectNode();
        data.putObject("spec").set("template", template);
        return data;
    }

    private static ObjectNode revision(ObjectNode set, String hash, int number) {
        ObjectNode revision = set.objectNode();
        revision.put("apiVersion", "apps/v1").put("kind", "ControllerRevision").put("revision", number);
        ObjectNode metadata = revision.putObject("metadata").put("name", name(set, hash));
        metadata.put("namespace", Meta.namespace(set));
        ObjectNode labels = metadata.putObject("labels");
        Meta.labels(set.path("spec").path("template"))
                .properties()
                .forEach(label -> labels.set(label.getKey(), label.getValue()));
        labels.put("controller.kubernetes.io/hash", hash);
        metadata.putArray("ownerReferences").add(Ownership.reference(set));
        revision.set("data", data(set));
        return revision;
    }

    private static String name(ObjectNode set, String hash) {
        return Meta.name(set) + "-" + hash;
    }

    private static boolean isTaken(List<ObjectNode> taken, String name) {
        return taken.stream().anyMatch(revision -> Meta.name(revision).equals(name));
    }

    private static int number(ObjectNode revision) {
        return revision.path("revision").asInt();
    }

    /// Fowler, Noll and Vo's, written without vowels so that no name is a word.
    private static String hash(String data, int collisions) {
        int hash = 0x811c9dc5;
        for (byte octet : (data + collisions).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (octet & 0xff)) * 0x01000193;
        }
        var text = new StringBuilder();
        for (char digit : Integer.toUnsignedString(hash).toCharArray()) {
            text.append(ALPHABET.charAt(digit % ALPHABET.length()));
        }
        return text.toString();
    }

    /// The same text for the same content, whatever the order of fields.
    private static String canonical(JsonNode node) {
        if (node.isObject()) {
            var fields = new TreeMap<String, String>();
            node.properties().forEach(field -> fields.put(field.getKey(), canonical(field.getValue())));
            return fields.toString();
        }
        if (node.isArray()) {
            var items = new ArrayList<String>();
            node.forEach(item -> items.add(canonical(item)));
            return items.toString();
        }
        return node.toString();
    }
}
