package io.github.etcdgitops.sandbox.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.objects.Meta;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Volumes that one machine alone has, as those of local disks: a claim of such a class waits for a pod and gets
/// its volume on the pod's machine, and from then on the pod finds no other place.
final class Mooring {
    private static final String SELECTED = "volume.kubernetes.io/selected-node";
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private Mooring() {}

    /// Whether claims of this class wait for a pod.
    static boolean waitsForPod(JsonNode storageClass) {
        return storageClass.path("volumeBindingMode").asText().equals("WaitForFirstConsumer");
    }

    /// The machine that the scheduler has chosen for the pod of a claim.
    static Optional<String> selected(JsonNode claim) {
        return Optional.of(claim.path("metadata")
                        .path("annotations")
                        .path(SELECTED)
                        .asText(""))
                .filter(name -> !name.isEmpty());
    }

    static ObjectNode select(ObjectNode claim, String machine) {
        Meta.of(claim).withObjectProperty("annotations").put(SELECTED, machine);
        return claim;
    }

    static void moor(ObjectNode volume, String machine) {
        volume.withObjectProperty("spec")
                .putObject("nodeAffinity")
                .putObject("required")
                .putArray("nodeSelectorTerms")
                .addObject()
                .putArray("matchExpressions")
                .addObject()
                .put("key", HOSTNAME)
                .put("operator", "In")
                .putArray("values")
                .add(machine);
    }

    /// The machine that alone has the volume.
    static Optional<String> machine(JsonNode volume) {
        return Optional.of(volume.at("/spec/nodeAffinity/required/nodeSelectorTerms/0/matchExpressions/0/values/0")
                        .asText(""))
                .filter(name -> !name.isEmpty());
    }

    /// Terms are alternatives, the expressions of one hold together; only the operator In is known here.
    static boolean reaches(JsonNode volume, ObjectNode node) {
        JsonNode terms = volume.at("/spec/nodeAffinity/required/nodeSelectorTerms");
        return terms.isEmpty()
                || stream(terms)
                        .anyMatch(term -> stream(term.path("matchExpressions"))
                                .allMatch(expression ->
                                        expression.path("operator").asText().equals("In")
                                                && stream(expression.path("values"))
                                                        .anyMatch(value -> value.equals(Meta.labels(node)
                                                                .path(expression
                                                                        .path("key")
                                                                        .asText())))));
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
