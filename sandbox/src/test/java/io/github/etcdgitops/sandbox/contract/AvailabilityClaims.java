package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.Workloads.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import org.junit.jupiter.api.Test;

/// Who may be evicted, and who is reached under which name.
interface AvailabilityClaims {
    Workloads workloads();

    @Test
    default void allowsEvictionsBeyondTheMinimumAndRefusesTheOthers() {
        workloads().create(Workloads.ring("budget", 2), 2);
        workloads().kube().create("poddisruptionbudgets", Samples.budget("budget", "budget", 2));
        await(() -> budget().at("/status/currentHealthy").equals("2"));
        Reply full = budget();

        int refused = workloads().evict("budget-1").code();
        workloads().kube().merge("poddisruptionbudgets", "budget", "{'spec': {'minAvailable': 1}}");
        await(() -> budget().at("/status/observedGeneration").equals("2"));
        Reply lowered = budget();
        workloads().hold("budget-1");
        int allowed = workloads().evict("budget-1").code();
        int next = workloads().evict("budget-0").code();
        workloads().release("budget-1");
        await(() -> workloads().isAtRest("budget", 2)
                && budget().at("/status/disruptionsAllowed").equals("1"));

        assertThat(full.at("/status/expectedPods")).isEqualTo("2");
        assertThat(full.at("/status/desiredHealthy")).isEqualTo("2");
        assertThat(full.at("/status/disruptionsAllowed")).isEqualTo("0");
        assertThat(full.at("/status/observedGeneration")).isEqualTo("1");
        assertThat(refused).isEqualTo(429);
        assertThat(lowered.at("/status/disruptionsAllowed")).isEqualTo("1");
        assertThat(allowed).isEqualTo(201);
        assertThat(next).isEqualTo(429);
    }

    @Test
    default void countsUnreadyPodsAsExpectedButNotHealthy() {
        workloads().create(Workloads.unready(Workloads.ring("sick", 1)), 0);
        workloads().kube().create("poddisruptionbudgets", Samples.budget("sick", "sick", 1));

        await(() -> workloads()
                .kube()
                .get("poddisruptionbudgets", "sick")
                .at("/status/expectedPods")
                .equals("1"));

        Reply budget = workloads().kube().get("poddisruptionbudgets", "sick");
        assertThat(budget.at("/status/currentHealthy")).isEqualTo("0");
        assertThat(budget.at("/status/disruptionsAllowed")).isEqualTo("0");
    }

    @Test
    default void sendsClientsToReadyPodsWithTheRightLabelsOnly() {
        workloads().create(Workloads.ring("clients", 2), 2);
        workloads().kube().create("services", Samples.service("clients", """
                {'selector': {'app': 'clients', 'takes': 'clients'},
                 'ports': [{'name': 'client', 'port': 80, 'targetPort': 'client'}]}"""));
        await(() -> workloads().kube().get("endpoints", "clients").code() == 200);

        label("clients-0", "'clients'");
        label("clients-1", "'clients'");
        await(() -> addresses("clients").size() == 2);
        JsonNode both = subset("clients");
        label("clients-1", "null");
        await(() -> addresses("clients").size() == 1);

        assertThat(both.at("/ports/0/port").asInt()).isEqualTo(2379);
        assertThat(both.at("/ports/0/name").asText()).isEqualTo("client");
        assertThat(both.at("/addresses/0").has("hostname")).isFalse();
        assertThat(addresses("clients").path(0).at("/targetRef/name").asText()).isEqualTo("clients-0");
        assertThat(addresses("clients").path(0).path("ip").asText())
                .isEqualTo(workloads().pod("clients-0").at("/status/podIP"));
    }

    @Test
    default void publishesUnreadyPodsWithTheirNamesWhereAskedTo() {
        workloads().create(Workloads.unready(Workloads.ring("hidden", 1)), 0);
        String ports = "'ports': [{'name': 'client', 'port': 2379, 'targetPort': 'client'}]";
        workloads()
                .kube()
                .create(
                        "services",
                        Samples.service(
                                "hidden-peer",
                                "{'clusterIP': 'None', 'publishNotReadyAddresses': true, 'selector': {'app': 'hidden'}, "
                                        + ports + "}"));
        workloads()
                .kube()
                .create("services", Samples.service("hidden", "{'selector': {'app': 'hidden'}, " + ports + "}"));

        await(() -> addresses("hidden-peer").size() == 1);
        await(() -> subset("hidden").path("notReadyAddresses").size() == 1);

        assertThat(addresses("hidden-peer").path(0).path("hostname").asText()).isEqualTo("hidden-0");
        assertThat(subset("hidden").has("addresses")).isFalse();
    }

    @Test
    default void takesTheEndpointsAwayWithTheService() {
        workloads()
                .kube()
                .create("services", Samples.service("gone", "{'selector': {'app': 'gone'}, 'ports': [{'port': 1}]}"));
        await(() -> workloads().kube().get("endpoints", "gone").code() == 200);

        workloads().kube().delete("services", "gone", "");

        await(() -> workloads().kube().get("endpoints", "gone").code() == 404);
    }

    private Reply budget() {
        return workloads().kube().get("poddisruptionbudgets", "budget");
    }

    private void label(String pod, String value) {
        workloads().kube().merge("pods", pod, "{'metadata': {'labels': {'takes': " + value + "}}}");
    }

    private JsonNode subset(String service) {
        return workloads().kube().get("endpoints", service).body().at("/subsets/0");
    }

    private JsonNode addresses(String service) {
        return subset(service).path("addresses");
    }
}
