package io.github.etcdgitops.gateway.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.etcdgitops.gateway.GatewayException;
import io.github.etcdgitops.gateway.RingSecrets.Content;
import io.github.etcdgitops.gateway.RingSecrets.Kind;
import io.github.etcdgitops.spec.value.ClusterRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Fabric8RingSecretsTest {
    private static final ClusterRef REF = new ClusterRef("shop", "orders");
    private static final Content CONTENT = new Content(bytes("certificate"), bytes("private"), bytes("ca"));

    /// `private`, as a Secret holds it.
    private static final String KEY = "cHJpdmF0ZQ==";

    private ScriptedApi server;
    private Fabric8RingSecrets secrets;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedApi(List.of());
        secrets = new Fabric8RingSecrets(server.connection());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String secret(String name, String data) {
        return """
            {"metadata":{"name":"%s","namespace":"shop","resourceVersion":"7","uid":"u1","labels":{
            "app.kubernetes.io/managed-by":"etcd-gitops","etcdgitops.dev/cluster":"orders","team":"a"}},
            "type":"kubernetes.io/tls","data":%s}\
            """.formatted(name, data);
    }

    @Test
    void createsTlsSecretOfRing() {
        server.answering(201, secret("orders-peer-tls", "{}"));

        assertThat(secrets.write(REF, Kind.PEER, CONTENT, Optional.empty(), 4)).isEqualTo("7");

        assertThat(server.asked()).singleElement().satisfies(asked -> {
            assertThat(asked.method()).isEqualTo("POST");
            assertThat(asked.uri()).isEqualTo("/api/v1/namespaces/shop/secrets");
            assertThat(asked.body())
                    .contains("\"type\":\"kubernetes.io/tls\"", "\"tls.key\":\"" + KEY + "\"")
                    .contains("\"etcdgitops.dev/epoch\":\"4\"", "\"etcdgitops.dev/cluster\":\"orders\"")
                    .doesNotContain("ownerReferences", "resourceVersion");
        });
    }

    @Test
    void replacedSecretKeepsForeignMetadata() {
        server.answering(200, secret("orders-peer-tls", "{}")).answering(200, secret("orders-peer-tls", "{}"));

        secrets.write(REF, Kind.PEER, CONTENT, Optional.of("7"), 4);

        assertThat(server.asked().getLast().method()).isEqualTo("PUT");
        assertThat(server.asked().getLast().body())
                .contains("\"team\":\"a\"", "\"resourceVersion\":\"7\"", "\"uid\":\"u1\"", KEY);
    }

    @ParameterizedTest
    @CsvSource({"CA, orders-ca", "PEER, orders-peer-tls", "SERVER, orders-server-tls", "CLIENT, orders-client-tls"})
    void namesMissingRight(Kind kind, String name) {
        server.answering(403, "{}").answering(403, "{}");

        assertThatThrownBy(() -> secrets.read(REF, kind))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(GatewayException.Kind.UNAUTHORIZED))
                .hasMessageContaining("HTTP 403")
                .hasMessageContaining("has to let it get Secret shop/" + name);
        assertThatThrownBy(() -> secrets.write(REF, kind, CONTENT, Optional.empty(), 1))
                .hasMessageContaining("has to let it create Secret shop/" + name);
    }

    @ParameterizedTest
    @CsvSource({"tls.crt", "tls.key", "ca.crt"})
    void namesMissingEntry(String missing) {
        String data = "{\"tls.crt\":\"YQ==\",\"tls.key\":\"" + KEY + "\",\"ca.crt\":\"YQ==\"}";
        server.answering(200, secret("orders-ca", data.replace("\"" + missing + "\"", "\"other\"")));

        assertThatThrownBy(() -> secrets.read(REF, Kind.CA))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.kind()).isEqualTo(GatewayException.Kind.REJECTED))
                .hasMessageContaining("Secret shop/orders-ca: it has no " + missing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"!cHJpdmF0ZQ\"", "null", "{\"cHJpdmF0ZQ\":1}"})
    void showsNoKeyThatIsNotBase64(String value) {
        server.answering(
                200, secret("orders-ca", "{\"tls.crt\":\"YQ==\",\"tls.key\":" + value + ",\"ca.crt\":\"YQ==\"}"));

        var refused = catchThrowableOfType(GatewayException.class, () -> secrets.read(REF, Kind.CA));

        assertThat(refused.kind()).isEqualTo(GatewayException.Kind.REJECTED);
        assertThat(refused).hasMessageContaining("it has no tls.key").hasNoCause();
        assertThat(refused.getMessage()).doesNotContain("cHJp");
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400, 409, 422, 500})
    void showsNoKeyThatServerRepeats(int code) {
        server.otherwise(_ -> Optional.of(new ScriptedApi.Answer(code, "denied: " + KEY)));

        var read = catchThrowableOfType(GatewayException.class, () -> secrets.read(REF, Kind.CA));
        var written = catchThrowableOfType(
                GatewayException.class, () -> secrets.write(REF, Kind.CA, CONTENT, Optional.empty(), 1));

        assertThat(read.getMessage()).doesNotContain("cHJp", "denied");
        assertThat(written.getMessage()).doesNotContain("cHJp", "denied");
        assertThat(read).hasNoCause();
        assertThat(written).hasNoCause();
    }
}
