package io.github.etcdgitops.sandbox.contract;

import static io.github.etcdgitops.sandbox.contract.KubeUnderTest.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.etcdgitops.sandbox.contract.KubeUnderTest.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is filled in. Only fields that the product writes, compares or relies on.
interface DefaultClaims {
    KubeUnderTest kube();

    /// What `actual` has of the fields that `expected` has.
    static void has(JsonNode actual, String expected) {
        var missing = new ArrayList<String>();
        compare("", actual, json(expected), missing);
        assertThat(missing).isEmpty();
    }

    private static void compare(String at, JsonNode actual, JsonNode expected, List<String> missing) {
        if (expected.isObject() && !expected.isEmpty()) {
            expected.properties()
                    .forEach(e -> compare(at + "/" + e.getKey(), actual.path(e.getKey()), e.getValue(), missing));
        } else if (!actual.equals(expected)) {
            missing.add(at + " is " + actual + " and not " + expected);
        }
    }

    @Test
    default void fillsInAStatefulSet() {
        JsonNode spec = kube().create("statefulsets", Samples.statefulSet("filled"))
                .body()
                .path("spec");

        has(spec, """
                {'podManagementPolicy': 'OrderedReady', 'revisionHistoryLimit': 10,
                 'updateStrategy': {'type': 'RollingUpdate', 'rollingUpdate': {'partition': 0}}}
                """);
        has(spec.path("volumeClaimTemplates").path(0), """
                {'apiVersion': 'v1', 'kind': 'PersistentVolumeClaim', 'status': {'phase': 'Pending'},
                 'spec': {'volumeMode': 'Filesystem', 'resources': {'requests': {'storage': '1Gi'}}}}
                """);
    }

    @Test
    default void fillsInATemplateOfPods() {
        JsonNode spec = kube().create("statefulsets", Samples.statefulSet("template"))
                .body()
                .at("/spec/template/spec");

        has(spec, """
                {'restartPolicy': 'Always', 'dnsPolicy': 'ClusterFirst', 'schedulerName': 'default-scheduler',
                 'terminationGracePeriodSeconds': 30, 'securityContext': {}}
                """);
        has(spec.path("containers").path(0), """
                {'imagePullPolicy': 'IfNotPresent', 'terminationMessagePath': '/dev/termination-log',
                 'terminationMessagePolicy': 'File', 'resources': {'limits': {'cpu': '500m', 'memory': '1Gi'}},
                 'livenessProbe': {'timeoutSeconds': 1, 'periodSeconds': 10, 'successThreshold': 1,
                  'failureThreshold': 3},
                 'readinessProbe': {'httpGet': {'path': '/', 'scheme': 'HTTP'}}}
                """);
        assertThat(spec.at("/containers/0/ports/0/protocol").asText()).isEqualTo("TCP");
        assertThat(spec.at("/volumes/0/configMap/defaultMode").asInt()).isEqualTo(420);
        assertThat(spec.at("/volumes/1/secret/defaultMode").asInt()).isEqualTo(420);
        assertThat(spec.has("enableServiceLinks")).isFalse();
        assertThat(spec.at("/containers/0/resources").has("requests")).isFalse();
    }

    @Test
    default void fillsInAPod() {
        var pod = Samples.pod("filled");
        pod.withArray("/spec/containers").get(0).withObject("/resources/limits").put("memory", "1000M");

        Reply created = kube().create("pods", pod);

        has(created.body(), """
                {'spec': {'restartPolicy': 'Always', 'dnsPolicy': 'ClusterFirst', 'enableServiceLinks': true,
                  'terminationGracePeriodSeconds': 30, 'serviceAccountName': 'default'},
                 'status': {'phase': 'Pending', 'qosClass': 'Burstable'}}
                """);
        assertThat(created.at("/spec/containers/0/resources/requests/memory")).isEqualTo("1G");
    }

    @Test
    default void givesAServiceAnAddressForGood() {
        Reply created = kube().create(
                        "services", Samples.service("address", "{'selector': {'a': 'b'}, 'ports': [{'port': 2379}]}"));
        var without = created.object();
        without.withObject("/spec").remove(List.of("clusterIP", "clusterIPs"));

        Reply kept = kube().update("services", "address", without);
        Reply changed = kube().merge(
                        "services",
                        "address",
                        "{'spec': {'clusterIP': '10.96.255.200', 'clusterIPs': ['10.96.255.200']}}");

        has(
                created.body(),
                "{'spec': {'type': 'ClusterIP', 'sessionAffinity': 'None'}, 'status': {'loadBalancer': {}}}");
        assertThat(created.at("/spec/clusterIP")).matches("\\d+\\.\\d+\\.\\d+\\.\\d+");
        assertThat(created.at("/spec/clusterIPs/0")).isEqualTo(created.at("/spec/clusterIP"));
        assertThat(created.at("/spec/ports/0/targetPort")).isEqualTo("2379");
        assertThat(created.at("/spec/ports/0/protocol")).isEqualTo("TCP");
        // Newer servers fill it in again, older ones refuse: nobody gives another one.
        if (kept.code() != 422) {
            assertThat(kept.at("/spec/clusterIP")).isEqualTo(created.at("/spec/clusterIP"));
        }
        assertThat(changed.code()).isEqualTo(422);
        assertThat(changed.at("/details/causes/0/field")).isEqualTo("spec.clusterIPs[0]");
    }

    @Test
    default void leavesAHeadlessServiceWithoutAddress() {
        Reply created = kube().create(
                        "services",
                        Samples.service(
                                "headless",
                                "{'clusterIP': 'None',"
                                        + " 'publishNotReadyAddresses': true, 'ports': [{'port': 2380}]}"));

        assertThat(created.at("/spec/clusterIP")).isEqualTo("None");
        assertThat(created.at("/spec/clusterIPs/0")).isEqualTo("None");
        assertThat(created.at("/spec/publishNotReadyAddresses")).isEqualTo("true");
    }

    @Test
    default void fillsInAndProtectsAClaim() {
        Reply created = kube().create("persistentvolumeclaims", Samples.claim("filled"));

        has(created.body(), """
                {'spec': {'volumeMode': 'Filesystem', 'resources': {'requests': {'storage': '1Gi'}}},
                 'status': {'phase': 'Pending'}, 'metadata': {'finalizers': ['kubernetes.io/pvc-protection']}}
                """);
    }

    @Test
    default void encodesTheTextOfASecret() {
        Reply created = kube().create(
                        "secrets",
                        json("{'apiVersion': 'v1', 'kind': 'Secret',"
                                + " 'metadata': {'name': 'text'}, 'stringData': {'a': 'hello'}}"));

        assertThat(created.at("/data/a")).isEqualTo("aGVsbG8=");
        assertThat(created.at("/type")).isEqualTo("Opaque");
        assertThat(created.body().has("stringData")).isFalse();
    }

    @Test
    default void fillsInANetworkPolicy() {
        Reply created = kube().create("networkpolicies", json("""
                {'apiVersion': 'networking.k8s.io/v1', 'kind': 'NetworkPolicy', 'metadata': {'name': 'filled'},
                 'spec': {'podSelector': {}, 'ingress': [{'ports': [{'port': 2379}]}]}}
                """));

        assertThat(created.at("/spec/policyTypes/0")).isEqualTo("Ingress");
        assertThat(created.at("/spec/policyTypes/1")).isEmpty();
        assertThat(created.at("/spec/ingress/0/ports/0/protocol")).isEqualTo("TCP");
        assertThat(created.at("/metadata/generation")).isEqualTo("1");
    }

    @Test
    default void countsTheGenerationsOfABudget() {
        Reply created = kube().create("poddisruptionbudgets", Samples.budget("counted", "nobody", 1));
        Reply raised = kube().merge("poddisruptionbudgets", "counted", "{'spec': {'minAvailable': 2}}");

        assertThat(created.at("/metadata/generation")).isEqualTo("1");
        assertThat(raised.at("/metadata/generation")).isEqualTo("2");
        assertThat(created.at("/status/disruptionsAllowed")).isEqualTo("0");
    }

    @Test
    default void countsNoGenerationsOfOtherKinds() {
        assertThat(kube().create("leases", Samples.lease("uncounted"))
                        .body()
                        .path("metadata")
                        .has("generation"))
                .isFalse();
        assertThat(kube().create("configmaps", Samples.configMap("uncounted"))
                        .body()
                        .path("metadata")
                        .has("generation"))
                .isFalse();
    }
}
