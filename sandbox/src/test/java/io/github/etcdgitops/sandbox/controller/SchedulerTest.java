package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.etcdgitops.sandbox.controller.Scheduler.Placement;
import io.github.etcdgitops.sandbox.controller.Scheduler.Storage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SchedulerTest {
    @Test
    void takesTheReadyNodeWithTheFewestPodsOfTheSameOwner() {
        List<ObjectNode> nodes = List.of(node("node-1", true), node("node-2", true), node("node-3", false));
        ObjectNode stranger = Ownership.without(Sample.pod(8, "x"), any -> true);
        stranger.withObjectProperty("spec").put("nodeName", "node-2");

        Placement placement =
                Scheduler.place(unplaced(), Map.of(), nodes, List.of(Sample.pod(1, "x"), stranger, stranger));

        assertThat(placement).isEqualTo(new Placement.On("node-2"));
    }

    @Test
    void waitsUntilItsClaimIsThereAndBoundAndStays() {
        ObjectNode pod = withClaim();
        ObjectNode bound = Sample.of("{metadata: {name: c}, status: {phase: Bound}}");
        ObjectNode pending = Sample.of("{metadata: {name: c}, status: {phase: Pending}}");
        List<ObjectNode> nodes = List.of(node("node-1", true));

        assertThat(Scheduler.place(pod, Map.of(), nodes, List.of())).isInstanceOf(Placement.Waits.class);
        assertThat(Scheduler.place(pod, Map.of("c", stored(pending)), nodes, List.of()))
                .isInstanceOf(Placement.Waits.class);
        assertThat(Scheduler.place(pod, Map.of("c", stored(bound)), nodes, List.of()))
                .isEqualTo(new Placement.On("node-1"));
        assertThat(Scheduler.place(pod, Map.of("c", stored(Sample.ending(bound))), nodes, List.of()))
                .isInstanceOf(Placement.Waits.class);
    }

    @Test
    void choosesWhereAVolumeIsMadeAndStaysThere() {
        ObjectNode pod = withClaim();
        ObjectNode pending = Sample.of("{metadata: {name: c}, status: {phase: Pending}}");
        List<ObjectNode> nodes = List.of(node("node-1", true), node("node-2", true));

        assertThat(Scheduler.place(pod, Map.of("c", onDemand(pending)), nodes, List.of()))
                .isEqualTo(new Placement.Chosen("node-1", List.of(pending)));
        ObjectNode chosen = Mooring.select(pending.deepCopy(), "node-2");
        assertThat(Scheduler.place(pod, Map.of("c", onDemand(chosen)), nodes, List.of()))
                .isEqualTo(new Placement.Chosen("node-2", List.of(chosen)));
    }

    @Test
    void placesNoPodWhereItsVolumeIsNot() {
        ObjectNode pod = withClaim();
        ObjectNode bound = Sample.of("{metadata: {name: c}, spec: {volumeName: v}, status: {phase: Bound}}");
        ObjectNode volume = Sample.of("{metadata: {name: v}, spec: {}}");
        Mooring.moor(volume, "node-2");
        var claims = Map.of("c", new Storage(bound, Optional.of(volume), true));

        assertThat(Scheduler.place(pod, claims, List.of(node("node-1", true), node("node-2", true)), List.of()))
                .isEqualTo(new Placement.On("node-2"));
        assertThat(Scheduler.place(pod, claims, List.of(node("node-1", true), node("node-2", false)), List.of()))
                .isEqualTo(new Placement.Waits("0/2 nodes are available"));
    }

    @Test
    void waitsWhereNoNodeIsReady() {
        assertThat(Scheduler.place(unplaced(), Map.of(), List.of(node("node-1", false)), List.of()))
                .isEqualTo(new Placement.Waits("0/1 nodes are available"));
    }

    @Test
    void keepsPodsApartThatAskForIt() {
        ObjectNode pod = unplaced();
        pod.withObjectProperty("spec")
                .set(
                        "affinity",
                        Sample.of("{podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey:"
                                + " kubernetes.io/hostname, labelSelector: {matchLabels: {ring: orders}}}]}}"));
        List<ObjectNode> nodes = List.of(node("node-1", true), node("node-2", true));
        ObjectNode other = on("node-1", "orders");

        assertThat(Scheduler.place(pod, Map.of(), nodes, List.of(other, on("node-2", "users"), on("node-2", "users"))))
                .isEqualTo(new Placement.On("node-2"));
        assertThat(Scheduler.place(pod, Map.of(), nodes, List.of(other, on("node-2", "orders"))))
                .isInstanceOf(Placement.Waits.class);
        assertThat(Scheduler.place(unplaced(), Map.of(), nodes, List.of(other, on("node-2", "orders"))))
                .isInstanceOf(Placement.On.class);
    }

    private static ObjectNode on(String node, String ring) {
        ObjectNode pod = Sample.pod(1, "x");
        pod.withObjectProperty("metadata").put("uid", "uid-of-" + node + ring);
        pod.withObjectProperty("metadata").withObjectProperty("labels").put("ring", ring);
        pod.withObjectProperty("spec").put("nodeName", node);
        return pod;
    }

    private static ObjectNode withClaim() {
        ObjectNode pod = unplaced();
        pod.withObjectProperty("spec")
                .set(
                        "volumes",
                        Sample.of("{v: [{persistentVolumeClaim: {claimName: c}}]}")
                                .path("v"));
        return pod;
    }

    private static Storage stored(ObjectNode claim) {
        return new Storage(claim, Optional.empty(), false);
    }

    private static Storage onDemand(ObjectNode claim) {
        return new Storage(claim, Optional.empty(), true);
    }

    private static ObjectNode unplaced() {
        ObjectNode pod = Sample.pod(0, "x");
        pod.withObjectProperty("spec").remove("nodeName");
        return pod;
    }

    private static ObjectNode node(String name, boolean ready) {
        return Sample.of(
                "{metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}}, status: {conditions: [{type: Ready, status: '%2$s'}]}}"
                        .formatted(name, ready ? "True" : "Unknown"));
    }
}
