package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.GatewayException.Kind;
import io.github.etcdgitops.gateway.kube.api.ApiCounts;
import io.github.etcdgitops.gateway.kube.api.KubeConnection;
import io.github.etcdgitops.gateway.kube.api.ObjectKind;
import io.github.etcdgitops.gateway.kube.api.Tree;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeApiTest {
    private static final String SECRET = "hunter2";
    private static final String ABSENT =
            "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"code\":404,\"details\":{\"name\":\"db-0\",\"kind\":\"pods\"}}";

    private ScriptedApi server;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedApi(List.of());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Optional<ObjectNode> get() {
        return server.api().get(ObjectKind.POD, "ns", "db-0");
    }

    private ObjectNode create() {
        return server.api().create(ObjectKind.POD, "ns", pod());
    }

    private static ObjectNode pod() {
        ObjectNode pod = Tree.object();
        Tree.metadata(pod).put("name", "db-0").put("resourceVersion", "1");
        return pod;
    }

    private static GatewayException thrownBy(ThrowingCallable call) {
        var thrown = new GatewayException[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(GatewayException.class, e -> thrown[0] = e);
        return thrown[0];
    }

    @Test
    void acceptsNamespaceCreatedMeanwhile() {
        var gateway = new Fabric8Gateway(server.connection());
        String absent = ABSENT.replace("db-0", "ns").replace("pods", "namespaces");
        server.answering(404, absent).answering(409, "{\"reason\":\"AlreadyExists\"}");
        server.answering(200, "{\"metadata\":{\"name\":\"ns\"}}");

        gateway.ensureNamespace(new ClusterRef("ns", "db"), "ns");

        server.answering(404, absent)
                .answering(409, "{\"reason\":\"Conflict\"}")
                .answering(404, absent);
        assertThat(thrownBy(() -> gateway.ensureNamespace(new ClusterRef("ns", "db"), "ns"))
                        .kind())
                .isEqualTo(GatewayException.Kind.CONFLICT);
    }

    @Test
    void trustsAbsenceReportedByApiServer() {
        server.answering(404, ABSENT);

        assertThat(get()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "404 page not found",
                "<html>not here</html>",
                "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"code\":404,\"details\":{}}",
                "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"code\":404,\"details\":{\"name\":\"other\"}}",
                "[]",
                ""
            })
    void doesNotTrustOther404(String body) {
        server.answering(404, body);

        assertThat(thrownBy(this::get).kind()).isEqualTo(Kind.UNREACHABLE);
    }

    @ParameterizedTest
    @CsvSource({
        "400, REJECTED, false",
        "401, UNAUTHORIZED, false",
        "403, UNAUTHORIZED, false",
        "404, NOT_FOUND, false",
        "409, CONFLICT, false",
        "415, REJECTED, false",
        "422, REJECTED, false",
        "429, UNREACHABLE, false",
        "500, UNREACHABLE, true",
        "503, UNREACHABLE, true",
        "504, TIMEOUT, true"
    })
    void saysWhatKindOfFailureAnAnswerIs(int code, Kind kind, boolean mayHaveHappened) {
        server.answering(code, SECRET);

        GatewayException thrown = thrownBy(this::create);

        assertThat(thrown.kind()).isEqualTo(kind);
        assertThat(thrown.mayHaveHappened()).isEqualTo(mayHaveHappened);
        assertThat(thrown)
                .hasMessageStartingWith("create Pod ns/db-0: HTTP " + code)
                .hasMessageNotContaining(SECRET);
        assertThat(thrown.getCause()).isNull();
    }

    @Test
    void repeatsAReadThatFailed() {
        server.answering(500, "").answering(429, "").answering(200, "{\"metadata\":{\"uid\":\"u\"}}");

        assertThat(get().map(Tree::uid)).contains("u");

        assertThat(server.asked()).hasSize(3);
        assertThat(server.connection().apiCalls()).containsEntry("get pods", 3L);
    }

    @Test
    void neverRepeatsAWrite() {
        server.answering(500, "").answering(200, "{}");

        thrownBy(this::create);

        assertThat(server.asked()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void tellsThatAWriteWithoutAnAnswerMayHaveHappened(int silence) {
        server.answering(silence, "");

        GatewayException thrown = thrownBy(this::create);

        assertThat(thrown.kind()).isIn(Kind.UNREACHABLE, Kind.TIMEOUT);
        assertThat(thrown.mayHaveHappened()).isTrue();
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void tellsThatAWriteThatWasNeverSentHasNotHappened() throws IOException {
        int closed;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        var nowhere = new ConfigBuilder()
                .withAutoConfigure(false)
                .withMasterUrl("http://127.0.0.1:" + closed)
                .build();
        try (var connection = KubeConnection.of(nowhere, KubeConnection.Settings.DEFAULT)) {
            GatewayException thrown = thrownBy(() -> connection.own().create(ObjectKind.POD, "ns", pod()));

            assertThat(thrown.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(thrown.mayHaveHappened()).isFalse();
        }
    }

    @Test
    void takesAnUpdateOfWhatIsGoneForAConflict() {
        server.answering(404, ABSENT);

        GatewayException thrown = thrownBy(() -> server.api().update(ObjectKind.POD, "ns", pod()));

        assertThat(thrown.kind()).isEqualTo(Kind.CONFLICT);
    }

    @Test
    void updatesNothingWithoutAResourceVersion() {
        ObjectNode unguarded = pod();
        Tree.metadata(unguarded).remove("resourceVersion");

        assertThatThrownBy(() -> server.api().update(ObjectKind.POD, "ns", unguarded))
                .isInstanceOf(IllegalStateException.class);

        assertThat(server.asked()).isEmpty();
    }

    @Test
    void deletesOnlyTheObjectWithTheUid() {
        server.answering(200, "{}");

        server.api().delete(ObjectKind.POD, "ns", "db-0", "the-uid");

        assertThat(server.asked().getFirst().body()).contains("\"preconditions\":{\"uid\":\"the-uid\"}");
    }

    @ParameterizedTest
    @CsvSource({"v1, /apis/policy/v1/", "v1beta1, /apis/policy/v1beta1/"})
    void asksForBudgetsAsTheServerServesThem(String served, String path) {
        server.answering(200, "{\"versions\":[{\"version\":\"v1beta1\"},{\"version\":\"" + served + "\"}]}")
                .answering(200, "{}")
                .answering(200, "{}");

        var _ = server.api().get(ObjectKind.BUDGET, "ns", "db");
        var _ = server.api().get(ObjectKind.BUDGET, "ns", "db");

        assertThat(server.asked())
                .extracting(ScriptedApi.Asked::uri)
                .containsExactly(
                        "/apis/policy",
                        path + "namespaces/ns/poddisruptionbudgets/db",
                        path + "namespaces/ns/poddisruptionbudgets/db");
    }

    @Test
    void namesRequestsByVerbAndKind() {
        assertThat(ApiCounts.key("GET", "/api/v1/pods")).isEqualTo("list pods");
        assertThat(ApiCounts.key("GET", "/api/v1/namespaces/a/pods")).isEqualTo("list pods");
        assertThat(ApiCounts.key("GET", "/api/v1/namespaces/a/pods/b")).isEqualTo("get pods");
        assertThat(ApiCounts.key("GET", "/api/v1/namespaces/a")).isEqualTo("get namespaces");
        assertThat(ApiCounts.key("PUT", "/apis/apps/v1/namespaces/a/statefulsets/b"))
                .isEqualTo("update statefulsets");
        assertThat(ApiCounts.key("POST", "/apis/apps/v1/namespaces/a/statefulsets"))
                .isEqualTo("create statefulsets");
        assertThat(ApiCounts.key("GET", "/api/v1/namespaces/a/pods/b/portforward"))
                .isEqualTo("get pods/portforward");
        assertThat(ApiCounts.key("GET", "/apis/policy")).isEqualTo("get /apis/policy");
    }
}
