package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.state.Expansion;
import io.github.etcdgitops.state.KubeState;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is sent, and what answers that are no success mean.
class Fabric8RingVolumesTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final String LABELS = "\"labels\": {\"app.kubernetes.io/managed-by\": \"etcd-gitops\","
            + " \"etcdgitops.dev/cluster\": \"orders\"}";

    private ScriptedApi server;
    private Fabric8RingVolumes volumes;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedApi(List.of());
        volumes = new Fabric8RingVolumes(server.connection());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static String claim(String size) {
        return "{\"metadata\": {\"name\": \"data-orders-2\", \"uid\": \"u2\", \"resourceVersion\": \"7\", " + LABELS
                + "}, \"spec\": {\"accessModes\": [\"ReadWriteOnce\"], \"resources\": {\"requests\": {\"storage\": \""
                + size + "\"}}}}";
    }

    private static String refusal(String message) {
        return "{\"kind\": \"Status\", \"status\": \"Failure\", \"reason\": \"Forbidden\", \"message\": \"" + message
                + "\"}";
    }

    @Test
    void changesNothingButTheSizeAndOnlyAsItWasRead() {
        server.answering(200, claim("1Gi")).answering(200, claim("2Gi"));

        volumes.expand(ORDERS, "data-orders-2", "u2", "2Gi");

        var written = server.asked().getLast();
        assertThat(written.method()).isEqualTo("PUT");
        assertThat(written.body()).contains("\"storage\":\"2Gi\"", "\"resourceVersion\":\"7\"", "ReadWriteOnce");
    }

    @Test
    void retriesAfterConcurrentControllerWrite() {
        server.answering(200, claim("1Gi"))
                .answering(409, "{}")
                .answering(200, claim("1Gi"))
                .answering(200, claim("2Gi"));

        volumes.expand(ORDERS, "data-orders-2", "u2", "2Gi");

        assertThat(server.asked()).hasSize(4);
    }

    /// Whatever the server says beside it may hold what nobody should see.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must"
                        + " support resize s3cret|REJECTED|its storage class does not allow it to grow",
                "exceeded quota: s3cret, requested: requests.storage=1Gi|REJECTED|a ResourceQuota of the namespace",
                "User s3cret cannot update resource|UNAUTHORIZED|not allowed for this identity"
            })
    void tellsARefusalOfTheServersOwnFromAMissingRight(String said, Kind kind, String words) {
        server.answering(200, claim("1Gi")).answering(403, refusal(said));

        assertThatThrownBy(() -> volumes.expand(ORDERS, "data-orders-2", "u2", "2Gi"))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining("demo/data-orders-2")
                .hasMessageContaining(words)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void unreadableClassIsNotMissing() {
        server.answering(403, refusal("no"));
        assertThat(volumes.expansion("fast")).isEqualTo(Expansion.NOT_FOR_US_TO_READ);

        server.answering(404, "<html>");
        assertThatThrownBy(() -> volumes.expansion("fast")).isInstanceOf(GatewayException.class);

        server.answering(200, "{\"metadata\": {\"name\": \"fast\"}}");
        assertThat(volumes.expansion("fast")).isEqualTo(Expansion.NOT_ALLOWED);
    }

    private static KubeState.StatefulSetState read() {
        return new KubeState.StatefulSetState(
                "u1",
                "9",
                new KubeState.Marks(true, false, Optional.empty()),
                3,
                new KubeState.Rollout(3, "orders-5d7c", "orders-5d7c", true),
                new KubeState.Template("a=1", Optional.empty()));
    }

    @Test
    void letsGoOfThePodsAndOnlyOfTheStatefulSetThatWasRead() {
        server.answering(200, "{\"metadata\": {\"name\": \"orders\", \"uid\": \"u1\", " + LABELS + "}}")
                .answering(200, "{}");

        volumes.orphan(ORDERS, read(), 4);

        var deletion = server.asked().getLast();
        assertThat(deletion.method()).isEqualTo("DELETE");
        assertThat(deletion.uri()).isEqualTo("/apis/apps/v1/namespaces/demo/statefulsets/orders");
        assertThat(deletion.body())
                .contains("\"propagationPolicy\":\"Orphan\"")
                .contains("\"uid\":\"u1\"")
                .contains("\"resourceVersion\":\"9\"");
    }

    @Test
    void takesNoStrangersStatefulSetAway() {
        server.answering(200, "{\"metadata\": {\"name\": \"orders\", \"uid\": \"u1\"}}");

        assertThatThrownBy(() -> volumes.orphan(ORDERS, read(), 4))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(Kind.REJECTED));
        assertThat(server.asked()).hasSize(1);
    }
}
