package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingSecrets;
import io.github.etcdgitops.gateway.RingSecrets.Kind;
import io.github.etcdgitops.gateway.RingSecrets.Order;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.manifest.CertificateManifest;
import io.github.etcdgitops.spec.value.ClusterRef;
import io.github.etcdgitops.spec.value.Tls;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is asked of cert-manager, and what is made of its answers; as its API reference has them.
@EnableKubernetesMockClient
class CertificateOrdersTest {
    private static final ClusterRef ORDERS = new ClusterRef("demo", "orders");
    private static final String API = "/apis/cert-manager.io/v1";
    private static final String ALL = API + "/namespaces/demo/certificates";
    private static final String ONE = ALL + "/orders-peer-tls";
    private static final Order ORDER = new Order(
            new Tls.IssuerRef("ClusterIssuer", "fleet-ca"),
            Duration.ofDays(90),
            "orders-peer",
            List.of("orders-0.orders-peer.demo.svc", "localhost"),
            List.of("127.0.0.1"),
            List.of("digital signature", "server auth", "client auth"));

    @SuppressWarnings("NullAway.Init")
    KubernetesMockServer server;

    @SuppressWarnings("NullAway.Init")
    KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private RingSecrets secrets;

    @BeforeEach
    void connect() {
        var config = new ConfigBuilder(client.getConfiguration()).build();
        secrets = new Fabric8RingSecrets(KubeConnection.of(config, KubeConnection.Settings.DEFAULT));
    }

    private static String live(long generation, String spec, String conditions) {
        return """
            {"apiVersion":"cert-manager.io/v1","kind":"Certificate","metadata":{"name":"orders-peer-tls",
             "namespace":"demo","uid":"u1","resourceVersion":"7","generation":%d,"labels":{
             "app.kubernetes.io/name":"etcd","app.kubernetes.io/instance":"orders",
             "app.kubernetes.io/managed-by":"etcd-gitops","etcdgitops.dev/cluster":"orders"}},
             "spec":%s,"status":{"conditions":[%s]}}\
            """.formatted(generation, spec, conditions);
    }

    private static String wanted() {
        return CertificateManifest.of(ORDERS, Kind.PEER, ORDER, 3).get("spec").toString();
    }

    private void served(String object) {
        server.expect()
                .get()
                .withPath(API)
                .andReturn(200, "{\"kind\":\"APIResourceList\"}")
                .always();
        server.expect().get().withPath(ONE).andReturn(200, object).once();
    }

    private JsonNode written(String path) throws Exception {
        for (var request = server.takeRequest(); request != null; request = server.takeRequest()) {
            if (!request.getMethod().equals("GET") && request.getPath().startsWith(path)) {
                return new ObjectMapper().readTree(request.getBody().readUtf8());
            }
        }
        throw new AssertionError("nothing was written");
    }

    @Test
    void requestsMissingCertificate() throws Exception {
        server.expect()
                .get()
                .withPath(API)
                .andReturn(200, "{\"kind\":\"APIResourceList\"}")
                .once();
        server.expect().get().withPath(ONE).andReturn(404, """
            {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,
             "details":{"name":"orders-peer-tls","group":"cert-manager.io","kind":"certificates"}}\
            """).once();
        server.expect()
                .post()
                .withPath(ALL)
                .andReturn(201, live(1, wanted(), ""))
                .once();

        assertThat(secrets.order(ORDERS, Kind.PEER, ORDER, 3)).get().asString().contains("has not processed");
        var spec = written(ALL).path("spec");
        assertThat(spec.path("secretName").asText()).isEqualTo("orders-peer-tls");
        assertThat(spec.path("issuerRef").path("kind").asText()).isEqualTo("ClusterIssuer");
        assertThat(spec.path("issuerRef").path("name").asText()).isEqualTo("fleet-ca");
        assertThat(spec.path("duration").asText()).isEqualTo("7776000s");
        assertThat(spec.path("usages").size()).isEqualTo(3);
        assertThat(spec.path("dnsNames").size()).isEqualTo(2);
        assertThat(spec.path("ipAddresses").path(0).asText()).isEqualTo("127.0.0.1");
    }

    @Test
    void onceItIsReadyNothingIsMissing() {
        served(live(2, wanted(), """
            {"type":"Issuing","status":"False"},{"type":"Ready","status":"True","observedGeneration":2}\
            """));

        assertThat(secrets.order(ORDERS, Kind.PEER, ORDER, 3)).isEmpty();
    }

    /// What was issued for what was asked before is not what is asked now.
    @Test
    void readinessOfAnEarlierGenerationIsNone() {
        served(live(2, wanted(), """
            {"type":"Ready","status":"True","observedGeneration":1,"reason":"Ready","message":"up to date"}\
            """));

        assertThat(secrets.order(ORDERS, Kind.PEER, ORDER, 3)).get().asString().contains("is not ready");
    }

    @Test
    void reportsWhyCertificateIsNotReady() {
        served(live(1, wanted(), """
            {"type":"Ready","status":"False","observedGeneration":1,"reason":"DoesNotExist",
             "message":"Issuing certificate as Secret does not exist"}\
            """));

        assertThat(secrets.order(ORDERS, Kind.PEER, ORDER, 3))
                .get()
                .asString()
                .contains("DoesNotExist", "Secret does not exist");
    }

    @Test
    void anotherWishIsWritten() throws Exception {
        served(live(1, "{\"secretName\":\"orders-peer-tls\"}", "{\"type\":\"Ready\",\"status\":\"True\"}"));
        server.expect()
                .put()
                .withPath(ONE)
                .andReturn(200, live(2, wanted(), ""))
                .once();

        assertThat(secrets.order(ORDERS, Kind.PEER, ORDER, 3)).get().asString().contains("was changed just now");
        var object = written(ONE);
        assertThat(object.path("metadata").path("resourceVersion").asText()).isEqualTo("7");
        assertThat(object.path("spec").path("commonName").asText()).isEqualTo("orders-peer");
    }

    @Test
    void reportsMissingCertManager() {
        server.expect().get().withPath(API).andReturn(404, "404 page not found").once();

        assertThatThrownBy(() -> secrets.order(ORDERS, Kind.PEER, ORDER, 3))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("install cert-manager");
    }

    @Test
    void leavesForeignObjectAlone() {
        served(live(1, wanted(), "").replace("etcdgitops.dev/cluster", "example.org/cluster"));

        assertThatThrownBy(() -> secrets.order(ORDERS, Kind.PEER, ORDER, 3)).isInstanceOf(GatewayException.class);
    }
}
