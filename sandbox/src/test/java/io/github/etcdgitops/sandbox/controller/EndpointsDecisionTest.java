package io.github.etcdgitops.sandbox.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EndpointsDecisionTest {
    @Test
    void separatesReadyFromNotReady() {
        JsonNode subset = subsets(service("ring", "client", false), ready(0), Sample.unready(ready(1)))
                .path(0);

        assertThat(subset.at("/addresses/0/ip").asText()).isEqualTo("127.0.0.0");
        assertThat(subset.at("/addresses/0/targetRef/name").asText()).isEqualTo("ring-0");
        assertThat(subset.at("/addresses/0").has("hostname")).isFalse();
        assertThat(subset.at("/notReadyAddresses/0/ip").asText()).isEqualTo("127.0.0.1");
        assertThat(subset.at("/ports/0/port").asInt()).isEqualTo(2379);
    }

    @Test
    void publishesAllWithTheirNamesWhereAskedTo() {
        JsonNode subset = subsets(
                        service("ring-peer", "client", true), ready(0), Sample.ending(Sample.unready(ready(1))))
                .path(0);

        assertThat(subset.path("addresses").size()).isEqualTo(2);
        assertThat(subset.at("/addresses/1/hostname").asText()).isEqualTo("ring-1");
        assertThat(subset.has("notReadyAddresses")).isFalse();
    }

    @Test
    void leavesOutPodsThatEndAndPodsWithoutAddressOrPort() {
        ObjectNode nowhere = ready(1);
        nowhere.withObjectProperty("status").remove("podIP");

        assertThat(subsets(service("ring", "client", false), Sample.ending(ready(0)), nowhere))
                .isEmpty();
        assertThat(subsets(service("ring", "unknown", false), ready(0))).isEmpty();
    }

    @Test
    void leavesServicesWithoutSelectorAlone() {
        ObjectNode service = service("ring", "client", false);
        service.withObjectProperty("spec").remove("selector");

        assertThat(EndpointsDecision.applies(service)).isFalse();
        assertThat(EndpointsDecision.selects(service, ready(0))).isFalse();
    }

    private static JsonNode subsets(ObjectNode service, ObjectNode... pods) {
        return EndpointsDecision.endpoints(service, List.of(pods)).path("subsets");
    }

    private static ObjectNode ready(int ordinal) {
        ObjectNode pod = Sample.pod(ordinal, "x");
        pod.withObjectProperty("spec")
                .set(
                        "containers",
                        Sample.of("{c: [{name: etcd, ports: [{name: client, containerPort: 2379}]}]}")
                                .path("c"));
        return pod;
    }

    private static ObjectNode service(String name, String port, boolean all) {
        return Sample.of("""
                metadata: {name: %s, namespace: a}
                spec:
                  selector: {app: etcd}
                  publishNotReadyAddresses: %s
                  ports: [{name: client, port: 2379, targetPort: %s, protocol: TCP}]
                """.formatted(name, all, port));
    }
}
