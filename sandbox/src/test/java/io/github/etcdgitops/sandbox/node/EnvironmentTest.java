package io.github.etcdgitops.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnvironmentTest {
    @Test
    void expandsAndTranslatesAsAContainerWouldSeeIt() {
        JsonNode pod = pod("""
                - {name: POD_NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
                - {name: POD_NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}
                - {name: POD_IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
                - {name: WHO, value: "$(POD_NAME).$(POD_NAMESPACE) $$(POD_NAME) $(LATER)"}
                - {name: LATER, value: "x"}
                - {name: ETCD_LISTEN, value: "http://0.0.0.0:2379"}
                - {name: ETCDCTL_ENDPOINTS, value: "http://127.0.0.1:2379"}
                """);
        ContainerSpec container = ContainerSpec.of(pod.at("/spec/containers/0"));

        Environment environment = Environment.of(container, pod, "127.9.0.5");

        assertThat(environment.variables())
                .containsEntry("WHO", "web-0.shop $(POD_NAME) $(LATER)")
                .containsEntry("POD_IP", "127.9.0.5")
                .containsEntry("ETCD_LISTEN", "http://127.9.0.5:2379")
                .containsEntry("ETCDCTL_ENDPOINTS", "http://localhost:2379")
                .containsEntry("HOSTNAME", "web-0")
                .containsOnlyKeys(
                        "POD_NAME",
                        "POD_NAMESPACE",
                        "POD_IP",
                        "WHO",
                        "LATER",
                        "ETCD_LISTEN",
                        "ETCDCTL_ENDPOINTS",
                        "HOSTNAME",
                        "PATH");
        assertThat(environment.line(container.line(List.of("/unused"))))
                .containsExactly(
                        "/usr/local/bin/etcd",
                        "--config-file=/etc/web-0.yaml",
                        "--listen=127.9.0.5",
                        "--peers=http://127.9.0.5:2380");
        assertThat(environment.probe(List.of("etcdctl", "--endpoints=127.0.0.1:2379")))
                .containsExactly("etcdctl", "--endpoints=localhost:2379");
    }

    @Test
    void refusesWhatItCannotFill() {
        JsonNode pod = pod("- {name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}\n");

        assertThatThrownBy(() -> Environment.of(ContainerSpec.of(pod.at("/spec/containers/0")), pod, "127.9.0.5"))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("variable A");
    }

    private static JsonNode pod(String env) {
        return Ring.yaml("""
                metadata: {name: web-0, namespace: shop}
                spec:
                  containers:
                  - name: etcd
                    command: [/usr/local/bin/etcd]
                    args: ["--config-file=/etc/$(POD_NAME).yaml", "--listen=0.0.0.0", "--peers=http://127.0.0.1:2380"]
                    env:
                %s""".formatted(env.indent(4)));
    }
}
